/** Fields of the registration request that are compared as more than text. */
import type { AgentDeviation } from './kit.ts';

/** Accepts a value of another JSON type in place of a string, as loose comparisons do. */
export const loosely = (
  field: 'type' | 'assertion_type' | 'requested_credential_type',
  requirement: string,
): AgentDeviation[] => {
  const check = {
    type: 'checkRequestType',
    assertion_type: 'checkAssertionType',
    requested_credential_type: 'checkCredentialType',
  } as const;
  const name = check[field];
  return [
    {
      id: `${field.replaceAll('_', '-')}-compared-loosely`,
      breaks: [requirement],
      sentence: `compares ${field} as the text of what it is given`,
      rules: (original) => ({
        [name]: (value: unknown) => original[name](Array.isArray(value) ? String(value) : value),
      }),
    },
    {
      id: `${field.replaceAll('_', '-')}-compared-when-text`,
      breaks: [requirement],
      sentence: `compares ${field} only when it is a text`,
      rules: (original) => ({
        [name]: (value: unknown) => (typeof value === 'string' ? original[name](value) : undefined),
      }),
    },
  ];
};
