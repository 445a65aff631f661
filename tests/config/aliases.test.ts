/** Aliases and merge keys in `targets.yaml`. */
import { expect, test } from 'vitest';
import { complaint, load, SECRET, variable } from './yaml.ts';

const BASE = `x-shipping: &shipping
  baseUrl: https://one.example
  clientId: me
  clientSecret: ${SECRET}
`;

test('a merge key takes in what its map has; keys of the map itself win', () => {
  const { target } = load(`${BASE}targets:
  mine:
    shipping:
      <<: *shipping
      baseUrl: https://two.example
`);
  expect(target.shipping).toMatchObject({
    baseUrl: 'https://two.example',
    clientId: 'me',
    clientSecret: SECRET,
  });
});

test('of several maps the earlier one wins', () => {
  const { target } = load(`${BASE}x-other: &other { clientId: you, scopes: [read] }
targets:
  mine:
    shipping:
      <<: [*other, *shipping]
`);
  expect(target.shipping).toMatchObject({ clientId: 'you', scopes: ['read'], clientSecret: SECRET });
});

test('a target that takes in another one is a target of its own', () => {
  const yaml = `targets:
  staging: &staging
    shipping:
      baseUrl: ${variable('STAGING')}
      clientId: me
      clientSecret: ${SECRET}
  production:
    <<: *staging
    title: Production
`;
  const { target } = load(yaml, 'production', { STAGING: 'https://one.example' });
  expect(target).toMatchObject({ name: 'production', title: 'Production' });
  expect(target.shipping?.baseUrl).toBe('https://one.example');
  expect(complaint(yaml, 'production')).toBe('targets.yaml:4: the environment variable STAGING is not set');
});

test('variables in an aliased value are filled in', () => {
  const { target } = load(
    `x-shipping: &shipping
  baseUrl: https://one.example
  clientId: me
  clientSecret: ${variable('SECRET')}
targets:
  mine: { shipping: *shipping }
`,
    undefined,
    { SECRET },
  );
  expect(target.shipping?.clientSecret).toBe(SECRET);
});

test('a mistake in a merged map is reported with its own line', () => {
  const yaml = `${BASE.replace('clientId', 'clientIdd')}targets:
  mine:
    shipping:
      <<: *shipping
`;
  expect(complaint(yaml)).toBe(
    'targets.yaml:3: targets.mine.shipping: unknown key `clientIdd`; did you mean `clientId`?',
  );
});
