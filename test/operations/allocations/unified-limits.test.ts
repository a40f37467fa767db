// Quotas that follow limits of Keystone, whichever way these were read.
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { UnifiedLimit } from '../../../src/domain/unified-limits.ts';
import { findQuotas, replaceQuotas } from '../../../src/operations/allocations/quotas.ts';
import { followLimits } from '../../../src/operations/allocations/unified-limits.ts';
import { Scope } from '../../../src/operations/scope/scope.ts';
import { useDatabase } from '../../support/database.ts';
import { countEvents, newestEvent, refusalOf, scopeOf } from '../../support/ledger.ts';
import { createSeed } from '../../support/seed.ts';

const database = useDatabase();
const of = (resourceName: string, amount: number, owner: string | null = null): UnifiedLimit => ({ resourceName, amount, owner });
const follow = (limits: readonly UnifiedLimit[], domains: Readonly<Record<string, string>> = {}) =>
  followLimits(database.db, { limits, domains: new Map(Object.entries(domains)) });
const quotasOf = async (project: string | null) => {
  const { parent, quotas, generation } = await findQuotas(scopeOf(database.db), project);
  return {
    parent,
    generation,
    quotas: quotas.map(({ resourceClass, consumerType, amount }) => `${resourceClass ?? consumerType} ${amount}`),
  };
};
const set = (project: string | null, resourceClass: string, amount: number, parentProject: string | null = null) =>
  replaceQuotas(scopeOf(database.db), { expect: { unchecked: true }, project, parentProject, quotas: [{ resourceClass, amount }] });
const done = { refused: [], isOvertaken: false, ignored: [] };

beforeAll(async () => {
  await createSeed(database.db).provider('h1', { inventories: { VCPU: 100, CUSTOM_GPU: 4 } });
});
beforeEach(async () => {
  await database.own`delete from records where kind in ('project_quotas', 'default_quotas')`;
  await database.own`truncate quota_uses, project_parents`;
});

test('limits become quotas of projects and defaults, with one event for each and one request id for all', async () => {
  const before = await countEvents(database.db);
  expect(await follow([of('class:VCPU', 10), of('servers', 5), of('class:CUSTOM_GPU', 2, 'p1')])).toEqual({ ...done, replaced: 2 });
  expect(await quotasOf(null)).toEqual({ parent: null, generation: 1, quotas: ['VCPU 10', 'INSTANCE 5'] });
  expect(await quotasOf('p1')).toEqual({ parent: null, generation: 1, quotas: ['CUSTOM_GPU 2'] });
  expect(await countEvents(database.db)).toBe(before + 2);
  expect(await newestEvent(database.db)).toMatchObject({ kind: 'REPLACE_QUOTAS', user: 'limits-of-keystone', project: null });
  const ids = await database.own`select distinct request_id from events order by 1 desc limit 2`;
  expect(ids).toHaveLength(2);
});

test('nothing is written while nothing differs, whatever the order', async () => {
  const limits = [of('class:VCPU', 10), of('servers', 5), of('class:VCPU', 2, 'p1')];
  await follow(limits);
  database.statements.length = 0;
  expect(await follow(limits.toReversed())).toEqual({ ...done, replaced: 0 });
  expect(database.statements.some((statement) => statement.includes('apply_write'))).toBe(false);
  expect(await quotasOf('p1')).toMatchObject({ generation: 1 });
});

test('only what differs is replaced; what has no limit any more is emptied, and so are quotas that were set by hand', async () => {
  await set('by-hand', 'VCPU', 7);
  const others = Array.from({ length: 1100 }, (_, index) => ({ kind: 'project_quotas', name: `q${index}`, uuid: crypto.randomUUID() }));
  // More than a page, which need no change.
  await database.own`
    insert into records (kind, name, uuid, body)
    select kind, name, uuid, '{"parent": null, "quotas": [], "generation": 3}' from jsonb_to_recordset(${database.own.json(others)}) as _(kind text, name text, uuid uuid)`;
  await follow([of('class:VCPU', 10), of('class:VCPU', 1, 'p1'), of('class:VCPU', 2, 'p2')]);
  expect(await quotasOf('by-hand')).toEqual({ parent: null, generation: 2, quotas: [] });
  expect(await follow([of('class:VCPU', 10), of('class:VCPU', 3, 'p2')])).toEqual({ ...done, replaced: 2 });
  expect(await quotasOf('p1')).toMatchObject({ quotas: [], generation: 2 });
  expect(await quotasOf('p2')).toMatchObject({ quotas: ['VCPU 3'], generation: 2 });
  expect(await quotasOf(null)).toMatchObject({ generation: 1 });
  expect(await quotasOf('q1099')).toMatchObject({ generation: 3 });
});

