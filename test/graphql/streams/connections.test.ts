// Who gets a place among the streams of a gateway, and who makes room.
import { expect, test } from 'vitest';
import { plainIdentity } from '../../../src/domain/identity.ts';
import { limits } from '../../../src/domain/limits.ts';
import { Connections } from '../../../src/graphql/streams/connections.ts';

const ann = plainIdentity('static', 'ann', 'blue', []);

/** Connections that are opened one after another by nobody knows whom, and which of them had to make room. */
function openUnknown(connections: Connections, addresses: readonly string[]): string[] {
  const left: string[] = [];
  for (const [index, address] of addresses.entries())
    connections.enterUnknown({ address, makeRoom: () => left.push(`${address} ${index}`) });
  return left;
}

test('of those who are not known the oldest of the address with the most makes room', () => {
  const connections = new Connections();
  const flood = Array.from({ length: limits.unknownSockets - 1 }, () => '192.0.2.66');
  expect(openUnknown(connections, ['192.0.2.1', ...flood, '192.0.2.2', '192.0.2.3', '192.0.2.66'])).toEqual([
    '192.0.2.66 1',
    '192.0.2.66 2',
    '192.0.2.66 3',
  ]);
});

test('who is known has places apart from who is not, and gives them back once', () => {
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

test('nobody gets a place when the gateway stops', () => {
  const connections = new Connections();
  connections.stop();
  expect([connections.enterAs(ann), connections.enterUnknown({ address: '', makeRoom() {} })]).toEqual([null, null]);
});
