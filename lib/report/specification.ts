/**
 * Makes `docs/specification.md`: the sections of the
 * specifications, with the words that requirements rest on.
 */
import type { Catalogue } from '../model/catalogue/types.ts';

/** Returns the anchor of a section in that file. */
export function sectionAnchor(spec: string, section: string): string {
  return `s${spec.split('-')[0]}-${section.replaceAll('.', '-')}`;
}

const HEAD = `# Sections of the specifications

Requirements name the section that they rest on by its number, and by its heading where a section has several parts.
The text of the specifications is not part of this package. What stands here are headings, and short quotations where
the wording decides: under each section the words, and the requirements that rest on them. Where a statement of ours is
disputed, these words decide, and the section in your copy of the specification.
\`conform explain ID\` names the place of a requirement.

This file is made from \`suites/*/specification.yaml\`; \`UPDATE=1 npx vitest run --project tests
tests/catalogue/specification.test.ts\` writes it anew.
`;

/** Returns the text of the file, from all catalogues. */
export function specificationDocument(catalogues: Iterable<Catalogue>): string {
  const bySpec = new Map<string, Catalogue[]>();
  for (const each of catalogues) bySpec.set(each.spec, [...(bySpec.get(each.spec) ?? []), each]);
  const parts = [...bySpec]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([spec, own]) => `## ${spec}\n\n${sectionsOf(spec, own).join('\n')}`);
  return `${[HEAD, ...parts].join('\n')}`;
}

function sectionsOf(spec: string, catalogues: readonly Catalogue[]): string[] {
  const headings = Object.assign({}, ...catalogues.map(({ sections }) => sections ?? {})) as Record<
    string,
    string
  >;
  const byNumber = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true });
  return Object.keys(headings)
    .sort(byNumber)
    .map((section) => {
      const quoted = new Map<string, string[]>();
      for (const { requirements } of catalogues)
        for (const { id, quote } of requirements)
          if (quote?.section === section) quoted.set(quote.text, [...(quoted.get(quote.text) ?? []), id]);
      const lines = [...quoted].map(([text, ids]) => `- ${codeSpan(text)}: ${ids.join(', ')}`);
      const head = `### <a id="${sectionAnchor(spec, section)}"></a>${section} ${headings[section]}\n`;
      return [head, ...(lines.length > 0 ? [...lines, ''] : [])].join('\n');
    });
}

/** The specifications are Markdown themselves, so a quotation may contain backticks. */
function codeSpan(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}
