/** Settings under `caches` that contradict each other: checks that compare two things need two. */
import { type PreflightFinding, refused } from '../../../lib/check/preflight/finding.ts';
import type { CachesConfig } from '../configuration.ts';
import { permissionsLack, ROWS, scopesLack } from '../judging/access-table.ts';

/** Keys whose values must differ. Names are compared without regard to case, as the API compares them. */
const DIFFERENT: readonly [keyof CachesConfig, keyof CachesConfig][] = [
  ['otherEnterprise', 'enterprise'],
  ['otherOrganization', 'organization'],
  ['otherRepository', 'repository'],
  ['namesakeRepository', 'repository'],
  ['publicRepository', 'privateRepository'],
  ['strangerToken', 'token'],
  ['readerToken', 'token'],
  ['strangerToken', 'readerToken'],
];

/** Returns a finding for each contradiction that can be seen without asking the target. */
export function contradictions(config: CachesConfig): PreflightFinding[] {
  const findings: PreflightFinding[] = [];
  for (const [one, other] of DIFFERENT) {
    const value = config[one];
    if (value === undefined || folded(value) !== folded(config[other])) continue;
    const shown = /token/i.test(one) ? '' : `, ${String(value)}`;
    findings.push(
      refused(
        [`caches.${one}`, `caches.${other}`],
        `\`caches.${one}\` and \`caches.${other}\` are the same${shown}: checks compare the two, so name another, or leave \`${one}\` out`,
      ),
    );
  }
  findings.push(...misplaced(config), ...sameTokens(config));
  const { repository, namesakeRepository } = config;
  if (
    repository !== undefined &&
    namesakeRepository !== undefined &&
    nameOf(repository) !== nameOf(namesakeRepository)
  )
    findings.push(
      refused(
        ['caches.namesakeRepository', 'caches.repository'],
        `\`caches.namesakeRepository\` ${namesakeRepository} has another name than \`caches.repository\` ${repository}: it has to have the same name under another owner, or to be left out`,
      ),
    );
  return findings;
}

/** Returns a finding for each further token that the configuration has twice, with other scopes or permissions. */
function sameTokens({ token: full, tokens = [] }: CachesConfig): PreflightFinding[] {
  return tokens.flatMap(({ token, scopes, permissions }, i): PreflightFinding[] => {
    const keys = [`caches.tokens[${i}]`];
    const lacks = ROWS.some((row) =>
      scopes ? scopesLack(scopes, row) : permissionsLack(permissions ?? [], row),
    );
    if (token === full && lacks)
      return [
        refused(
          [...keys, 'caches.token'],
          `\`${keys[0]}\` is \`caches.token\`, which has every permission of section 5, and is said to lack some: name another token there`,
        ),
      ];
    const held = (each: { scopes?: string[]; permissions?: string[] }) =>
      [each.scopes ? 'scopes' : 'permissions', ...[...(each.scopes ?? each.permissions ?? [])].sort()].join();
    const j = tokens.findIndex((each) => each.token === token);
    if (
      j === i ||
      held(tokens[j]!) === held({ ...(scopes && { scopes }), ...(permissions && { permissions }) })
    )
      return [];
    return [
      refused(
        [...keys, `caches.tokens[${j}]`],
        `\`${keys[0]}\` and \`caches.tokens[${j}]\` are the same token, with other scopes or permissions: one of them is wrong`,
      ),
    ];
  });
}

/**
 * Returns a finding for the first repository that should belong to the organization but has another owner.
 */
function misplaced(config: CachesConfig): PreflightFinding[] {
  const { organization, repository, otherRepository, repositories = [] } = config;
  if (organization === undefined) return [];
  const named: [key: string, name: string | undefined][] = [
    ['repository', repository],
    ['otherRepository', otherRepository],
    ...repositories.map((name, i): [string, string] => [`repositories[${i}]`, name]),
  ];
  return named
    .filter(([, name]) => name !== undefined && folded(name.split('/')[0]) !== folded(organization))
    .slice(0, 1)
    .map(([key, name]) =>
      refused(
        [`caches.${key}`, 'caches.organization'],
        `\`caches.${key}\` ${name} does not belong to \`caches.organization\` ${organization}: look at both`,
      ),
    );
}

function folded(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

function nameOf(repository: string): string {
  return repository.slice(repository.indexOf('/') + 1).toLowerCase();
}
