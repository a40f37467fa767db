// A ledger with reservations that follows another Placement, which knows none and decides without them.
import { expect, test } from 'vitest';
import { switchBridge } from '../../src/bridge/switching.ts';
import { findWrongPromises, findWrongReservations, findWrongUse } from '../../src/db/audit.ts';
import { countDifferences } from '../../src/db/bridge.ts';
import { selectReservationsByUuids, selectReservedAmounts } from '../../src/db/reservations.ts';
import { claimOf, contentsOf, rest, useBridgedGateways } from '../support/bridged-gateways.ts';
import type { Gateway } from '../support/gateway.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const bridged = useBridgedGateways();

/** What each reservation still keeps, by provider. */
async function keptHere(names: readonly string[]) {
  const { db } = bridged.here;
  const reservations = await selectReservationsByUuids(db, names.map(uuidOf), null);
  const amounts = await selectReservedAmounts(
    db,
    reservations.map(({ id }) => id),
  );
  return names.map((name) => {
    const known = reservations.find(({ uuid }) => uuid === uuidOf(name));
    return (
      known &&
      Object.fromEntries(
        amounts.filter(({ reservationId }) => reservationId === known.id).map(({ provider, amount }) => [provider, amount]),
      )
    );
  });
}

test('what the other side does with room that is promised, and with hosts of reservations, is followed', async () => {
  const there = createSeed(bridged.there.db);
  for (const host of ['filled', 'shrunk', 'emptied', 'gone']) await there.provider(host, { inventories: { VCPU: 8, MEMORY_MB: 8 } });
  await bridged.standInFront();
  const [first] = bridged.gateways as [Gateway];
  await bridged.until('both are equal', bridged.isQuiet);
  await switchBridge(bridged.here.db, 'lead');
  const here = createSeed(bridged.here.db);
  await here.reservation('r', { filled: { VCPU: 6 }, shrunk: { VCPU: 6 }, emptied: { VCPU: 6 } });
  await here.reservation('r of gone', { gone: { VCPU: 6 } });
  await here.claim('c1', { filled: { VCPU: 2 } }, { reservation: 'r' });
  await bridged.until('it was carried over', async () => (await contentsOf(bridged.there)).consumers[uuidOf('c1')] !== undefined);
  await switchBridge(bridged.here.db, 'follow');
  const inventories = (resources: object, resource_provider_generation: number) => ({
    resource_provider_generation,
    inventories: resources,
  });
  const steps = [
    ['PUT', `/allocations/${uuidOf('c2')}`, claimOf('filled', 6)],
    ['PUT', `/resource_providers/${uuidOf('shrunk')}/inventories`, inventories({ VCPU: { total: 2 } }, 1)],
    ['PUT', `/resource_providers/${uuidOf('emptied')}/inventories`, inventories({ MEMORY_MB: { total: 2 } }, 1)],
    ['DELETE', `/resource_providers/${uuidOf('gone')}`],
    ['DELETE', `/allocations/${uuidOf('c1')}`],
  ] as const;
  for (const [method, path, body] of steps) expect((await rest(first, method, path, body)).status).toBeLessThan(300);
  await bridged.until('everything is read back', bridged.isQuiet);
  expect(await contentsOf(bridged.here)).toEqual(await contentsOf(bridged.there));
  expect(await countDifferences(bridged.here.db)).toBe(0);
  expect(await keptHere(['r', 'r of gone'])).toEqual([{ [uuidOf('filled')]: 6, [uuidOf('shrunk')]: 6 }, {}]);

  await switchBridge(bridged.here.db, 'lead');
  for (const audit of [findWrongPromises, findWrongUse]) expect(await audit(bridged.here.db)).toMatchObject({ examples: [] });
  expect((await rest(first, 'PUT', `/allocations/${uuidOf('c3')}`, claimOf('filled'))).status).toBe(409);
  expect((await rest(first, 'PUT', `/allocations/${uuidOf('c3')}`, claimOf('shrunk'))).status).toBe(409);
});

test('a consumer that the other side does not write keeps its expiry and its reservation, and one that is given to another project has none any more', async () => {
  await createSeed(bridged.there.db).provider('host', { inventories: { VCPU: 8 } });
  await bridged.standInFront();
  const [first] = bridged.gateways as [Gateway];
  await bridged.until('both are equal', bridged.isQuiet);
  await switchBridge(bridged.here.db, 'lead');
  const here = createSeed(bridged.here.db);
  await here.reservation('r', { host: { VCPU: 6 } });
  for (const name of ['kept', 'given away']) await here.claim(name, { host: { VCPU: 2 } }, { reservation: 'r' });
  await here.claim('extended', { host: { VCPU: 1 } });
  // The generations differ from now on: the other side knows nothing of an expiry.
  const consumers = ['kept', 'given away', 'extended'].map((name) => ({ uuid: uuidOf(name), expect: {}, allocations: [], expiresIn: 600 }));
  await here.write('set_expiry', { consumers });
  await bridged.until('all is carried over', async () => Object.keys((await contentsOf(bridged.there)).consumers).length === 3);
  const standing = async (name: string) => {
    const [row] = await bridged.here.own<{ standing: string }[]>`
      select concat_ws(' ', case when c.expires_at < now() + interval '1 hour' then 'expires' when c.expires_at is null then 'lasts' else 'expires later' end,
        case when c.reservation_id is not null then 'in its reservation' end) as standing
      from consumers c where c.uuid = ${uuidOf(name)}`;
    return row?.standing;
  };
  await switchBridge(bridged.here.db, 'follow');
  expect(await Promise.all(['kept', 'extended'].map(standing))).toEqual(['expires in its reservation', 'expires']);
  const body = { ...claimOf('host', 2), consumer_generation: 1, project_id: 'p2' };
  expect((await rest(first, 'PUT', `/allocations/${uuidOf('given away')}`, body)).status).toBe(204);
  await bridged.until('everything is read back', bridged.isQuiet);
  expect(await standing('given away')).toBe('lasts');
  await switchBridge(bridged.here.db, 'lead');
  for (const audit of [findWrongPromises, findWrongReservations]) expect(await audit(bridged.here.db)).toMatchObject({ examples: [] });
  expect((await rest(first, 'PUT', `/allocations/${uuidOf('given away')}`, { ...body, consumer_generation: 2 })).status).not.toBe(400);
});
