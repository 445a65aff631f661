/** Verification by carriers of the shipping reference. */
import { describe, expect, test } from 'vitest';
import { UUID, withAddresses } from './shipping-client.ts';

describe('verify', () => {
  test('is accepted at once and has its outcome two seconds later', async () => {
    const { client, book, saved } = await withAddresses(1);
    const path = `/${saved[0].id}`;
    const accepted = await book('POST', `${path}/verify_by_carriers`, { carriers: ['dhl', 'fedex'] });
    expect(accepted.status).toBe(202);
    const pending = { status: 'pending', verification_id: null };
    const verified_carriers = [
      { carrier_name: 'dhl', ...pending },
      { carrier_name: 'fedex', ...pending },
    ];
    expect(accepted.body.data).toEqual({ ...saved[0], verified_carriers });
    client.clock.advance(1499);
    expect((await book('GET', path)).body.data.verified_carriers).toEqual(verified_carriers);
    client.clock.advance(1);
    const done = { status: 'verified', verification_id: expect.stringMatching(UUID) };
    expect((await book('GET', path)).body.data.verified_carriers).toEqual([
      { carrier_name: 'dhl', ...done },
      { carrier_name: 'fedex', ...done },
    ]);
  });

  test('an undeliverable address is rejected; a second round keeps the other carrier', async () => {
    const { client, book, saved } = await withAddresses(1);
    const path = `/${saved[0].id}`;
    await book('POST', `${path}/verify_by_carriers`, { carriers: ['dhl'] });
    await book('PATCH', path, { address_template: { address_attributes: { postal_code: 'x' } } });
    await book('POST', `${path}/verify_by_carriers`, { carriers: ['fedex', 'fedex'] });
    client.clock.advance(2000);
    expect((await book('GET', path)).body.data.verified_carriers).toMatchObject([
      { carrier_name: 'dhl', status: 'verified' },
      { carrier_name: 'fedex', status: 'rejected' },
    ]);
  });

  test.each([[{}], [{ carriers: [] }], [{ carriers: 'dhl' }], [{ carriers: ['nobody'] }]])(
    '%j starts nothing',
    async (body) => {
      const { book, saved } = await withAddresses(1);
      const path = `/${saved[0].id}`;
      expect((await book('POST', `${path}/verify_by_carriers`, body)).status).toBe(422);
      expect((await book('GET', path)).body.data.verified_carriers).toEqual([]);
    },
  );
});
