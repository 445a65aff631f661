/** A parser of `WWW-Authenticate` by the grammar of RFC 9110 (11.3, 11.4, 11.6.1, 5.6). */

/** One challenge. Names of parameters are in lower case; values are unquoted. */
export interface Challenge {
  scheme: string;
  params: Map<string, string>;
  token68?: string;
}

/** What could be parsed, and where the text departs from the grammar. */
export interface ParsedChallenges {
  challenges: Challenge[];
  /** Why the rest could not be parsed; absent when all of it was. */
  error?: string;
}

const TOKEN = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
const TOKEN68 = /[A-Za-z0-9._~+/-]+=*(?=[ \t]*(?:,|$))/y;
const QUOTED = /"((?:[^"\\]|\\.)*)"/y;
const SPACES = / +/y;
const BLANK = /[ \t]*/y;
const SEPARATORS = /[ \t]*(?:,[ \t]*)*/y;
const EQUALS = /[ \t]*=[ \t]*/y;

/**
 * Parses the values of all `WWW-Authenticate` fields of an answer, which together form one list. Never
 * throws: `error` says what could not be parsed, and the challenges before that are returned.
 */
export function parseChallenges(fields: readonly string[]): ParsedChallenges {
  const text = fields.join(', ');
  const challenges: Challenge[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match;
  };
  const stopped = (what: string): ParsedChallenges => ({
    challenges,
    error: `${what} at character ${at + 1}: ${JSON.stringify(text.slice(at, at + 40))}`,
  });

  take(SEPARATORS);
  while (at < text.length) {
    const scheme = take(TOKEN)?.[0];
    if (scheme === undefined) return stopped('no authentication scheme');
    const challenge: Challenge = { scheme, params: new Map() };
    challenges.push(challenge);
    if (take(SPACES)) {
      const token68 = take(TOKEN68)?.[0];
      if (token68 !== undefined) challenge.token68 = token68;
      else {
        // Reads parameters until a name without a value follows, which is the scheme of the next challenge.
        for (;;) {
          const start = at;
          const name = take(TOKEN)?.[0];
          if (name === undefined || !take(EQUALS)) {
            at = start;
            break;
          }
          const quoted = take(QUOTED);
          const value = quoted ? (quoted[1] as string).replaceAll(/\\(.)/g, '$1') : take(TOKEN)?.[0];
          if (value === undefined) return stopped(`no value for ${name}`);
          if (challenge.params.has(name.toLowerCase())) return stopped(`a second ${name}`);
          challenge.params.set(name.toLowerCase(), value);
          take(BLANK);
          if (at >= text.length) break;
          if (text[at] !== ',') {
            // The unquoted value may go on after a character that a token cannot have, so it is dropped.
            if (!quoted) challenge.params.delete(name.toLowerCase());
            return stopped(`no comma after ${name}`);
          }
          take(SEPARATORS);
        }
      }
    }
    take(BLANK);
    if (at >= text.length) break;
    const separated = text[at] === ',' || text.slice(0, at).trimEnd().endsWith(',');
    if (!separated) return stopped('no comma');
    take(SEPARATORS);
  }
  return { challenges };
}

/**
 * Finds a Bearer challenge, its `resource_metadata` and its `error`. Where the text departs from the grammar
 * they are searched for in the plain text, so that a slip in the grammar is not reported as a missing
 * parameter too.
 */
export function findBearer(fields: readonly string[]): {
  bearer: boolean;
  metadata?: string;
  error?: string;
} {
  const { challenges, error: slip } = parseChallenges(fields);
  const bearers = challenges.filter((each) => each.scheme.toLowerCase() === 'bearer');
  const text = fields.join(', ');
  const find = (name: string) =>
    bearers.find((each) => each.params.has(name))?.params.get(name) ??
    (slip === undefined ? undefined : loosely(text, name));
  const [metadata, error] = [find('resource_metadata'), find('error')];
  return {
    bearer: bearers.length > 0 || (slip !== undefined && /(?:^|[\s,;])bearer(?:[\s,;:]|$)/i.test(text)),
    ...(metadata !== undefined && { metadata }),
    ...(error !== undefined && { error }),
  };
}

function loosely(text: string, name: string): string | undefined {
  const match = new RegExp(`(?:^|[\\s,;])${name}\\s*=\\s*(?:"([^"]*)"?|'([^']*)'?|([^\\s,;]+))`, 'i').exec(
    text,
  );
  return match?.[1] ?? match?.[2] ?? match?.[3];
}
