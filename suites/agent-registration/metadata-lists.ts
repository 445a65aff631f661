/** 2 Resources: the lists of the two metadata documents. */
import type { CheckContext } from '../../lib/check/context.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { Blocked } from '../../lib/model/verdict.ts';
import { idJag } from '../../schemas/agents/index.ts';
import type { Discovery } from '../../services/agents/fixtures/discovery.ts';
import { resource, server } from '../../services/agents/judging/metadata-documents.ts';

/**
 * The requirement that a list of a document contains a value, or only that value. Without a list of strings
 * the check is blocked by the requirement `by`.
 */
interface Listed {
  id: string;
  document: (discovery: Discovery) => Promise<Answer>;
  at: string;
  by: string;
  value: (discovery: Discovery) => string;
  only?: boolean;
}

export const LISTS: Listed[] = [
  {
    id: 'AGENT-PRM-SCOPES-GLOBAL',
    document: resource,
    at: '/scopes_supported',
    by: 'AGENT-PRM-SCOPES-SUPPORTED',
    value: ({ config }) => config.scope ?? 'service:global',
  },
  {
    id: 'AGENT-PRM-BEARER-HEADER-ONLY',
    document: resource,
    at: '/bearer_methods_supported',
    by: 'AGENT-PRM-BEARER-METHODS',
    value: () => 'header',
    only: true,
  },
  {
    id: 'AGENT-ASM-IDENTITY-TYPES-ONLY',
    document: server,
    at: '/agent_auth/identity_types_supported',
    by: 'AGENT-ASM-IDENTITY-TYPES',
    value: () => 'identity_assertion',
    only: true,
  },
  {
    id: 'AGENT-ASM-ASSERTION-TYPES-ONLY',
    document: server,
    at: '/agent_auth/identity_assertion/assertion_types_supported',
    by: 'AGENT-ASM-ASSERTION-TYPES',
    value: () => idJag,
    only: true,
  },
  {
    id: 'AGENT-ASM-CREDENTIAL-TYPES-ONLY',
    document: server,
    at: '/agent_auth/identity_assertion/credential_types_supported',
    by: 'AGENT-ASM-CREDENTIAL-TYPES',
    value: () => 'api_key',
    only: true,
  },
];

/**
 * Fails the check unless the list contains the value or, with `only`, if it contains any other value. Throws
 * `Blocked` where there is no list of strings, or where a list that may have only this value is empty.
 */
export function expectListed(
  { discovery, expect }: CheckContext & { discovery: Discovery },
  answer: Answer,
  { at, by, value, only }: Listed,
): void {
  const wanted = value(discovery);
  const list = answer.at(at);
  if (!Array.isArray(list)) throw new Blocked(`${at} is not a list`, by);
  if (!list.every((item) => typeof item === 'string'))
    throw new Blocked(`${at} is not a list of strings`, by);
  const where = {
    answer,
    at,
    expected: only ? `nothing but ${wanted}` : `a list with ${wanted}`,
    found: JSON.stringify(list),
  };
  if (!only) {
    expect.that(list.includes(wanted), `${at} does not contain ${wanted}`, where);
    return;
  }
  if (list.length === 0) throw new Blocked(`${at} is empty`, by);
  // The value in another letter case does not count as another value here; it is judged with the property.
  const others = list.filter((item) => item.toLowerCase() !== wanted.toLowerCase());
  expect.that(others.length === 0, `${at} lists ${others.join(', ')}`, where);
}
