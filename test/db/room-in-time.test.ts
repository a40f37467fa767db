// The peaks of a period are those that all inventories have at all moments of it, though few are looked at.
import { expect, test } from 'vitest';
import { selectPeakLoads } from '../../src/db/room-in-time.ts';
import { useDatabase } from '../support/database.ts';
import { freshDice } from '../support/dice.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const database = useDatabase();
const hosts = ['h1', 'h2', 'h3', 'h4'];
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

/** What each inventory holds at most, by its id, at the beginning of the period and whenever a reservation begins in it. */
async function expected(from: string, until: string, without: string | null): Promise<Record<number, number>> {
  const rows = await database.own<{ id: number; load: number }[]>`
    with point as (
      select i.resource_provider_id as provider, i.resource_class_id as class, moment
      from inventories i cross join (
        select ${from}::timestamptz as moment
        union select starts_at from reservations where starts_at > ${from}::timestamptz and starts_at < ${until}::timestamptz
      ) moments
    ), points as (
      select array_agg(provider) as providers, array_agg(class) as classes, array_agg(moment) as moments from point
    )
    select p.providers[l.place]::float8 as id, max(l.load)::float8 as load
    from points p cross join lateral loads_in_time(p.providers, p.classes, p.moments, (select id from reservations where uuid = ${without}::uuid)) l
    group by 1`;
  return Object.fromEntries(rows.map(({ id, load }) => [id, load]));
}

test('peaks are those of all inventories at all moments', async () => {
  const seed = createSeed(database.db);
  const roll = freshDice('room in time');
  for (const host of hosts) await seed.provider(host, { inventories: { VCPU: 1000 } });
  const periods = [
    [-60, 30],
    [-60, 300],
    [60, 120],
    [90, 240],
    [200, 400],
  ] as const;
  for (let nth = 0; nth < 8; nth++) {
    const [from, until] = periods[nth % periods.length] ?? [0, 1];
    const held = { [hosts[roll(3)] ?? '']: { VCPU: 5 + roll(20) } };
    await seed.reservation(`r${nth}`, held, { startsAt: inMinutes(from), endsAt: inMinutes(until) });
    if (from < 0) {
      const [host = ''] = Object.keys(held);
      await seed.claim(`of r${nth}`, { [host]: { VCPU: 1 + roll(5) } }, { reservation: `r${nth}` });
    }
  }
  for (let nth = 0; nth < 20; nth++) {
    const amounts = [{ provider: uuidOf(hosts[roll(4)] ?? ''), resourceClass: 'VCPU', amount: 1 + roll(9) }];
    const consumer = {
      uuid: uuidOf(`c${nth}`),
      expect: { isNew: true },
      project: 'p1',
      user: 'u1',
      type: 'INSTANCE',
      allocations: amounts,
    };
    await seed.write('replace_allocations', { consumers: [{ ...consumer, ...(roll(2) === 0 && { expiresIn: 60 * (1 + roll(400)) }) }] });
  }
  const used = await database.own<{ id: number; used: number }[]>`
    select resource_provider_id::float8 as id, used::float8 as used from inventories`;
  const moments = [-30, 0, 10, 45, 90, 200, 350, 500];
  for (const from of moments) {
    for (const until of moments.filter((moment) => moment > from)) {
      for (const without of [null, uuidOf('r0'), uuidOf('r1'), uuidOf('r3')]) {
        const period = { from: inMinutes(from), until: inMinutes(until) };
        const found = await selectPeakLoads(database.db, period, without);
        const peaks = Object.fromEntries(used.map(({ id, used: now }) => [id, now]));
        for (const { providerId, load } of found) peaks[providerId] = load;
        expect(peaks, `${from} to ${until} without ${without}`).toEqual(await expected(period.from, period.until, without));
      }
    }
  }
});

test('what lasts is not read where no reservation runs in the period', async () => {
  const period = { from: inMinutes(10_000), until: inMinutes(20_000) };
  const [lasting] = await database.own<{ id: number }[]>`
    select i.resource_provider_id::float8 as id from inventories i join resource_providers p on p.id = i.resource_provider_id where p.name = 'h4'`;
  const now = { from: inMinutes(-1), until: inMinutes(1) };
  expect((await selectPeakLoads(database.db, now, null)).map(({ providerId }) => providerId)).not.toContain(lasting?.id);
  expect(await selectPeakLoads(database.db, period, null)).not.toEqual([]);
});
