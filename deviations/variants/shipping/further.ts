/** Conforming services that validate, delay or add what the specification does not speak of. */
import { createHmac } from 'node:crypto';
import type { Address, ShippingRules } from '../../../reference/shipping/index.ts';
import { fieldsOf } from '../../shipping/fields.ts';
import type { Variant } from '../../types.ts';
import { segment } from './token-kit.ts';

const MINUTE = 60_000;

/** The places that this service knows: the settlements of each city, by their postal codes. */
const PLACES: Record<string, Record<string, string>> = {
  'Jalisco, Guadalajara': {
    '44100': 'Guadalajara Centro',
    '44160': 'Americana',
    '44190': 'Moderna',
    '44500': 'Chapalita',
    '44520': 'Jardines del Bosque',
  },
  'Jalisco, Zapopan': { '45010': 'Ciudad Granja', '45100': 'Zapopan Centro' },
  'Puebla, Puebla': { '72000': 'Centro', '72160': 'La Paz' },
  'Durango, Durango': { '34000': 'Victoria de Durango Centro' },
  'Sonora, Hermosillo': { '83000': 'Hermosillo Centro' },
  'Ciudad de México, Cuauhtémoc': { '06700': 'Roma Norte' },
};

/** Returns what does not belong together in the place of a Mexican address. */
function placeProblems(address: Partial<Record<keyof Address, unknown>>, withSettlement: boolean): string[] {
  const { country_code, postal_code, area_level1, area_level2, area_level3 } = address;
  if (country_code !== 'MX') return [];
  const settlement = PLACES[`${area_level1}, ${area_level2}`]?.[String(postal_code)];
  const isPlace =
    settlement !== undefined &&
    (!withSettlement || typeof area_level3 !== 'string' || ['', settlement].includes(area_level3));
  return isPlace ? [] : ['postal_code, area_level1 and area_level2 do not belong together'];
}

/** Verifies places in creates and updates. */
const placing =
  (withSettlement: boolean) =>
  (original: ShippingRules): Partial<ShippingRules> => ({
    createProblems: (body, env) => {
      const problems = original.createProblems(body, env);
      const { address_attributes: sent } = fieldsOf(body.address_template);
      return problems.length > 0 ? problems : placeProblems(fieldsOf(sent), withSettlement);
    },
    updateProblems: (body, current, env) => {
      const problems = original.updateProblems(body, current, env);
      if (problems.length > 0) return problems;
      const { address } = env.rules.patchTemplate(current, body, env);
      return placeProblems(address, withSettlement);
    },
  });

export const furtherVariants: Variant<ShippingRules>[] = [
  {
    id: 'places-belong-together',
    fills: ['ADDR-CREATE-VALUE-RULES'],
    sentence: 'refuses a postal code that does not belong to the state and the city',
    rules: placing(false),
  },
  {
    id: 'settlements-belong-together',
    fills: ['ADDR-CREATE-VALUE-RULES'],
    sentence: 'refuses a postal code that does not belong to the state, the city and the settlement',
    rules: placing(true),
  },
  {
    id: 'phones-with-country-code',
    fills: ['ADDR-CREATE-VALUE-RULES'],
    sentence: 'stores ten digits of a telephone number with the country code',
    rules: (original) => ({
      serialiseAddress: (address, env) => {
        const { phone } = address;
        const isNational = phone !== null && /^\d{10}$/.test(phone);
        return original.serialiseAddress({ ...address, phone: isNational ? `+52${phone}` : phone }, env);
      },
    }),
  },
  {
    id: 'carriers-in-detail-when-read',
    fills: ['ADDR-RESPONSE-EXTRA-FIELDS'],
    sentence: 'shows in a read when each carrier was last asked',
    rules: (original) => {
      let isRead = false;
      return {
        serialiseTemplate: (template, endpoint, env) => {
          isRead = endpoint === 'read';
          return original.serialiseTemplate(template, endpoint, env);
        },
        serialiseCarrier: (verification, env) => ({
          ...original.serialiseCarrier(verification, env),
          ...(isRead && { asked_at: new Date(verification.dueAt).toISOString() }),
        }),
      };
    },
  },
  {
    id: 'equal-addresses-share-outcomes',
    fills: [],
    sentence: 'stores outcomes by the content of the address, so that equal addresses share them',
    rules: (original) => ({
      replaceTemplate: (book, template, env) => {
        original.replaceTemplate(book, template, env);
        if (template.verifications.length === 0) return;
        const content = JSON.stringify(template.address);
        for (const other of book.values()) {
          if (other.id !== template.id && JSON.stringify(other.address) === content)
            book.set(other.id, { ...other, verifications: template.verifications });
        }
      },
    }),
  },
  {
    id: 'five-minutes-leeway',
    fills: [],
    sentence: 'allows five minutes for clocks that differ when it looks at the expiry of a token',
    rules: () => ({
      tokenHasExpired: (token, now) => token.expiresAt !== undefined && now >= token.expiresAt + 5 * MINUTE,
    }),
  },
  {
    id: 'workers-with-different-clocks',
    fills: [],
    sentence: 'has workers whose clocks differ by three seconds',
    rules: (original) => {
      let requests = 0;
      return {
        createdAt: (access) => original.createdAt(access) - (requests++ % 2 === 0 ? 0 : 3),
      };
    },
  },
  {
    id: 'tokens-signed-with-the-secret',
    fills: [],
    sentence: "issues JSON Web Tokens that are signed with the client's secret",
    rules: (original) => ({
      newToken: (kind, grant, env) => {
        const token = original.newToken(kind, grant, env);
        const claims = { sub: grant.client.id, jti: token.value, kind };
        const text = `${segment({ alg: 'HS256', typ: 'JWT' })}.${segment(claims)}`;
        const signature = createHmac('sha256', grant.client.secret).update(text).digest('base64url');
        return { ...token, value: `${text}.${signature}` };
      },
    }),
    conflicts: ['tokens-uuid'],
  },
];
