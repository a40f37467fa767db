// Writes of custom traits and classes, on a real database.
import { afterEach, describe, expect, test } from 'vitest';
import { createResourceClass, createTrait, deleteResourceClass, deleteTrait } from '../../../src/operations/names/name-writes.ts';
import { useDatabase } from '../../support/database.ts';
import { countEvents, expectSoundLedger, newestEvent, refusalOf, scopeOf } from '../../support/ledger.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const scope = () => scopeOf(database.db);
afterEach(() => expectSoundLedger(database.db));

const nouns = [
  {
    noun: 'trait',
    standard: 'HW_NUMA_ROOT',
    create: async (name: string, ifExists?: 'RETURN') => {
      const { created } = await createTrait(scope(), { name, ...(ifExists && { ifExists }) });
      return { name: (await scope().loaders.traitByName.load(name))?.name, created };
    },
    remove: (name: string) => deleteTrait(scope(), { name }),
    part: 'traits',
    seed: (name: string) => ({ traits: [name] }),
  },
  {
    noun: 'resourceClass',
    standard: 'VCPU',
    create: async (name: string, ifExists?: 'RETURN') => {
      const { created } = await createResourceClass(scope(), { name, ...(ifExists && { ifExists }) });
      return { name: (await scope().loaders.resourceClassByName.load(name))?.name, created };
    },
    remove: (name: string) => deleteResourceClass(scope(), { name }),
    part: 'resourceClasses',
    seed: (name: string) => ({ inventories: { [name]: 1 } }),
  },
] as const;

describe.each(nouns)('a custom $noun', ({ noun, standard, create, remove, part, seed }) => {
  test('is created once and deleted once, and each writes an event', async () => {
    expect(await create('CUSTOM_NAME')).toEqual({ name: 'CUSTOM_NAME', created: true });
    expect((await newestEvent(database.db)).changes).toEqual({ [part]: { CUSTOM_NAME: { before: null, after: {} } } });
    const events = await countEvents(database.db);
    expect(await create('CUSTOM_NAME', 'RETURN')).toEqual({ name: 'CUSTOM_NAME', created: false });
    expect(await refusalOf(database.db, () => create('CUSTOM_NAME'))).toEqual([
      { code: 'DUPLICATE', path: ['name'], details: { noun, field: 'name', key: 'CUSTOM_NAME', existing: 'CUSTOM_NAME' } },
    ]);
    expect(await countEvents(database.db)).toBe(events);
    expect(await remove('CUSTOM_NAME')).toBe('CUSTOM_NAME');
    expect((await newestEvent(database.db)).changes).toEqual({ [part]: { CUSTOM_NAME: { before: {}, after: null } } });
    expect(await refusalOf(database.db, () => remove('CUSTOM_NAME'))).toEqual([
      { code: 'NOT_FOUND', path: ['name'], details: { noun, key: 'CUSTOM_NAME' } },
    ]);
  });

  test('cannot be deleted while a provider has it; the answer lists at most ten', async () => {
    for (let index = 0; index < 12; index++) await createSeed(database.db).provider(`${noun} ${index}`, seed('CUSTOM_USED'));
    const by = Array.from({ length: 10 }, (_, index) => uuidOf(`${noun} ${index}`));
    expect(await refusalOf(database.db, () => remove('CUSTOM_USED'))).toEqual([
      { code: 'IN_USE', path: ['name'], details: { noun, key: 'CUSTOM_USED', by, count: 12 } },
    ]);
  });

  test('a standard name can be neither created nor deleted', async () => {
    for (const write of [create, remove]) {
      expect(await refusalOf(database.db, () => write(standard))).toEqual([
        { code: 'STANDARD_NAME', path: ['name'], details: { noun, key: standard } },
      ]);
    }
  });

  test.each(['NOT_CUSTOM', 'CUSTOM_', 'CUSTOM_a', `CUSTOM_${'X'.repeat(250)}`, ''])('%j is not a name for one', async (name) => {
    for (const write of [create, remove]) {
      expect(await refusalOf(database.db, () => write(name))).toMatchObject([{ code: 'INVALID_INPUT', path: ['name'] }]);
    }
  });
});
