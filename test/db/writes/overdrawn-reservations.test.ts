// Reservations of which an import uses more than they keep.
import { afterEach, beforeAll, expect, test } from 'vitest';
import { findWrongPromises } from '../../../src/db/audit.ts';
import { useDatabase } from '../../support/database.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
let seed: ReturnType<typeof createSeed>;
beforeAll(() => {
  seed = createSeed(database.db);
});
afterEach(async () => expect((await findWrongPromises(database.db)).examples).toEqual([]));

const server = { expect: {}, project: 'p1', user: 'u1', type: 'INSTANCE' };
const amountsOf = (host: string, amount: number) => [{ provider: uuidOf(host), resourceClass: 'VCPU', amount }];

/** A host with a reservation of its own name, from which the server `large` of that name has claimed 8 by an import. */
async function overdraw(host: string, { total, kept }: { readonly total: number; readonly kept: number }): Promise<void> {
  await seed.provider(host, { inventories: { VCPU: total } });
  await seed.reservation(host, { [host]: { VCPU: kept } });
  const large = { ...server, uuid: uuidOf(`large ${host}`), generation: 1, allocations: amountsOf(host, 8), reservation: uuidOf(host) };
  await seed.write('import_consumers', { consumers: [large] });
}

const reserve = (reservation: object) => seed.write('replace_reservation', { reservation, expect: {}, most: 1000 });
const after = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

test('a claim leaves room for the other reservations of the host', async () => {
  await overdraw('shared', { total: 20, kept: 5 });
  await seed.reservation('other', { shared: { VCPU: 5 } });
  const promised = async () => {
    const rows = await database.own`
      select promised::int from inventories i join resource_providers p on p.id = i.resource_provider_id where p.name = 'shared'`;
    return rows.map((row) => row.promised);
  };
  expect(await promised()).toEqual([5]);
  await expect(seed.claim('too large', { shared: { VCPU: 8 } })).rejects.toThrow('CAPACITY_EXCEEDED');
  await seed.claim('beside', { shared: { VCPU: 7 } });
  await seed.claim('own', { shared: { VCPU: 5 } }, { reservation: 'other' });
  expect(await promised()).toEqual([0]);
});

test('a write that releases what is beyond the reservation may use that room', async () => {
  await overdraw('exchanged', { total: 10, kept: 3 });
  const exchange = (amount: number) =>
    seed.write('replace_allocations', {
      consumers: [
        { ...server, uuid: uuidOf('large exchanged'), allocations: [], keepType: false },
        { ...server, uuid: uuidOf('its successor'), allocations: amountsOf('exchanged', amount), keepType: false },
      ],
    });
  await expect(exchange(8)).rejects.toThrow('CAPACITY_EXCEEDED');
  await exchange(7);
});

test('a write that releases what is beyond the reservation may not use that room once the reservation has ended', async () => {
  await overdraw('full', { total: 10, kept: 3 });
  const imported = [
    { ...server, uuid: uuidOf('large full'), generation: 2, allocations: amountsOf('full', 8), expiresAt: after(10) },
    { ...server, uuid: uuidOf('beyond capacity'), generation: 1, allocations: amountsOf('full', 12) },
  ];
  await seed.write('import_consumers', { consumers: imported });
  const consumers = [
    { ...server, uuid: uuidOf('large full'), allocations: [], keepType: false },
    { ...server, uuid: uuidOf('lasting'), allocations: amountsOf('full', 5), keepType: false },
  ];
  await expect(seed.write('replace_allocations', { consumers })).rejects.toThrow('CAPACITY_EXCEEDED');
});

test('the reservation can end earlier, and counts as what is claimed until then, but may not keep less', async () => {
  await overdraw('shortened', { total: 10, kept: 3 });
  const change = (changes: object) => reserve({ uuid: uuidOf('shortened'), ...changes });
  await expect(change({ amounts: amountsOf('shortened', 2) })).rejects.toThrow('CAPACITY_EXCEEDED');
  await change({ endsAt: after(30) });
  await change({ amounts: amountsOf('shortened', 4) });
  const beside = (amount: number, start: number) =>
    reserve({
      ...{ uuid: uuidOf('beside'), project: 'p1', startsAt: after(start), endsAt: after(start + 10) },
      amounts: amountsOf('shortened', amount),
    });
  await expect(beside(3, 10)).rejects.toThrow('CAPACITY_EXCEEDED');
  await beside(2, 10);
  await beside(10, 40);
});
