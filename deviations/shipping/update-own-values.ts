/** Updates that send what the address has already, and tax ids that no update sends (1 and 4.4). */
import type { AddressTemplate, Fields, ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { fieldsOf } from './fields.ts';
import { withAddress } from './templates.ts';
import { updating } from './update-kit.ts';

/** Refuses updates with a value that the address itself has, as if it were another one's. */
const takingOwn = (
  id: string,
  words: string,
  isOwn: (sent: Fields, current: AddressTemplate) => boolean,
): Deviation<ShippingRules> => ({
  id: `update-own-${id}-taken`,
  breaks: ['ADDR-UPDATE-SAME-VALUES'],
  entails: ['ADDR-UPDATE-*'],
  sentence: `refuses an update that sends the ${words} of the address itself, which counts as taken`,
  rules: (original) => ({
    updateProblems: (body, current, env) =>
      isOwn(fieldsOf(body.address_template), current)
        ? ['it is taken']
        : original.updateProblems(body, current, env),
  }),
});

const KEPT = 'ADDR-UPDATE-OMITTED-KEPT-TAX-ID';

export const ownValueDeviations: Deviation<ShippingRules>[] = [
  takingOwn('label', 'label', (sent, current) => sent.alias_name === current.alias_name),
  takingOwn('flag', 'flag', (sent, current) => sent.default === true && current.default === true),
  takingOwn(
    'email',
    'e-mail address',
    (sent, { address }) => fieldsOf(sent.address_attributes).email === address.email,
  ),
  {
    id: 'update-toggles-default',
    breaks: ['ADDR-UPDATE-SAME-VALUES'],
    entails: ['ADDR-UPDATE-*'],
    sentence: 'turns default into its opposite when an update sends true',
    rules: updating((next, current, sent) =>
      sent.default === true ? { ...next, default: !current.default } : next,
    ),
  },
  {
    id: 'update-fills-tax-id',
    breaks: [KEPT],
    sentence: 'saves rfc as tax_id_number with every update, which a create does not',
    rules: updating((next) => withAddress(next, { tax_id_number: next.address.rfc })),
  },
  {
    id: 'update-clears-saved-tax-id',
    breaks: [KEPT],
    sentence: 'saves the tax_id_number that a create sends, and clears it with every update',
    rules: (original) => ({
      buildAddress: (attributes, env) => {
        const tax_id_number = (attributes.tax_id_number as string | undefined) ?? null;
        return { ...original.buildAddress(attributes, env), tax_id_number };
      },
      patchTemplate: (current, body, env) =>
        withAddress(original.patchTemplate(current, body, env), { tax_id_number: null }),
    }),
  },
  {
    id: 'update-clears-derived-tax-id',
    breaks: [KEPT],
    sentence: 'takes tax_id_number from rfc in a create, and clears it with every update',
    rules: (original) => ({
      buildAddress: (attributes, env) => {
        const address = original.buildAddress(attributes, env);
        return { ...address, tax_id_number: address.rfc };
      },
      patchTemplate: (current, body, env) =>
        withAddress(original.patchTemplate(current, body, env), { tax_id_number: null }),
    }),
  },
];
