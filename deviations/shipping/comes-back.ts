/**
 * Revoked tokens and deleted addresses that come back with the next change, as when a store is overwritten
 * with an old copy.
 */
import type {
  AddressBook,
  AddressTemplate,
  IssuedToken,
  ShippingRules,
} from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';

/** Makes revoked tokens of a kind valid again when another token is issued. */
function revokedUntilNextToken(kind: IssuedToken['kind']) {
  return (original: ShippingRules): Partial<ShippingRules> => {
    let ended: IssuedToken[] = [];
    return {
      endToken: (token, env) => {
        original.endToken(token, env);
        if (token.kind === kind) ended.push(token);
      },
      issueAccessToken: (grant, env) => {
        for (const token of ended) token.revoked = false;
        ended = [];
        return original.issueAccessToken(grant, env);
      },
    };
  };
}

/** Restores deleted addresses at the next create, update or delete. */
function deletedUntilNext(counts: 'create' | 'update' | 'delete') {
  return (original: ShippingRules): Partial<ShippingRules> => {
    let gone: [AddressBook, AddressTemplate][] = [];
    const restore = () => {
      for (const [book, template] of gone) book.set(template.id, template);
      gone = [];
    };
    return {
      removeTemplate: (book, template, env) => {
        if (counts === 'delete') restore();
        original.removeTemplate(book, template, env);
        gone.push([book, template]);
      },
      ...(counts === 'create' && {
        addTemplate: (...args: Parameters<ShippingRules['addTemplate']>) => {
          restore();
          original.addTemplate(...args);
        },
      }),
      ...(counts === 'update' && {
        patchAddress: (...args: Parameters<ShippingRules['patchAddress']>) => {
          restore();
          return original.patchAddress(...args);
        },
      }),
    };
  };
}

const BACK = ['ADDR-DELETE-*', 'ADDR-LIST-*', 'ADDR-META-*', 'ADDR-CREATE-COUNTED', 'ADDR-*-OTHERS-*'];

export const comesBackDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'revoked-until-next-token',
    breaks: ['TOKEN-REVOKE-REMEMBERED'],
    entails: ['TOKEN-INTROSPECT-TELLS-REVOKED', 'TOKEN-REVOKE-*', 'ADDR-AUTH-*-REVOKED'],
    sentence: 'takes a revoked access token again once another token was issued',
    rules: revokedUntilNextToken('access_token'),
  },
  {
    id: 'revoked-refresh-until-next-token',
    breaks: ['TOKEN-REVOKE-REFRESH-ENDS'],
    entails: ['TOKEN-INTROSPECT-REFRESH-TELLS-REVOKED', 'TOKEN-REVOKE-*'],
    sentence: 'takes a revoked refresh token again once another token was issued',
    rules: revokedUntilNextToken('refresh_token'),
  },
  {
    id: 'deleted-until-next-create',
    breaks: ['ADDR-DELETE-GONE-READ'],
    entails: BACK,
    sentence: 'has a deleted address again once another one was created',
    rules: deletedUntilNext('create'),
  },
  {
    id: 'deleted-until-next-update',
    breaks: ['ADDR-DELETE-GONE-READ'],
    entails: BACK,
    sentence: 'has a deleted address again once another one was updated',
    rules: deletedUntilNext('update'),
  },
  {
    id: 'deleted-until-next-delete',
    breaks: ['ADDR-DELETE-GONE-READ'],
    entails: BACK,
    sentence: 'has a deleted address again once another one was deleted',
    rules: deletedUntilNext('delete'),
  },
];
