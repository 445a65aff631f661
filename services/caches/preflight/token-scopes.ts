/**
 * Tries whether the further tokens have the scopes or permissions that the configuration gives them. A token
 * that is refused everything that a scope opens, or is served everything that a scope it lacks opens, shows a
 * wrong setting or a fault of the target. It shows the fault where another token is treated in the same way,
 * where only some of the endpoints are concerned, and where it is served what one scope opens and nothing else
 * is odd: these are left to the checks.
 */
import { type PreflightFinding, unclear } from '../../../lib/check/preflight/finding.ts';
import { permissionsLack, permits, scopesLack } from '../judging/access-table.ts';
import type { Access, PermittedReads, Read } from './permitted-reads.ts';

/** A token of the configuration. */
interface Held {
  key: string;
  token: string;
  scopes?: readonly string[];
  permissions?: readonly string[];
}

/** A scope or category that a token has or lacks, against the configuration. */
interface Contradiction {
  group: string;
  found: 'served' | 'refused';
  reads: Read[];
}

/** How many endpoints have to contradict the configuration: a single one shows a lapse of the target. */
const FEWEST_READS = 2;
/** Of how many scopes a token has to do more than it is said to: one alone shows that the target ignores it. */
const FEWEST_SERVED = 2;
/** About how many reads all tokens together are given for a first look. */
const MOST_LOOKS = 40;
/** The most other tokens that are asked whether they are treated in the same way. */
const MOST_OTHERS = 6;

/** Returns a finding for each token whose scopes or permissions seem to be others than configured. */
export async function triedScopes(reads: PermittedReads): Promise<PreflightFinding[]> {
  const tokens = new TokenScopes(reads);
  const findings: PreflightFinding[] = [];
  for (const token of tokens.all) {
    const contradictions = (await tokens.isSuspicious(token)) ? await tokens.contradictions(token) : [];
    const own: Contradiction[] = [];
    for (const each of contradictions) if (!(await tokens.isSharedByOthers(token, each))) own.push(each);
    if (isLikelySetting(own)) findings.push(told(token, own));
  }
  return findings;
}

/** Whether contradictions look like those of a wrong setting, and not like those of a target's lapse. */
function isLikelySetting(contradictions: readonly Contradiction[]): boolean {
  const isRefused = contradictions.some(({ found }) => found === 'refused');
  const reads = contradictions.flatMap((each) => each.reads).length;
  return reads >= FEWEST_READS && (isRefused || contradictions.length >= FEWEST_SERVED);
}

function told({ key, scopes, permissions = [] }: Held, contradictions: readonly Contradiction[]) {
  const held = (scopes ?? permissions).join(', ') || 'nothing';
  const each = contradictions.map(
    ({ group, found, reads }) =>
      `${found} ${reads.map(({ operation }) => operation.name).join(' and ')}, ${found === 'served' ? `though it lacks ${group}` : `which ${group} opens`}`,
  );
  return unclear(
    [key],
    `\`${key}\` is said to have ${held}, and is ${each.join(', and ')}: look at its ${scopes ? 'scopes' : 'permissions'}, and whether two tokens are swapped`,
  );
}

class TokenScopes {
  readonly all: readonly Held[];
  readonly #reads: PermittedReads;

  constructor(reads: PermittedReads) {
    this.#reads = reads;
    const { tokens = [] } = reads.config;
    this.all = tokens.map((token, i) => ({ key: `caches.tokens[${i}]`, ...token }));
  }

  /**
   * Whether a first look contradicts the configuration. It reads one thing of each scope or category, or of
   * fewer where there are many tokens: those first that most other tokens are expected to differ in.
   */
  async isSuspicious(token: Held): Promise<boolean> {
    const most = Math.max(1, Math.floor(MOST_LOOKS / this.all.length));
    for (const access of ['served', 'refused'] as const) {
      const differing = (read: Read) => this.all.filter((each) => expected(each, read) !== access).length;
      const reads = this.#reads.all
        .filter((read) => expected(token, read) === access)
        .sort((a, b) => differing(b) - differing(a));
      const groups = new Map(reads.reverse().map((read) => [groupOf(token, read), read]));
      for (const read of [...groups.values()].reverse().slice(0, most))
        if (contradicts(access, await this.#access(token, read))) return true;
    }
    return false;
  }

  /** Returns the scopes or categories of which every read, more than one or not, contradicts the configuration. */
  async contradictions(token: Held): Promise<Contradiction[]> {
    const found: Contradiction[] = [];
    for (const group of new Set(this.#reads.all.map((read) => groupOf(token, read)))) {
      const reads = this.#reads.all.filter((read) => groupOf(token, read) === group);
      const judged: { read: Read; wanted: Access; access: Access }[] = [];
      for (const read of reads) {
        const wanted = expected(token, read);
        if (wanted === undefined) continue;
        // What the full token cannot do, or anybody can, says nothing about this token.
        const isTelling =
          wanted === 'served' ? await this.#reads.isOpen(read) : await this.#reads.isGuarded(read);
        if (isTelling) judged.push({ read, wanted, access: await this.#access(token, read) });
      }
      const [first] = judged;
      if (first?.access === undefined) continue;
      if (judged.every(({ wanted, access }) => access === first.access && contradicts(wanted, access)))
        found.push({ group, found: first.access, reads: judged.map(({ read }) => read) });
    }
    return found;
  }

  /** Whether another token of the kind, of which the same is expected, is treated in the same way. */
  async isSharedByOthers(token: Held, { reads, found }: Contradiction): Promise<boolean> {
    const [read] = reads as [Read, ...Read[]];
    const others = this.all.filter(
      (each) =>
        each.key !== token.key &&
        (each.scopes === undefined) === (token.scopes === undefined) &&
        contradicts(expected(each, read), found),
    );
    for (const other of others.slice(0, MOST_OTHERS))
      if ((await this.#access(other, read)) === found) return true;
    return false;
  }

  #access({ token }: Held, read: Read): Promise<Access> {
    return this.#reads.accessOf({ token }, read);
  }
}

/** What the configuration lets expect; `undefined` where section 5 leaves it open. */
function expected(token: Held, { row }: Read): Access {
  const { scopes, permissions = [] } = token;
  if (permits(token, row)) return 'served';
  // Whether level write includes level read is left open.
  if (!scopes && permissions.includes(`${row.category}:write`)) return undefined;
  // Endpoint 15 is for anyone with read access, whatever the permissions of a fine-grained token.
  if (!scopes && row.code === 'USAGE') return undefined;
  return (scopes ? scopesLack(scopes, row) : permissionsLack(permissions, row)) ? 'refused' : undefined;
}

function contradicts(wanted: Access, found: Access): boolean {
  return wanted !== undefined && found !== undefined && wanted !== found;
}

/** The scope or category that a read requires, by the kind of the token. */
function groupOf({ scopes }: Held, { row }: Read): string {
  return scopes ? row.scope : row.category;
}
