// The past of a cloud whose events have times in another order than their ids: writers take their times before they commit, and clocks are corrected.
import { expect, test } from 'vitest';
import { selectUsageSince } from '../../../src/db/history.ts';
import { usageAt } from '../../../src/domain/history.ts';
import { useDatabase } from '../../support/database.ts';
import { freshDice } from '../../support/dice.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();

/** The events of the claims of some consumers, in their order. */
async function eventsOf(names: readonly string[]): Promise<number[]> {
  const rows = await database.own<{ id: number }[]>`
    select id::float8 as id from events where consumer_uuids && ${names.map(uuidOf)}::uuid[] order by id`;
  return rows.map(({ id }) => id);
}

test('events of a cloud whose times are not in their order count from the latest time up to them', async () => {
  const roll = freshDice('times out of order');
  const seed = createSeed(database.db);
  await seed.provider('cn1', { inventories: { VCPU: 100 } });
  const claims = Array.from({ length: 40 }, (_, index) => `vm${index}`);
  for (const name of claims) await seed.claim(name, { cn1: { VCPU: 1 } });
  const second = (count: number) => new Date(Date.UTC(2026, 0, 1) + 1000 * count).toISOString();
  const seconds = claims.map((_, index) => index + roll(6));
  await database.own`
    update events e set at = told.at from (
      select m.id, m.at from unnest(${await eventsOf(claims)}::bigint[], ${seconds.map(second)}::timestamptz[]) m(id, at)
    ) told where told.id = e.id`;
  await database.own`update events set at = '2025-12-31' where not (consumer_uuids && ${claims.map(uuidOf)}::uuid[])`;
  const moments = Array.from({ length: 24 }, (_, index) => 2 * index);
  const effective = seconds.map((_, index) => Math.max(...seconds.slice(0, index + 1)));
  const { rows, eventCount } = await selectUsageSince(database.db, { noun: 'cloud' }, moments.map(second), 1000);
  expect(eventCount).toBe(effective.filter((at) => at > 0).length);
  expect(usageAt(moments.map(second), rows).map(({ consumers, usages }) => [consumers, usages[0]?.used])).toEqual(
    moments.map((moment) => effective.filter((at) => at <= moment).length).map((held) => [held, held]),
  );
});
