/** The `Link` header field (RFC 8288, section 3). */

/** One link: its target, and its relation types, separated by spaces. */
export interface Link {
  target: string;
  rel: string;
}

const PARAMETER = /\s*;\s*([!#$%&'*+.^_`|~\w-]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|[!#$%&'*+.^_`|~\w-]+))?/y;

/** Returns the links of a field value, or undefined if it is malformed. An empty value has no links. */
export function linksOf(value: string): Link[] | undefined {
  const links: Link[] = [];
  let at = 0;
  const skip = (form: RegExp): string | undefined => {
    const sticky = new RegExp(form.source, 'y');
    sticky.lastIndex = at;
    const found = sticky.exec(value);
    if (found) at = sticky.lastIndex;
    return found?.[0];
  };
  for (;;) {
    skip(/[\s,]+/);
    if (at >= value.length) return links;
    const target = skip(/<[^>]*>/);
    if (target === undefined) return undefined;
    let rel = '';
    for (;;) {
      PARAMETER.lastIndex = at;
      const parameter = PARAMETER.exec(value);
      if (!parameter) break;
      at = PARAMETER.lastIndex;
      // Only the first `rel` counts.
      if (parameter[1]!.toLowerCase() === 'rel' && rel === '')
        rel = (parameter[2] ?? '').replace(/^"(.*)"$/, '$1');
    }
    skip(/\s*/);
    if (at < value.length && value[at] !== ',') return undefined;
    links.push({ target: target.slice(1, -1), rel });
  }
}
