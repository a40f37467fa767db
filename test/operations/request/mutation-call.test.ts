// Allocation writes with an idempotency key: a repeated call gets the first answer and has no further effect.

import { afterEach, beforeAll, expect, test } from 'vitest';
import { plainIdentity } from '../../../src/domain/identity.ts';
import { moveAllocations, releaseAllocations, replaceAllocations } from '../../../src/operations/allocations/allocation-writes.ts';
import { MutationCall } from '../../../src/operations/request/mutation-call.ts';
import { Scope } from '../../../src/operations/scope/scope.ts';
import { useDatabase } from '../../support/database.ts';
import { countEvents, expectSoundLedger, refusalOf, scopeOf } from '../../support/ledger.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
beforeAll(() => createSeed(database.db).provider('cn1', { inventories: { VCPU: 10 } }));
afterEach(() => expectSoundLedger(database.db));

/** Runs an operation as a mutation with a key runs it; `replayed` is that of its payload. */
async function keyed<Input extends object, Answer extends object>(
  name: string,
  input: Input,
  idempotencyKey: string,
  run: (scope: Scope, input: Input) => Promise<Answer>,
  scope = scopeOf(database.db),
) {
  const call = new MutationCall(name, { ...input, idempotencyKey }, scope.identity);
  scope.mutation = call;
  const answer = await run(scope, input);
  return { ...answer, replayed: call.replayed };
}

const claim = (name: string, amount: number, key: string, scope = scopeOf(database.db)) => {
  const allocations = [{ resourceProvider: uuidOf('cn1'), resources: [{ resourceClass: 'VCPU', amount }] }];
  const consumer = { consumer: uuidOf(name), expect: { isNew: true }, project: 'p1', user: 'u1', hold: { allocations } };
  return keyed('replaceAllocations', { consumers: [consumer] }, key, replaceAllocations, scope);
};

test('a repeated call gets the first answer, even if the consumer has changed since', async () => {
  const first = await claim('a', 1, 'k1');
  await releaseAllocations(scopeOf(database.db), { consumers: [{ consumer: uuidOf('a'), expect: { generation: 1 } }] });
  const events = await countEvents(database.db);
  const again = await claim('a', 1, 'k1');
  expect(again).toEqual({ ...first, replayed: true });
  expect(first.replayed).toBe(false);
  expect(await countEvents(database.db)).toBe(events);
});

test('moves and releases are answered again, too', async () => {
  await claim('from', 1, 'k2');
  const input = { from: uuidOf('from'), expectFrom: { generation: 1 }, to: uuidOf('to'), expectTo: { isNew: true } };
  const moved = await keyed('moveAllocations', input, 'k2', moveAllocations);
  expect(await keyed('moveAllocations', input, 'k2', moveAllocations)).toEqual({ ...moved, replayed: true });
  const release = { consumers: [{ consumer: uuidOf('to'), expect: { generation: 1 } }] };
  const released = await keyed('releaseAllocations', release, 'k2', releaseAllocations);
  expect(await keyed('releaseAllocations', release, 'k2', releaseAllocations)).toEqual({ ...released, replayed: true });
  expect(released.released).toEqual([uuidOf('to')]);
});

test('the same key with other input is refused', async () => {
  await claim('b', 1, 'k3');
  expect(await refusalOf(database.db, () => claim('b', 2, 'k3'))).toEqual([
    { code: 'IDEMPOTENCY_KEY_REUSED', path: ['idempotencyKey'], details: { key: 'k3' } },
  ]);
});

test('a refused write stores no key: it may be tried again, even with other input', async () => {
  expect(await refusalOf(database.db, () => claim('c', 11, 'k4'))).toMatchObject([{ code: 'CAPACITY_EXCEEDED' }]);
  expect((await claim('c', 1, 'k4')).replayed).toBe(false);
});

test('a key belongs to its caller', async () => {
  await claim('d', 1, 'k5');
  const other = new Scope({ db: database.db, identity: plainIdentity('noauth', 'other', 'admin', []), requestId: 'req-other' });
  expect((await claim('e', 1, 'k5', other)).replayed).toBe(false);
});

test.each(['', 'x'.repeat(256), 'a\0b'])('%j is not a key', async (key) => {
  expect(await refusalOf(database.db, () => claim('f', 1, key))).toMatchObject([{ code: 'INVALID_INPUT', path: ['idempotencyKey'] }]);
});
