/** Tries whether the configured further tokens are valid: each reads something that it permits. */
import {
  EITHER,
  isAnswer,
  type PreflightFinding,
  refused,
  said,
} from '../../../lib/check/preflight/finding.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { Auth } from '../api/client.ts';
import type { Place, PlaceKey } from '../api/places.ts';
import type { CachesConfig } from '../configuration.ts';
import type { ReadOnce, Read as Sent } from './read-once.ts';

/** A token, the key that messages name it by, and its scopes or permissions by the configuration. */
interface Configured {
  key: string;
  token: string;
  held: readonly string[];
  isFine?: boolean;
}

/** A read request, and the key of the place that it reads. */
interface Read {
  at: PlaceKey;
  send(reads: ReadOnce, place: Place, auth: Auth): Sent;
}

const list: Read['send'] = (reads, place, auth) => reads.list(place, auth);
const usage: Read['send'] = (reads, place, auth) => reads.organizationUsage(place, auth);
const limit: Read['send'] = (reads, place, auth) => reads.limit(place, 'retention', auth);

/**
 * For each group of classic scopes and permissions of section 5, a read request that it permits. Whether level
 * write includes level read is left open.
 */
const READS: readonly [RegExp, Read][] = [
  [/^repo$|^repository\/actions:read$/, { at: 'repository', send: list }],
  [/^read:org$|^organization\/administration:read$/, { at: 'organization', send: usage }],
  [/^admin:organization$/, { at: 'organization', send: limit }],
  [/^admin:enterprise$|^enterprise\/administration:write$/, { at: 'enterprise', send: limit }],
  [/^admin:repository$|^repository\/administration:read$/, { at: 'repository', send: limit }],
];

/** A read request that every valid classic token permits: endpoint 15 requires `repo` of private repositories only. */
const READ_PUBLIC: Read = {
  at: 'publicRepository',
  send: (reads, place, auth) => reads.repositoryUsage(place, auth),
};

/** Returns a finding for each token that is refused with 401 as invalid, and one for all the others. */
export async function triedTokens(reads: ReadOnce): Promise<PreflightFinding[]> {
  const tokens = tokensOf(reads.config);
  if (tokens.length === 0) return [];
  const findings: PreflightFinding[] = [];
  for (const token of tokens) {
    const problem = await problemWith(token, reads);
    if (problem) findings.push(problem);
  }
  const good = tokens.length - findings.length;
  if (good > 0)
    findings.push({
      outcome: 'ok',
      keys: ['caches.tokens'],
      message: `${good} further ${good === 1 ? 'token is' : 'tokens are'} told from one that was never issued`,
    });
  return findings;
}

function tokensOf({ tokens = [], readerToken, strangerToken }: CachesConfig): Configured[] {
  return [
    ...tokens.map(({ token, scopes, permissions }, i) => ({
      key: `caches.tokens[${i}]`,
      token,
      held: scopes ?? permissions ?? [],
      isFine: scopes === undefined,
    })),
    ...(readerToken === undefined ? [] : [{ key: 'caches.readerToken', token: readerToken, held: ['repo'] }]),
    ...(strangerToken === undefined ? [] : [{ key: 'caches.strangerToken', token: strangerToken, held: [] }]),
  ];
}

async function problemWith(
  { key, token, held, isFine = false }: Configured,
  reads: ReadOnce,
): Promise<PreflightFinding | undefined> {
  const has = held.length > 0 ? ` (${held.join(', ')})` : '';
  const auth: Auth = { token };
  const fitting = READS.filter(([pattern]) => held.some((each) => pattern.test(each))).map(
    ([, read]) => read,
  );
  const answers: Answer[] = [];
  // Several endpoints are tried: if only one refuses the token, that endpoint may be wrong.
  for (const { at, send } of [...fitting.slice(0, 2), READ_PUBLIC]) {
    const place = reads.places.find(at);
    if (!place) continue;
    const sent = await send(reads, place, auth);
    if (!isAnswer(sent) || sent.status !== 401) return undefined;
    answers.push(sent);
  }
  const [first] = answers;
  if (!first) return undefined;
  // A valid token that nothing permits here may be refused with 401 as well.
  if (isFine && fitting.length === 0)
    return {
      outcome: 'doubtful',
      keys: [key],
      message: `the target refuses \`${key}\`${has} with ${said(first)}: is the token valid?`,
    };
  return refused([key], `the target refuses \`${key}\`${has} as no token at all: ${said(first)}; ${EITHER}`);
}
