/**
 * A family is a group of requirements that differ only in a few words (a level, a kind of limit, a field). It
 * is written once, with placeholders in its texts and a list of members. Every member states its full id, so
 * that a search for the id finds it.
 */
import type { Requirement } from './types.ts';

/** A family as written in a catalogue file: what its members share, with `{placeholders}` in the texts. */
export type Family = Partial<Omit<Requirement, 'id'>> & { members: Member[] };

/** One member of a family: its id, the keys that it does not share, and a text for each placeholder. */
export type Member = { id: string } & Record<string, string>;

/** The keys of a requirement. Any other key of a member is the name of a placeholder. */
const OWN_KEYS: ReadonlySet<string> = new Set([
  'id',
  'section',
  'level',
  'basis',
  'standard',
  'title',
  'statement',
  'severity',
  'field',
  'cause',
  'reason',
] satisfies (keyof Requirement)[]);

/** The texts that may contain placeholders. */
const TEXTS = ['title', 'statement', 'cause', 'reason'] as const;

/** Returns whether an entry of a catalogue file is a family. */
export function isFamily(entry: Requirement | Family): entry is Family {
  return 'members' in entry;
}

/** Returns the requirement that a member of a family stands for, with its placeholders filled in. */
export function requirementOf(family: Family, member: Member): Requirement {
  const { members: _, ...shared } = family;
  const own = Object.fromEntries(Object.entries(member).filter(([key]) => OWN_KEYS.has(key)));
  const requirement = { ...shared, ...own } as Requirement;
  for (const key of TEXTS) {
    const text = requirement[key];
    if (text !== undefined) requirement[key] = filled(text, member);
  }
  return requirement;
}

/** Returns the mistakes in the placeholders of a family, each with the index of the member. */
export function placeholderProblems(family: Family): { member: number; message: string }[] {
  const texts = TEXTS.map((key) => family[key] ?? '').join(' ');
  const named = new Set(family.members.flatMap(Object.keys).filter((key) => !OWN_KEYS.has(key)));
  return family.members.flatMap((member, i) =>
    [...named].flatMap((name) => {
      if (member[name] === undefined) return [{ member: i, message: `lacks \`${name}\`, which others have` }];
      if (i === 0 && !texts.includes(`{${name}}`))
        return [{ member: i, message: `\`${name}\` is neither a key of a requirement nor a placeholder` }];
      return [];
    }),
  );
}

function filled(text: string, member: Member): string {
  return text.replaceAll(/\{(\w+)\}/g, (all, name: string) =>
    OWN_KEYS.has(name) ? all : (member[name] ?? all),
  );
}
