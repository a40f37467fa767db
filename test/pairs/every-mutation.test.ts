// Every mutation with a key, through gateways of two releases that follow each other: whoever is asked first, and whoever has migrated the database, the
// other gives the same answer and writes nothing.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { runAudit } from '../../src/commands/audit.ts';
import { rows } from '../contract/replay/every-row.ts';
import type { Gateway } from '../support/gateway.ts';
import { countEvents } from '../support/ledger.ts';
import { createWriter } from '../support/mutations.ts';
import { createSeed } from '../support/seed.ts';
import { createDatabaseLike, type ReleaseDatabase } from './databases.ts';
import { codeOf, type ReleaseCode } from './release.ts';

type Build = 'last' | 'next';
const code = {} as Record<Build, ReleaseCode>;
/** Databases that one release has migrated. */
const templates = {} as Record<Build, ReleaseDatabase>;
beforeAll(async () => {
  for (const build of ['last', 'next'] as const) {
    code[build] = await codeOf(build);
    templates[build] = await createDatabaseLike(build === 'last' ? 'template0' : templates.last.target.database);
    await code[build].migrate(templates[build].target);
    // A database with sessions cannot be cloned.
    await templates[build].db.close();
  }
});
afterAll(async () => {
  for (const template of Object.values(templates)) await template.drop();
});

/** Who is asked first, in a database that who has migrated; the next release migrates it after the first answer at the latest. */
const orders = [
  ['the last release is asked before the migration', 'last', 'last'],
  ['the last release is asked after the migration', 'last', 'next'],
  ['the next release is asked first', 'next', 'next'],
] as const;

const lastContract = readFileSync(join(inject('builds').last, 'schema.graphql'), 'utf8');
const isInLast = (mutation: string) => lastContract.includes(`\n  ${mutation}(`);
/** The calls that both releases know. The release that is asked first must also know the mutation that prepares one. */
const rowsFor = (first: Build) =>
  rows.filter(({ mutation, needs }) => isInLast(mutation) && (first === 'next' || needs === undefined || isInLast(needs)));

describe.each(orders)('%s:', (_words, first, migrated) => {
  test.each(rowsFor(first))('$mutation, $sentence', async ({ mutation, before, input, fields }) => {
    const database = await createDatabaseLike(templates[migrated].target.database);
    const open: Gateway[] = [];
    try {
      const start = async (build: Build) => {
        const gateway = await code[build].start(database.target);
        open.push(gateway);
        return { ...gateway, ...createWriter(gateway, database) };
      };
      const one = await start(first);
      await before?.({ seed: createSeed(one.db), write: one.write });
      const send = ({ write }: Awaited<ReturnType<typeof start>>, key: string) =>
        write(mutation, { ...input, idempotencyKey: key }, `${fields} replayed event { id kind }`);
      const answer = await send(one, 'k');
      expect(answer.replayed).toBe(false);
      if (migrated === 'last') await code.next.migrate(database.target);
      const other = await start(first === 'last' ? 'next' : 'last');
      const events = await countEvents(database.db);
      for (const gateway of [other, one]) expect(await send(gateway, 'k')).toEqual({ ...answer, replayed: true });
      expect(await countEvents(database.db)).toBe(events);
      expect(await eventsBy(other)).toEqual(await eventsBy(one));
      expect(await runAudit(database.db, () => {})).toMatchObject({ differences: 0 });
    } finally {
      for (const gateway of open) await gateway.close();
      await database.drop();
    }
  });
});

/** The last events with all their changes. */
function eventsBy(gateway: Gateway): Promise<unknown> {
  return gateway.data(`{ events(last: 5) { nodes { id kind at requestedFor { externalId } changes(first: 20) { nodes {
    __typename action
    ... on ResourceProviderChange { resourceProviderUuid generation { before after } inventories { resourceClassName before { total } after { total } } traitNamesAdded }
    ... on ConsumerChange { consumerUuid generation { before after } allocations { resourceProviderUuid resourceClassName before after } }
  } } } } }`);
}
