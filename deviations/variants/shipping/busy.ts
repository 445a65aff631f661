/**
 * Conforming services that refuse more: updates and verifications of addresses under verification, and optional
 * parameters of a refresh.
 */
import {
  AddressRefusal,
  type AddressTemplate,
  type Env,
  OAuthRefusal,
  type ShippingRules,
} from '../../../reference/shipping/index.ts';
import type { Variant } from '../../types.ts';

const isBusy = (template: AddressTemplate, env: Env): boolean =>
  template.verifications.some(({ dueAt }) => env.clock.now() < dueAt);

export const busyVariants: Variant<ShippingRules>[] = [
  {
    id: 'verified-addresses-are-locked-for-updates',
    fills: ['ADDR-UPDATE-INVALID-ANSWER'],
    sentence: 'refuses to update an address while it is being verified',
    rules: (original) => ({
      updateProblems: (body, current, env) =>
        isBusy(current, env)
          ? ['the address is being verified']
          : original.updateProblems(body, current, env),
    }),
  },
  {
    id: 'verify-refused-while-one-goes-on',
    fills: ['ADDR-VERIFY-REPEATED'],
    sentence: 'refuses to verify an address while it is being verified',
    rules: (original) => ({
      startVerification: (template, carriers, env) => {
        if (isBusy(template, env)) throw new AddressRefusal('invalid', 'a verification is under way');
        return original.startVerification(template, carriers, env);
      },
    }),
  },
  {
    id: 'verification-of-slow-carriers',
    fills: ['ADDR-VERIFY-TRANSITIONS'],
    sentence: 'takes ten minutes for a verification and shows no entry until then',
    rules: (original) => ({
      verificationDelayMs: 600_000,
      serialiseTemplate: (template, endpoint, env) =>
        original.serialiseTemplate(
          {
            ...template,
            verifications: template.verifications.filter(({ dueAt }) => env.clock.now() >= dueAt),
          },
          endpoint,
          env,
        ),
    }),
  },
  {
    id: 'refresh-takes-no-scope',
    fills: ['TOKEN-REFRESH-SCOPE'],
    sentence: 'refuses scope in a refresh',
    rules: (original) => ({
      resolveGrant: (parameters, client, env) => {
        if (parameters.grant_type === 'refresh_token' && parameters.scope !== undefined)
          throw new OAuthRefusal('invalidScope', 'a refresh keeps its scope');
        return original.resolveGrant(parameters, client, env);
      },
    }),
  },
  {
    id: 'refresh-takes-no-redirect-uri',
    fills: ['TOKEN-REDIRECT-URI-REFUSAL'],
    sentence: 'refuses redirect_uri in a refresh, stored or not',
    rules: (original) => ({
      resolveGrant: (parameters, client, env) => {
        if (parameters.grant_type === 'refresh_token' && parameters.redirect_uri !== undefined)
          throw new OAuthRefusal('redirectMismatch', 'a refresh has no redirection');
        return original.resolveGrant(parameters, client, env);
      },
    }),
  },
];
