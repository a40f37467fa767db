// The cost of claims with each value of PLACEMENT_SYNCHRONOUS_COMMIT, in alternating slices of one run, as ratios to `local`. Meaningful only on a server with
// synchronous standbys:
//   deploy/patroni/cluster up && BENCH_DATABASE_URL=postgres://postgres:superuser@127.0.0.1:5000/postgres npm run bench:commit
//   BENCH_ROUNDS=3 BENCH_SECONDS=2
import { randomUUID } from 'node:crypto';
import { migrate } from '../src/db/schema/migrate.ts';
import { openDatabase } from '../src/db/sql/client.ts';
import { startDatabase } from './support/database.ts';
import { submitClaim } from './support/direct-claims.ts';
import { fillHosts } from './support/fill.ts';
import { measureRate, median } from './support/measure.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const seconds = Number(process.env.BENCH_SECONDS ?? 2);
const settings = ['local', 'remote_write', 'on', 'remote_apply'] as const;

const database = await startDatabase();
await migrate(database.target);
const sides = settings.map((setting) => ({
  setting,
  db: openDatabase({ ...database.target, settings: { synchronous_commit: setting } }),
  alone: [] as number[],
  crowd: [] as number[],
}));
try {
  const [{ db }] = sides as [(typeof sides)[number]];
  await fillHosts(db, 200);
  await db.writes`update inventories set total = 1000000, used = 0 where resource_class_id = 0`;
  const hosts = (await db.writes<{ uuid: string }[]>`select uuid from resource_providers where parent_provider_id is null`).map(
    ({ uuid }) => uuid,
  );
  for (let round = -1; round < rounds; round++) {
    for (const side of sides) {
      const claim = () => submitClaim(side.db, randomUUID(), hosts[Math.floor(Math.random() * hosts.length)] ?? '');
      const [alone, crowd] = [await measureRate(claim, 1, seconds), await measureRate(claim, 32, seconds)];
      // The first round makes plans and fills caches.
      if (round >= 0)
        [side.alone, side.crowd] = [
          [...side.alone, alone],
          [...side.crowd, crowd],
        ];
    }
  }
  for (const { setting, alone, crowd } of sides) {
    const ratio = (of: 'alone' | 'crowd', own: number[]) => (median(own) / median(sides[0]?.[of] ?? [])).toFixed(2);
    console.log(
      `${setting.padEnd(12)} one at a time ${median(alone).toFixed(0)} a second (${ratio('alone', alone)}x of local), 32 at once ${median(crowd).toFixed(0)} (${ratio('crowd', crowd)}x)`,
    );
  }
} finally {
  for (const { db } of sides) await db.close();
  await database.stop();
}
