// Examination. What was written through a gateway in front of another Placement is on both sides in the end: of many clients at once, while the sides take turns
// in leading, and if notes go astray.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { switchBridge } from '../../src/bridge/switching.ts';
import { countDifferences, countNotes, noteDue } from '../../src/db/bridge.ts';
import { claimOf, contentsOf, rest, useBridgedGateways } from '../support/bridged-gateways.ts';
import { freshDice } from '../support/dice.ts';
import type { Gateway } from '../support/gateway.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const bridged = useBridgedGateways();

test('writes of many clients to the same consumers and providers at once leave both sides equal, with all generations', async () => {
  const roll = freshDice('writes at once');
  const hosts = ['h0', 'h1', 'h2'];
  const seed = createSeed(bridged.there.db);
  for (const host of hosts) await seed.provider(host, { inventories: { VCPU: 10_000 } });
  await bridged.standInFront();
  await bridged.until('both are equal', bridged.isQuiet);
  const anyOf = <One>(list: readonly One[]) => list[roll(list.length)] as One;
  const statuses = new Set<number>();
  const client = async () => {
    for (let count = 0; count < 40; count++) {
      // A consumer stays on its host: of a host that it leaves, this engine raises the generation and the other one would not.
      const [gateway, consumer] = [anyOf(bridged.gateways), roll(6)];
      const [host, path] = [`h${consumer % 3}`, `/allocations/${uuidOf(`c${consumer}`)}`];
      const provider = `/resource_providers/${uuidOf(host)}`;
      const write = async () => {
        const kind = roll(8);
        if (kind === 0) return rest(gateway, 'DELETE', path);
        if (kind === 1) {
          const { body } = await rest(gateway, 'GET', provider);
          return rest(gateway, 'PUT', `${provider}/traits`, { resource_provider_generation: body.generation, traits: [] });
        }
        const { body } = await rest(gateway, 'GET', path);
        const claim = { ...claimOf(host, 1 + roll(3)), consumer_generation: body.consumer_generation ?? null };
        return kind === 2 ? rest(gateway, 'POST', '/allocations', { [uuidOf(`c${consumer}`)]: claim }) : rest(gateway, 'PUT', path, claim);
      };
      statuses.add((await write()).status);
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  // What a comparison would mend must not differ.
  await bridged.until('everything is taken over', async () => (await countNotes(bridged.here.db)).count === 0);
  expect(await contentsOf(bridged.here)).toEqual(await contentsOf(bridged.there));
  expect([...statuses].filter((status) => ![200, 204, 404, 409].includes(status))).toEqual([]);
});

test('notes of a gateway that lives are read back although it does not know them, because the database went away', async () => {
  await bridged.standInFront();
  await bridged.until('both are equal', bridged.isQuiet);
  await bridged.here.own.unsafe(`
    insert into bridge_notes (noun, key, gateway, noted_at)
    select 'consumer', '${uuidOf('c1')}', gateway, now() - interval '6 seconds' from bridge_gateways`);
  await bridged.until('everything is read back', bridged.isQuiet);
});

test('a write whose notes others have taken over, because its gateway stood still, is read back when it has its answer', async () => {
  await createSeed(bridged.there.db).provider('host', { inventories: { VCPU: 8 } });
  await bridged.standInFront();
  const [first] = bridged.gateways as [Gateway];
  await bridged.until('both are equal', bridged.isQuiet);
  await bridged.there.own.begin(async (held) => {
    await held`lock table allocations in share mode`;
    const writing = rest(first, 'PUT', `/allocations/${uuidOf('c1')}`, claimOf('host'));
    await bridged.until('it is noted', async () => (await countNotes(bridged.here.db)).count > 0);
    await bridged.here.own`delete from bridge_notes`;
    await held`rollback and chain`;
    expect((await writing).status).toBe(204);
  });
  await bridged.until('it is read back', async () => Object.keys((await contentsOf(bridged.here)).consumers).length === 1);
  // The comparison would have told.
  expect(bridged.warnings).toEqual([]);
  expect(await contentsOf(bridged.here)).toEqual(await contentsOf(bridged.there));
});

test('going back at once compares nothing first, and leaves behind what the other side refuses', async () => {
  await createSeed(bridged.there.db).provider('host', { inventories: { VCPU: 8 } });
  await bridged.standInFront();
  const [first] = bridged.gateways as [Gateway];
  await switchBridge(bridged.here.db, 'lead');
  expect((await rest(first, 'PUT', `/allocations/${uuidOf('c1')}`, claimOf('host'))).status).toBe(204);
  await bridged.here.own`update inventories set max_unit = 0`;
  await noteDue(bridged.here.db, [{ noun: 'provider', key: uuidOf('host') }]);
  await bridged.until('the other side has refused', async () => (await countDifferences(bridged.here.db)) === 1);
  await expect(switchBridge(bridged.here.db, 'follow', { patience: 1 })).rejects.toThrow('1 object differs');
  expect(await switchBridge(bridged.here.db, 'follow', { isForced: true })).toBeGreaterThan(0);
  await bridged.until('both are equal', bridged.isQuiet);
  expect(await contentsOf(bridged.here)).toEqual(await contentsOf(bridged.there));
  expect(Object.keys((await contentsOf(bridged.here)).consumers)).toEqual([uuidOf('c1')]);
  expect(await countDifferences(bridged.here.db)).toBe(0);
});

test('many consumers of a provider that is not here yet wait for it, and not for each other', async () => {
  await bridged.standInFront();
  await bridged.until('both are equal', bridged.isQuiet);
  const seed = createSeed(bridged.there.db);
  await seed.provider('late', { inventories: { VCPU: 200 } });
  const consumers = Array.from({ length: 150 }, (_, place) => `c${place}`);
  for (const consumer of consumers) await seed.claim(consumer, { late: { VCPU: 1 } });
  await noteDue(
    bridged.here.db,
    consumers.map((consumer) => ({ noun: 'consumer', key: uuidOf(consumer) })),
  );
  await bridged.until('everything is read back', bridged.isQuiet);
  expect(await contentsOf(bridged.here)).toEqual(await contentsOf(bridged.there));
  expect(await countDifferences(bridged.here.db)).toBe(0);
});

test('follow, lead, follow, lead: no request fails, and both sides are equal after each step', async () => {
  const seed = createSeed(bridged.there.db);
  for (const host of ['h0', 'h1', 'h2']) await seed.provider(host, { inventories: { VCPU: 10_000 } });
  await bridged.standInFront();
  await bridged.until('both are equal', bridged.isQuiet);
  const faults: string[] = [];
  let isOver = false;
  let count = 0;
  const held = new Set<string>();
  const client = async (gateway: Gateway) => {
    while (!isOver) {
      const number = count++;
      const uuid = uuidOf(`c${number}`);
      const send = async (method: string, body?: object) => {
        const { status } = await rest(gateway, method, `/allocations/${uuid}`, body);
        if (status !== 204) faults.push(`${method}: ${status}`);
      };
      await send('PUT', claimOf(`h${number % 3}`));
      // What was acknowledged is seen at once.
      const read = await rest(gateway, 'GET', `/allocations/${uuid}`);
      if (Object.keys(read.body.allocations).length !== 1) faults.push(`${uuid} is not seen`);
      // Few stay: each switch begins with a comparison of all.
      if (number % 5 === 0) held.add(uuid);
      else await send('DELETE');
      // On a busy machine the bridge would not keep up with clients that never pause, and a switch waits until it does.
      await sleep(10);
    }
  };
  const clients = bridged.gateways.flatMap((gateway) => [client(gateway), client(gateway)]);
  try {
    for (const side of ['lead', 'follow', 'lead', 'follow'] as const) {
      const before = count;
      await expect.poll(() => count).toBeGreaterThan(before + 20);
      await switchBridge(bridged.here.db, side);
    }
  } finally {
    isOver = true;
    await Promise.all(clients);
  }
  await bridged.until('everything is read back', bridged.isQuiet);
  expect(faults).toEqual([]);
  expect(await contentsOf(bridged.here, { generations: false })).toEqual(await contentsOf(bridged.there, { generations: false }));
  expect(new Set(Object.keys((await contentsOf(bridged.here)).consumers))).toEqual(held);
  expect(await countDifferences(bridged.here.db)).toBe(0);
});
