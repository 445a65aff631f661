/** `WWW-Authenticate` is parsed by the grammar of RFC 9110 11.6.1. */
import { describe, expect, test } from 'vitest';
import { findBearer, parseChallenges } from '../../services/agents/api/challenge.ts';

const URL = 'https://auth.example/.well-known/oauth-protected-resource';

const parsed = (...fields: string[]) => {
  const { challenges, error } = parseChallenges(fields);
  return {
    challenges: challenges.map(({ scheme, params, token68 }) => [
      scheme,
      token68 ?? Object.fromEntries(params),
    ]),
    error,
  };
};

describe('a field that follows the grammar', () => {
  test.each([
    ['one parameter', [`Bearer resource_metadata="${URL}"`], [['Bearer', { resource_metadata: URL }]]],
    ['a scheme alone', ['Negotiate'], [['Negotiate', {}]]],
    ['token68', ['Custom abc+/=='], [['Custom', 'abc+/==']]],
    [
      'several challenges in one field',
      [`Basic realm="a, b", Negotiate, Bearer x=1, resource_metadata="${URL}", NTLM abc=`],
      [
        ['Basic', { realm: 'a, b' }],
        ['Negotiate', {}],
        ['Bearer', { x: '1', resource_metadata: URL }],
        ['NTLM', 'abc='],
      ],
    ],
    [
      'several fields',
      ['Basic realm="a"', `Bearer resource_metadata="${URL}"`],
      [
        ['Basic', { realm: 'a' }],
        ['Bearer', { resource_metadata: URL }],
      ],
    ],
    [
      'quoted pairs',
      ['Bearer realm="say \\"hi\\" \\\\ there"'],
      [['Bearer', { realm: 'say "hi" \\ there' }]],
    ],
    [
      'spaces around =, capital names',
      ['Bearer REALM = "a" , Scope=b'],
      [['Bearer', { realm: 'a', scope: 'b' }]],
    ],
    ['empty elements of a list', [' , Bearer a=b, , c=d,'], [['Bearer', { a: 'b', c: 'd' }]]],
    ['an empty quoted text', ['Bearer realm=""'], [['Bearer', { realm: '' }]]],
    [
      'a comma and a quote within a URL',
      ['Bearer resource_metadata="https://a.example/x,y=z"'],
      [['Bearer', { resource_metadata: 'https://a.example/x,y=z' }]],
    ],
  ])('%s', (_name, fields, challenges) => {
    expect(parsed(...fields)).toEqual({ challenges, error: undefined });
  });
});

describe('a field that does not follow the grammar', () => {
  test.each([
    ['a URL without quotes', `Bearer resource_metadata=${URL}`],
    ['a semicolon', `Bearer realm="a"; resource_metadata="${URL}"`],
    ['a quote left open', `Bearer resource_metadata="${URL}`],
    ['single quotes', `Bearer resource_metadata='${URL}'`],
    ['no comma', `Bearer realm="a" resource_metadata="${URL}"`],
    ['a colon after the scheme', `Bearer: resource_metadata="${URL}"`],
    ['no scheme', '="a"'],
    ['a parameter twice', `Bearer realm="a", realm="b", resource_metadata="${URL}"`],
    ['no value', 'Bearer realm=, x=y'],
  ])('%s', (_name, field) => {
    expect(parsed(field).error).toBeDefined();
  });

  test.each([
    `Bearer resource_metadata=${URL}`,
    `Bearer realm="a"; resource_metadata="${URL}"`,
    `Bearer resource_metadata="${URL}`,
    `Bearer resource_metadata='${URL}'`,
    `Bearer realm="a" resource_metadata="${URL}"`,
  ])('the metadata is found all the same in %s', (field) => {
    expect(findBearer([field])).toMatchObject({ bearer: true, metadata: URL });
  });
});

describe('the Bearer challenge', () => {
  test('is the one that names the metadata, where there are several', () => {
    expect(
      findBearer(['Bearer realm="a", error="invalid_token"', `Bearer resource_metadata="${URL}"`]),
    ).toEqual({
      bearer: true,
      metadata: URL,
      error: 'invalid_token',
    });
  });

  test('has no parameter of another scheme', () => {
    expect(
      findBearer([`DPoP error="use_dpop_nonce", resource_metadata="https://b.example", Bearer realm="a"`]),
    ).toEqual({ bearer: true });
  });

  test.each([[[]], [['Basic realm="Bearer"']], [['DPoP algs="ES256"']]])('is not there in %j', (fields) => {
    expect(findBearer(fields).bearer).toBe(false);
  });
});
