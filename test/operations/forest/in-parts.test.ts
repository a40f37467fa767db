// Work on the forest that is done in parts: others go on meanwhile, and the forest stays as it is until the work is done.
import { beforeEach, describe, expect, test } from 'vitest';
import { ForestKeeper } from '../../../src/operations/forest/forest.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { pictureFromScratch, pictureOf } from '../../support/forest-picture.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
let keeper: ForestKeeper;
beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
  keeper = new ForestKeeper(database.db);
  return () => database.drop();
});

const usedOf = async (name: string) => (await keeper.current()).findByUuid(uuidOf(name))?.inventoryOf(0)?.used;
const countReads = () => database.statements.filter((statement) => statement.includes('pg_current_snapshot')).length;

describe('work in parts', () => {
  test('gives others their turns and the present forest, while changes wait until it is done', async () => {
    await seed.provider('cn1', { inventories: { VCPU: 10 } });
    const forest = await keeper.current();
    let isOver = false;
    const seen: (number | undefined)[] = [];
    function* work(): Generator<void, void> {
      while (!isOver) {
        seen.push(forest.findByUuid(uuidOf('cn1'))?.inventoryOf(0)?.used);
        yield;
      }
    }
    const done = keeper.inParts(work()).then(() => forest.findByUuid(uuidOf('cn1'))?.inventoryOf(0)?.used);
    // Nothing has changed: whoever asks is not kept waiting.
    expect(await keeper.current()).toBe(forest);
    await seed.claim('c', { cn1: { VCPU: 3 } });
    let isToldChange = false;
    const reads = countReads();
    const later = usedOf('cn1').finally(() => {
      isToldChange = true;
    });
    await expect.poll(countReads).toBeGreaterThan(reads);
    await database.db.sql`select 1`;
    expect(isToldChange).toBe(false);
    isOver = true;
    // Those who waited for the work still see what it saw.
    expect(await done).toBe(0);
    expect(await later).toBe(3);
    expect(new Set(seen)).toEqual(new Set([0]));
    expect(pictureOf(await keeper.current())).toEqual(await pictureFromScratch(database.db));
  });

  test('that fails does not hold up the changes', async () => {
    await seed.provider('cn1', { inventories: { VCPU: 10 } });
    await keeper.current();
    function* work(): Generator<void, void> {
      yield;
      throw new Error('no');
    }
    await expect(keeper.inParts(work())).rejects.toThrow('no');
    await seed.claim('c', { cn1: { VCPU: 3 } });
    expect(await usedOf('cn1')).toBe(3);
  });
});
