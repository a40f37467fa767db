// Examination. What a release may change beside gateways of the one before, and what it may not: each kind, made for the test, is noticed by a check of `.ci/run`.
import { buildSchema } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../src/db/schema/migrate.ts';
import { readRelease } from '../../src/db/schema/release.ts';
import { findContractChanges, untoldChanges } from '../../tools/contract-changes.ts';
import { databaseOf, upgradeFaults } from '../../tools/release-of-database.ts';
import { rows } from '../contract/replay/every-row.ts';
import type { TestDatabase } from '../support/database.ts';
import { nextRelease } from '../support/next-release.ts';
import { type Conversation, faultsOf, record, refusedStatements } from './conversation.ts';

/** Claims that share calls and others, names, trees and what Nova reports. */
const mutations = ['claim', 'replaceAllocations', 'createTrait', 'applyProviderTree', 'reshape'];
let conversation: Conversation;
beforeAll(async () => {
  conversation = await record(mutations.flatMap((mutation) => rows.find((row) => row.mutation === mutation) ?? []));
});

/** The faults that the conversation finds when the database is migrated to a later release: all of them, or those up to the one that is looked for. */
async function found(change: Parameters<typeof nextRelease>[0], wanted?: RegExp): Promise<string[]> {
  const prepare = ({ target }: TestDatabase) => migrate(target, { release: nextRelease(change) });
  const faults: string[] = [];
  for (const session of conversation.sessions) {
    faults.push(...(await faultsOf(session, prepare)));
    if (wanted && faults.some((fault) => wanted.test(fault))) return faults;
  }
  return [...faults, ...(await refusedStatements(conversation.statements, prepare))];
}

/** Fails if the text is not there, so that no planted change goes unnoticed because it was not made. */
const replacing = (text: string, other: string) => (all: string) => {
  if (all.includes('function claim_together')) expect(all).toContain(text);
  return all.replaceAll(text, other);
};

describe('allowed is', () => {
  test.each<[string, Parameters<typeof nextRelease>[0]]>([
    ['a table, or a column that may be null or has a default', {}],
    ['another set of functions with the same entries', { statements: 'select 1' }],
    ['a field more in answers', { change: replacing("'consumerIds', kept_ids", "'consumerIds', kept_ids, 'more', true") }],
    ['a field more in what is kept under keys', { change: replacing(`'{"form": 1}'`, `'{"form": 1, "more": true}'`) }],
    ['a newer form of a request beside the older one', { change: replacing("'create_trait'", "'create_trait', 'create_trait.2'") }],
    [
      'a field more in events',
      { change: replacing("jsonb_build_object('consumers', part.changes,", "jsonb_build_object('more', true, 'consumers', part.changes,") },
    ],
  ])('%s', async (_words, change) => {
    expect(await found(change)).toEqual([]);
  });
});

describe('noticed is', () => {
  test.each<[string, Parameters<typeof nextRelease>[0], RegExp]>([
    [
      'a field of requests that older gateways do not send',
      { change: replacing("request -> 'keys'", "request -> 'taken'") },
      /keeps under k is missing/,
    ],
    ['a field less in answers', { change: replacing("'consumerIds', kept_ids, ", '') }, /consumerIds is missing/],
    [
      'a field of another type in answers',
      { change: replacing("'consumerIds', kept_ids", "'consumerIds', kept_ids::text") },
      /consumerIds is/,
    ],
    [
      'a form of requests that is served no more',
      { change: replacing("'create_trait'", "'create_trait.2'") },
      /does not serve create_trait/,
    ],
    ['answers under keys in a form that the last release cannot read', { change: replacing("'form', 2", "'form', 3") }, /form is 3, not 2/],
    [
      'answers under keys with a field less',
      { change: replacing("'classIds', result -> 'classIds', ", '') },
      /as it is stored.classIds is missing/,
    ],
    [
      'events with other contents',
      { change: replacing("jsonb_build_object('consumers', part.changes,", "jsonb_build_object('takers', part.changes,") },
      /the events/,
    ],
    ['a column that is gone', { statements: 'ALTER TABLE "consumers" DROP COLUMN "updated_at"' }, /updated_at/],
    [
      'a column that must be filled',
      { statements: 'ALTER TABLE "consumers" ADD COLUMN "region" text; ALTER TABLE "consumers" ALTER COLUMN "region" SET NOT NULL' },
      /region/,
    ],
    ['a table under another name', { statements: 'ALTER TABLE "event_subjects" RENAME TO "subjects_of_events"' }, /event_subjects/],
  ])('%s', async (_words, change, words) => {
    expect((await found(change, words)).join('\n')).toMatch(words);
  });

  test('an entry with other parameters, and a release that does not serve the last one', () => {
    const last = databaseOf(readRelease());
    const next = nextRelease({
      versions: 2,
      oldestServed: last.version + 1,
      change: replacing('operation text, request jsonb', 'request jsonb, operation text'),
    });
    expect(upgradeFaults(next, last)).toEqual([
      expect.stringContaining('gateways of the last release call apply_write(operation text, request jsonb)'),
      expect.stringContaining(`oldestServed must be at most ${last.version}`),
    ]);
  });

  test('a contract that breaks operations, unless the changelog names it', () => {
    const before = buildSchema('type Query { a(first: Int): Int b: Kind } enum Kind { A }');
    const after = buildSchema('type Query { a(first: Int!): Int b: Kind } enum Kind { A B }');
    const changes = findContractChanges(before, after);
    expect(untoldChanges(changes, '## 0.2.0 (unreleased)\n', '0.1.0').map(({ coordinate }) => coordinate)).toEqual([
      'Query.a(first:)',
      'Kind.B',
    ]);
  });
});
