/** 4.4: every field of an update is optional. Each is left out of one that is accepted with all fields. */

import { perRun } from '../../lib/check/per-run.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { isPlaceField } from '../../services/shipping/fixtures/places.ts';
import { FIELD_REQUIREMENTS } from '../../services/shipping/requirement-ids/field-requirements.ts';
import {
  FIELDS,
  FIELDS_BUT_DEFAULT,
  type FieldName,
  templateOf,
  type Values,
} from '../../services/shipping/vocabulary.ts';
import { check, type SuiteContext } from './suite.ts';

// Making an address the default may take the flag from other addresses.
const writeCheck = check.with({ effects: 'write', touches: { default: 'alone' } });

writeCheck('ADDR-UPDATE-OPTIONAL-ADDRESS-ATTRIBUTES', async (context) => {
  const { addresses, expect, block } = context;
  const { id, whole } = await wholeUpdate(context);
  const outer = templateOf({
    alias_name: addresses.label(),
    address_type: whole.address_type,
    default: whole.default,
  });
  const answer = await addresses.update(id, outer, {}, 'update without address_attributes');
  await stillUpdated(context, answer);
  // A server that requires a field of `address_attributes` refuses this update because of that field, which
  // is the subject of another requirement.
  const nested = answer.ok ? [] : FIELDS.filter((field) => field.nested);
  for (const { name } of nested)
    if (!(await without(context, name)).ok)
      block(`an update without ${name} alone is refused as well`, FIELD_REQUIREMENTS[name].updateOptional);
  expect.accepted(answer, 'it is optional');
});

for (const field of FIELDS) {
  writeCheck(FIELD_REQUIREMENTS[field.name].updateOptional, async (context) => {
    const answer = await without(context, field.name);
    await stillUpdated(context, answer);
    context.expect.accepted(answer, `${field.name} is optional, and with it the update was accepted`);
  });
}

writeCheck('ADDR-UPDATE-OPTIONAL-TOGETHER', async ({ addresses, updates, expect, block }) => {
  if (!(await updates.works('alias_name')))
    block('alias_name alone cannot be updated', 'ADDR-UPDATE-SETS-ALIAS-NAME');
  const { id } = await updates.any();
  const changes = { alias_name: addresses.label(), address_attributes: {} };
  const answer = await addresses.update(id, changes, {}, 'update alias_name, with empty address_attributes');
  if (!answer.ok) await addresses.updated(id, { alias_name: addresses.label() });
  expect.accepted(answer, 'alias_name alone is accepted, and each field of address_attributes is optional');
});

/** Returns the answer to an update of everything but one field. */
const without = perRun(
  'shipping: update without',
  async (context: SuiteContext, field: FieldName): Promise<Answer> => {
    const { id, whole } = await wholeUpdate(context);
    // A service may refuse an update that changes nothing.
    const { [field]: _, ...rest } = { ...whole, ...renewed(context, field) };
    return context.addresses.update(id, templateOf(rest), {}, `update everything but ${field}`);
  },
);

/** Throws `Blocked` where an update was refused and that of every field is refused now as well. */
async function stillUpdated(context: SuiteContext, refused: Answer): Promise<void> {
  if (refused.ok) return;
  const { id, whole } = await wholeUpdate(context);
  await context.addresses.updated(id, templateOf({ ...whole, ...renewed(context) }));
}

/** Returns a new label or, where that is left out, a new company. */
function renewed({ addresses }: SuiteContext, field?: FieldName): Values {
  return field === 'alias_name'
    ? { company: `Empresa ${addresses.nth()}` }
    : { alias_name: addresses.label() };
}

/**
 * Makes an update of every field, and returns its values and the address that it changed: the twin of updates
 * that lack one field. Throws `Blocked` where it is not accepted.
 */
const wholeUpdate = perRun(
  'shipping: update of every field',
  async ({ addresses, updates }: SuiteContext): Promise<{ id: string; whole: Values }> => {
    const { id, data } = await updates.start('full');
    const changing: FieldName[] = FIELDS_BUT_DEFAULT.map(({ name }) => name);
    // Without one of its fields, a new place would not belong together with the old one.
    const renewed = changing.filter((name) => !isPlaceField(name));
    const whole: Values = { ...(await updates.values(data, changing, renewed)), default: false };
    await addresses.updated(id, templateOf(whole));
    return { id, whole };
  },
);
