// The contract of the write functions is kept on both sides: what TypeScript calls exists in SQL, and what SQL writes is listed.
import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { eventKindOf } from '../../../src/db/writes/contract.ts';
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

test('apply_write knows exactly the operations of the contract', async () => {
  const door = (await readSql()).get('functions/apply_write.sql') ?? '';
  const known = [...door.matchAll(/^\s*(?:when|if operation =) ('.*') then/gm)].flatMap(([, names]) =>
    [...(names ?? '').matchAll(/'(\w+)'/g)].map(([, name]) => name),
  );
  expect(known.toSorted()).toEqual(Object.keys(eventKindOf).toSorted());
});

/** What a write has as its consequence has an event of its own, of a kind that others write, too. */
const ofConsequences: Record<string, string> = { 'steps/give_way_to_pools.sql': "'RESHAPE'" };

test('the kinds of events are exactly those that operations have, and no function makes up another', async () => {
  expect([...new Set(Object.values(eventKindOf))].filter((kind) => kind !== null).toSorted()).toEqual([...eventKinds].toSorted());
  for (const [name, text] of await readSql()) {
    for (const [, kind] of text.matchAll(/(?:record_event|append_events?)\(\s*([^,]+),/g)) {
      const isDefinition = /^(kind text|kind)$/.test(kind ?? '');
      if (!isDefinition) expect({ name, kind }).toEqual({ name, kind: ofConsequences[name] ?? "request ->> 'kind'" });
    }
  }
});

test('a renamed class is told as renamed', async () => {
  await createSeed(database.db).write('create_resource_class', { name: 'CUSTOM_OLD' });
  await renameResourceClass(scopeOf(database.db), { from: 'CUSTOM_OLD', name: 'CUSTOM_NEW' });
  expect(await newestEvent(database.db)).toMatchObject({ kind: 'RENAME_RESOURCE_CLASS' });
});