test('what has no limit any more is emptied after the defaults are set: in between its project is not without a bound', async () => {
  await set('by-hand', 'VCPU', 7);
  await follow([of('class:VCPU', 10), of('class:VCPU', 1, 'p1')]);
  const events = await database.own<{ name: string }[]>`
    select r.name from events e, jsonb_object_keys(e.changes -> 'records') as _(key) join records r on key = r.kind || ' ' || r.uuid order by e.id desc limit 3`;
  expect(events.map(({ name }) => name)).toEqual(['by-hand', 'default_quotas', 'p1']);
});

test('a class that does not exist is ignored until it does', async () => {
  const limits = [of('class:VCPU', 10), of('class:CUSTOM_LATER', 1), of('server_groups', 1)];
  expect(await follow(limits)).toEqual({ ...done, replaced: 1, ignored: ['class:CUSTOM_LATER', 'server_groups'] });
  await createSeed(database.db).provider('h2', { inventories: { CUSTOM_LATER: 1 } });
  expect(await follow(limits)).toEqual({ ...done, replaced: 1, ignored: ['server_groups'] });
  expect(await quotasOf(null)).toMatchObject({ quotas: ['VCPU 10', 'CUSTOM_LATER 1'] });
});

test('projects are put below their domains, and out again', async () => {
  const limits = [of('class:VCPU', 10), of('class:VCPU', 50, 'dom')];
  expect(await follow(limits, { p1: 'dom', p2: 'dom' })).toEqual({ ...done, replaced: 4 });
  expect([await quotasOf('p1'), await quotasOf('dom')]).toMatchObject([
    { parent: 'dom', quotas: [] },
    { parent: null, quotas: ['VCPU 50'] },
  ]);
  expect(await follow(limits.slice(0, 1))).toEqual({ ...done, replaced: 3 });
  expect(await quotasOf('p1')).toMatchObject({ parent: null });
});

test('a project that cannot be set keeps no other from being set, and its turn comes when it can', async () => {
  await set('child', 'VCPU', 1, 'p1');
  const limits = [of('class:VCPU', 10), of('class:VCPU', 50, 'dom'), of('class:VCPU', 2, 'p1')];
  const first = await follow(limits, { p1: 'dom' });
  expect(first).toMatchObject({ replaced: 3, refused: [expect.stringMatching(/^p1: parent must have no parent/)] });
  expect(await follow(limits, { p1: 'dom' })).toEqual({ ...done, replaced: 1 });
});

test('gateways that follow at the same time write each quota once between them, the rest in the next round', async () => {
  const limits = [of('class:VCPU', 10), ...Array.from({ length: 20 }, (_, index) => of('class:VCPU', index, `p${index}`))];
  const rounds = await Promise.all([follow(limits), follow(limits), follow(limits)]);
  rounds.push(await follow(limits));
  expect(rounds.reduce((sum, { replaced }) => sum + replaced, 0)).toBe(21);
  expect(await follow(limits)).toEqual({ ...done, replaced: 0 });
  for (const project of ['p0', 'p19', null]) expect(await quotasOf(project)).toMatchObject({ generation: 1 });
});

test('callers may not replace quotas meanwhile', async () => {
  const scope = new Scope({ db: database.db, identity: null, requestId: 'req-test', quotasOfKeystone: true });
  const byHand = () => replaceQuotas(scope, { expect: { generation: 0 }, project: 'p1', quotas: [] });
  expect(await refusalOf(database.db, byHand)).toMatchObject([{ code: 'INVALID_INPUT', path: [] }]);
  await expect(byHand()).rejects.toThrow('The quotas follow the limits of Keystone: set registered limits and limits there');
});
