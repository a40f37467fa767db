// The metrics of a large cloud are made in parts, out of what was there when they were asked for, and kept while it stays.
import { expect, test } from 'vitest';
import { HolderLines, InventoryLines, metricOfHolders, statesOf } from '../../src/metrics/openstack.ts';
import { quoted } from '../../src/metrics/text.ts';
import { forestOf as liveForestOf } from '../../src/operations/forest/forest.ts';
import { workInTurn } from '../../src/operations/request/event-loop-share.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { freshDice } from '../support/dice.ts';
import { sampled } from '../support/profile.ts';
import { writeAtRandom } from '../support/random-writes.ts';
import { forestOf } from '../support/tree.ts';

const hosts = 1050;
const statesOfHosts = (used = 2) => {
  const lines = Array.from({ length: hosts }, (_, index) => `host${index} VCPU 8 used ${index === 500 ? used : 2}, MEMORY_MB 1024`);
  return statesOf(forestOf(lines.join('\n')));
};

/** The text, and how often its making paused. */
function runOf(work: Generator<void, readonly Buffer[]>): { readonly pieces: readonly Buffer[]; readonly pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const { done, value } = work.next();
    if (done) return { pieces: value, pauses };
  }
}

test('hosts are written in parts, and each value is in the text once', () => {
  const { pieces, pauses } = runOf(new InventoryLines().render(statesOfHosts()));
  const lines = Buffer.concat(pieces).toString().split('\n');
  const ofMetric = lines.filter((line) => line.startsWith('openstack_placement_resource_usage{'));
  expect(ofMetric).toHaveLength(2 * hosts);
  expect(new Set(ofMetric).size).toBe(2 * hosts);
  // All lines of a metric are together, as the format demands.
  const places = lines.flatMap((line, place) => (line.startsWith('openstack_placement_resource_usage{') ? [place] : []));
  expect((places.at(-1) ?? 0) - (places[0] ?? 0)).toBe(2 * hosts - 1);
  expect(pauses).toBeGreaterThanOrEqual(hosts / 100);
});

test('unchanged values are not written again', () => {
  const lines = new InventoryLines();
  const states = statesOfHosts();
  const first = runOf(lines.render(states));
  const same = runOf(lines.render(states));
  expect(same.pauses).toBe(0);
  expect(Buffer.concat(same.pieces).equals(Buffer.concat(first.pieces))).toBe(true);
  const changed = states.with(500, statesOfHosts(3)[500] as (typeof states)[number]);
  const third = runOf(lines.render(changed));
  expect(third.pauses).toBe(1);
  expect(Buffer.concat(third.pieces).toString()).toBe(Buffer.concat(runOf(new InventoryLines().render(changed)).pieces).toString());
});

/** The lines as the tables say, in any order. */
async function straightforward({ db }: TestDatabase): Promise<string[]> {
  const line = (metric: string, labels: object, value: number) =>
    `openstack_placement_${metric}{${Object.entries(labels).map(([label, text]) => `${label}="${quoted(text)}"`)}} ${value}`;
  const inventories = await db.sql<
    { hostname: string; resourcetype: string; total: number; reserved: number; ratio: number; generation: number; used: number }[]
  >`
    select p.name as hostname, rc.name as resourcetype, i.total, i.reserved, i.allocation_ratio as ratio, p.generation::int, i.used::int
    from inventories i join resource_providers p on p.id = i.resource_provider_id join resource_classes rc on rc.id = i.resource_class_id`;
  const held = await db.sql<{ hostname: string; uuid: string; resourcetype: string; amount: number }[]>`
    select p.name as hostname, c.uuid, rc.name as resourcetype, a.used as amount from allocations a join consumers c on c.id = a.consumer_id
    join resource_providers p on p.id = a.resource_provider_id join resource_classes rc on rc.id = a.resource_class_id`;
  return [
    'openstack_placement_up 1',
    ...inventories.flatMap(({ hostname, resourcetype, total, reserved, ratio, generation, used }) => [
      line('resource_total', { hostname, resourcetype }, total),
      line('resource_reserved', { hostname, resourcetype }, reserved),
      line('resource_allocation_ratio', { hostname, resourcetype }, Math.fround(ratio)),
      line('resource_generation', { hostname, resourcetype }, generation),
      line('resource_usage', { hostname, resourcetype }, used),
    ]),
    ...held.map(({ hostname, uuid, resourcetype, amount }) => line(metricOfHolders, { hostname, uuid, resourcetype }, amount)),
  ].sort();
}

test.each([1, 2, 3])(
  'what was kept over any writes is what the tables say, and what is made anew (history %i)',
  async (number) => {
    const database = await createTestDatabase();
    const { db } = database;
    try {
      const roll = freshDice(`history ${number}`);
      const [inventories, holders] = [new InventoryLines(), new HolderLines()];
      for (let round = 0; round < sampled(12); round++) {
        for (let n = 0; n < 12; n++) await writeAtRandom(db, roll);
        const states = statesOf(await liveForestOf(db).current());
        const textOf = async (someInventories: InventoryLines, someHolders: HolderLines) =>
          Buffer.concat([...(await workInTurn(someInventories.render(states))), ...(await someHolders.render(db, states))]).toString();
        const kept = await textOf(inventories, holders);
        expect(kept).toBe(await textOf(new InventoryLines(), new HolderLines()));
        expect(
          kept
            .split('\n')
            .filter((line) => line !== '' && !line.startsWith('#'))
            .sort(),
        ).toEqual(await straightforward(database));
      }
    } finally {
      await database.drop();
    }
  },
  60_000,
);
