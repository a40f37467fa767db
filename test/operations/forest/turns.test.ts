// Callers of the forest have it one after another, and it is read for the next ones meanwhile.
import { beforeEach, describe, expect, test } from 'vitest';
import { ForestKeeper } from '../../../src/operations/forest/forest.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
  return () => database.drop();
});

const countReads = () => database.statements.filter((statement) => statement.includes('pg_current_snapshot')).length;

describe('callers', () => {
  test('that arrive while others have their turns are served before all of those are done', async () => {
    const keeper = new ForestKeeper(database.db);
    await keeper.current();
    database.statements.length = 0;
    const readsAtTurn: number[] = [];
    const others = Array.from({ length: 100 }, () => keeper.current().then(() => readsAtTurn.push(countReads())));
    await others[0];
    await keeper.current();
    expect(readsAtTurn).toHaveLength(100);
    expect([readsAtTurn[0], readsAtTurn[99]]).toEqual([1, 2]);
  });

  test('whose turn comes after changes were read get the forest without them', async () => {
    // Two providers that change are read one after another.
    const inSlices = new ForestKeeper(database.db, 1);
    for (const name of ['cn1', 'cn2']) await seed.provider(name, { inventories: { VCPU: 10 } });
    const look = async () => {
      const forest = await inSlices.current();
      return ['cn1', 'cn2'].map((name) => forest.findByUuid(uuidOf(name))?.inventoryOf(0)?.used);
    };
    await look();
    const turns = Array.from({ length: 1000 }, async () => {
      const used = await look();
      // All turns together take longer than the claim and the read of it.
      const until = performance.now() + 0.3;
      while (performance.now() < until);
      return used;
    });
    await turns[0];
    await seed.claim('c', { cn1: { VCPU: 1 }, cn2: { VCPU: 1 } });
    const later = look();
    for (const used of await Promise.all(turns)) expect(used).toEqual([0, 0]);
    expect(await later).toEqual([1, 1]);
  });
});
