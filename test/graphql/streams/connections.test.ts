// Which connections get a place among the streams of a gateway, and which make room.
import { expect, test } from 'vitest';
import { plainIdentity } from '../../../src/domain/identity.ts';
import { limits } from '../../../src/domain/limits.ts';
import { Connections } from '../../../src/graphql/streams/connections.ts';

const ann = plainIdentity('static', 'ann', 'blue', []);

/** Opens connections of unknown callers one after another, and returns which of them had to make room. */
function openUnknown(connections: Connections, sources: readonly string[]): string[] {
  const left: string[] = [];
  for (const [index, source] of sources.entries()) connections.enterUnknown({ source, makeRoom: () => left.push(`${source} ${index}`) });
  return left;
}

test('among unknown callers, the oldest connection of the source with the most makes room', () => {
  const connections = new Connections();
  const flood = Array.from({ length: limits.unknownSockets - 1 }, () => '192.0.2.66');
  expect(openUnknown(connections, ['192.0.2.1', ...flood, '192.0.2.2', '192.0.2.3', '192.0.2.66'])).toEqual([
    '192.0.2.66 1',
    '192.0.2.66 2',
    '192.0.2.66 3',
  ]);
});

test('known callers have places apart from unknown ones, and give them back once', () => {
  const connections = new Connections();
  openUnknown(
    connections,
    Array.from({ length: 2 * limits.unknownSockets }, () => '192.0.2.66'),
  );
  const exits = Array.from({ length: limits.streamsOfCaller }, () => connections.enterAs(ann));
  expect([exits.every((exit) => exit !== null), connections.count]).toEqual([true, limits.streamsOfCaller]);
  expect(connections.enterAs(ann)).toBeNull();
  exits[0]?.();
  exits[0]?.();
  expect(connections.count).toBe(limits.streamsOfCaller - 1);
  expect(connections.enterAs(ann)).not.toBeNull();
});

test('a user has no more places with the tokens of many projects, and leaves room for others', () => {
  const connections = new Connections();
  const annOf = (project: number) => plainIdentity('static', 'ann', `project ${project}`, []);
  const wanted = Array.from({ length: limits.streams }, (_, index) => annOf(index % (limits.streams / limits.streamsOfCaller)));
  const exits = wanted.flatMap((identity) => connections.enterAs(identity) ?? []);
  expect(exits).toHaveLength(limits.streamsOfUser);
  expect(connections.enterAs(annOf(1000))).toBeNull();
  expect(connections.enterAs(plainIdentity('static', 'bob', 'project 0', []))).not.toBeNull();
  exits[0]?.();
  expect(connections.enterAs(annOf(1000))).not.toBeNull();
});

test('no connection gets a place when the gateway stops', () => {
  const connections = new Connections();
  connections.stop();
  expect([connections.enterAs(ann), connections.enterUnknown({ source: '', makeRoom() {} })]).toEqual([null, null]);
});
