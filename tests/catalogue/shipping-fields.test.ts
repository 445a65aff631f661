import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadCatalogues } from '../../lib/model/catalogue/load.ts';
import { shippingResponseSchemas } from '../../schemas/shipping/index.ts';

// The tables of section 2 become schemas on one side and entries on the other: neither may have more than
// the other, or a schema failure has no requirement to blame, or a requirement is never looked at.
const fields = loadCatalogues(fileURLToPath(new URL('../..', import.meta.url)))
  .filter((c) => c.spec === '1-shipping-address-book-and-token')
  .flatMap((c) => c.requirements.flatMap((r) => r.field ?? []));

// `data` of one address is answered by four endpoints, each with an entry of its own.
const PER_ENDPOINT = ['AddressEnvelope/data'];

test('every response property has an entry, every entry about a property has its schema', () => {
  const properties = shippingResponseSchemas.flatMap((schema) =>
    Object.keys(schema.properties).map((property) => `${schema.$id}/${property}`),
  );
  expect(fields.toSorted()).toEqual(properties.filter((p) => !PER_ENDPOINT.includes(p)).toSorted());
});

test.each(shippingResponseSchemas.map((s) => [s.$id, s] as const))(
  '%s requires every property that the tables list',
  (_, schema) => {
    expect([...schema.required]).toEqual(Object.keys(schema.properties));
  },
);
