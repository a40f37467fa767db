// The operations and their SQL functions fit together: each operation has its function, and no function writes events of another kind.
import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readRelease } from '../../../src/db/schema/release.ts';
import { operations, withOperations } from '../../../src/db/writes/operations.ts';
import { eventKinds } from '../../../src/domain/event.ts';
import { renameResourceClass } from '../../../src/operations/names/name-writes.ts';
import { useDatabase } from '../../support/database.ts';
import { newestEvent, scopeOf } from '../../support/ledger.ts';
import { createSeed } from '../../support/seed.ts';

const database = useDatabase();
const writes = new URL('../../../src/db/writes/', import.meta.url);

/** The text of every write function and step, without comments. */
async function readSql(): Promise<Map<string, string>> {
  const files = await Promise.all(
    ['functions', 'steps'].map(async (room) => (await readdir(new URL(`${room}/`, writes))).map((name) => `${room}/${name}`)),
  );
  const texts = files.flat().map(async (name): Promise<[string, string]> => {
    const text = await readFile(new URL(name, writes), 'utf8');
    return [name, text.replace(/--.*$/gm, '')];
  });
  return new Map(await Promise.all(texts));
}

/** Functions that gateways call beside apply_write. */
const otherEntries = ['apply_write', 'keep_project_usages', 'count_refused_claims'];

test('there is a function for each operation, and an operation for each function', async () => {
  const files = new Set([...(await readSql()).keys()].flatMap((path) => /^functions\/(\w+)\.sql$/.exec(path)?.[1] ?? []));
  const facts: [name: string, facts: { readonly sqlFunction?: string | null }][] = Object.entries(operations);
  const called = facts.flatMap(([name, { sqlFunction = name }]) => sqlFunction ?? []);
  expect([...new Set(called)].filter((name) => !files.has(name))).toEqual([]);
  expect([...files].filter((name) => !called.includes(name) && !otherEntries.includes(name))).toEqual([]);
});

test('the functions are filled in from the descriptions of operations, and an unknown placeholder is refused', () => {
  const { statements } = readRelease().functions;
  expect(statements).toContain(
    "when 'replace_allocations', 'move_allocations', 'release_allocations' then result := replace_allocations(request);",
  );
  expect(statements).toContain("when 'claim_together.2', 'claim_together' then return claim_together(request);");
  expect(statements).not.toMatch(/<<\w+>>/);
  expect(() => withOperations('select <<nothing>>', {})).toThrow('<<nothing>>');
});

/** The consequence of a write has an event of its own, of a kind that an operation has. */
const ofConsequences: Record<string, string> = { 'steps/give_way_to_pools.sql': "'RESHAPE'" };

test('the kinds of events are exactly those of operations, and no function uses another', async () => {
  expect([...new Set(Object.values(operations).map(({ event }) => event))].filter((kind) => kind !== null).toSorted()).toEqual(
    [...eventKinds].toSorted(),
  );
  for (const [name, text] of await readSql()) {
    for (const [, kind] of text.matchAll(/(?:record_event|append_events?)\(\s*([^,]+),/g)) {
      const isDefinition = /^(kind text|kind)$/.test(kind ?? '');
      if (!isDefinition) expect({ name, kind }).toEqual({ name, kind: ofConsequences[name] ?? "request ->> 'kind'" });
    }
  }
});

test('the event of a renamed class says that it was renamed', async () => {
  await createSeed(database.db).write('create_resource_class', { name: 'CUSTOM_OLD' });
  await renameResourceClass(scopeOf(database.db), { from: 'CUSTOM_OLD', name: 'CUSTOM_NEW' });
  expect(await newestEvent(database.db)).toMatchObject({ kind: 'RENAME_RESOURCE_CLASS' });
});
