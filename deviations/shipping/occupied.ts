/** Accounts with addresses that were there before the run. */
import type { Address, AddressTemplate, ShippingRules } from '../../reference/shipping/index.ts';
import type { Change, Occupied } from '../types.ts';

const address: Address = {
  name: 'Maria Ortega',
  company: null,
  street1: 'Calle Vieja',
  street_number: '12',
  apartment_number: null,
  postal_code: '44100',
  area_level1: 'Jalisco',
  area_level2: 'Guadalajara',
  area_level3: 'Centro',
  country_code: 'MX',
  phone: '5512345678',
  email: 'maria.ortega@example.com',
  reference: null,
  rfc: null,
  tax_id_number: null,
  tax_id_type: null,
};

/** The first ones are the default, every fifth is verified by a carrier, and labels occur twice. */
const earlier = (n: number): AddressTemplate => ({
  id: `7c9e6679-7425-4d3b-8000-${String(n).padStart(12, '0')}`,
  alias_name: `Earlier ${n >> 1}`,
  address_type: n % 2 === 0 ? 'to' : 'from',
  default: n < 2,
  address,
  verifications:
    n % 5 === 0 ? [{ carrier: 'dhl', dueAt: 0, outcome: 'verified', verificationId: `earlier-${n}` }] : [],
});

/** Gives the first account that is used this number of addresses before its first request. */
export const occupied = (count: number): Required<Pick<Change<ShippingRules>, 'rules'>> => ({
  rules: (original) => ({
    bookOf: (token, env) => {
      const isFirst = env.state.books.size === 0;
      const book = original.bookOf(token, env);
      if (isFirst) for (let n = 0; n < count; n += 1) book.set(earlier(n).id, earlier(n));
      return book;
    },
  }),
});

export const occupiedAccount: Occupied<ShippingRules> = {
  change: occupied(130),
  sentence: 'on an account that had 130 addresses before',
  of: [
    'pages-overlap',
    'pages-all-first',
    'last-page-cut-off',
    'list-shuffled',
    'list-kept-for-each-token',
    'list-ends-at-20',
    'list-data-null-when-empty',
    'total-count-of-page',
    'total-count-so-far',
    'total-pages-uncapped',
    'next-page-uncapped',
    'next-page-missing-before-last',
    'next-page-wraps',
    'prev-page-null-on-last',
    'per-page-default-19',
    'per-page-unbounded',
    'per-page-bounded-on-first-page',
  ],
};
