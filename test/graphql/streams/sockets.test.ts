// Subscriptions over WebSockets: which clients may open one, what it carries, and how it ends.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { revokeToken } from '../../../src/commands/token.ts';
import { limits } from '../../../src/domain/limits.ts';
import { type RunningServer, startServer } from '../../../src/listener/server.ts';
import { createLogger } from '../../../src/logs/process-log.ts';
import { readSettings } from '../../../src/settings/settings.ts';
import { useDatabase } from '../../support/database.ts';
import { createSeed } from '../../support/seed.ts';
import { closeOf, openSocket, startSubscriber } from '../../support/sockets.ts';
import { tokenFor, useTokensFile } from '../../support/tokens-file.ts';

const database = useDatabase();
const lines: Record<string, unknown>[] = [];
const start = (environment: Readonly<Record<string, string>> = {}, streamPing = 1000) =>
  startServer({
    settings: readSettings({ PLACEMENT_PORT: '0', ...environment }).settings,
    db: database.db,
    log: createLogger({ level: 'info', write: (line) => lines.push(JSON.parse(line)) }).log,
    streamPing,
  });
const seed = () => createSeed(database.db);
let server: RunningServer;
beforeAll(async () => {
  server = await start();
  await seed().provider('cn1', { inventories: { VCPU: 16 } });
});
afterAll(() => server.close());

interface Batch {
  readonly cursor: string;
  readonly events: readonly { readonly kind: string; readonly requestId: string }[];
  readonly omittedCount: number;
  readonly reset: boolean;
}
interface Change {
  readonly cursor: string;
  readonly reset: boolean;
  readonly names: readonly string[];
  readonly flags: readonly number[];
  readonly classes: readonly { readonly used: readonly (number | null)[] }[];
}
const eventsOf = `subscription Live($after: String, $filter: EventFilterInput, $atMost: Int) {
  events(after: $after, filter: $filter, atMost: $atMost) { cursor reset omittedCount events { kind requestId } } }`;
const changesOf = `subscription Map($after: String!, $classes: [String!]!) {
  cloudMapChanges(after: $after, resourceClasses: $classes) { cursor reset names flags classes { used capacity } } }`;

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 30_000, interval: 20 });

async function askMap(): Promise<{ cursor: string; names: string[] }> {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-token': 'admin' },
    body: JSON.stringify({ query: '{ cloudMap(resourceClasses: ["VCPU"]) { cursor names } }' }),
  });
  const { data } = (await response.json()) as { data: { cloudMap: { cursor: string; names: string[] } } };
  return data.cloudMap;
}

describe('a subscription', () => {
  test('to events begins with a cursor, and sends every write once', async () => {
    const client = await startSubscriber(server.url);
    const live = client.subscribe<Batch>(eventsOf);
    await eventually(() => expect(live.messages).toHaveLength(1));
    expect(live.messages[0]).toEqual({ cursor: expect.any(String), reset: false, omittedCount: 0, events: [] });
    await seed().claim('a', { cn1: { VCPU: 1 } });
    await seed().claim('b', { cn1: { VCPU: 1 } });
    await eventually(() => expect(live.messages.flatMap(({ events }) => events)).toHaveLength(2));
    await client.close();
  });

  test('continues from a cursor with what was written since, at another gateway', async () => {
    const client = await startSubscriber(server.url);
    const live = client.subscribe<Batch>(eventsOf);
    await eventually(() => expect(live.messages).toHaveLength(1));
    await client.close();
    await seed().claim('meanwhile', { cn1: { VCPU: 1 } });
    const other = await start();
    const again = await startSubscriber(other.url);
    const resumed = again.subscribe<Batch>(eventsOf, { after: live.messages[0]?.cursor });
    await eventually(() => expect(resumed.messages.flatMap(({ events }) => events)).toHaveLength(1));
    await again.close();
    await other.close();
  });

  test('to the map sends the hosts that have changed, with their current values', async () => {
    const { cursor } = await askMap();
    const client = await startSubscriber(server.url);
    const live = client.subscribe<Change>(changesOf, { after: cursor, classes: ['VCPU'] });
    await seed().claim('c', { cn1: { VCPU: 2 } });
    await eventually(() => expect(live.messages.length).toBeGreaterThan(0));
    const used = (await database.own`select used from inventories`)[0]?.used;
    await eventually(() =>
      expect(live.messages.at(-1)).toEqual({
        cursor: expect.any(String),
        reset: false,
        names: ['cn1'],
        flags: [0],
        classes: [{ used: [Number(used)], capacity: [16] }],
      }),
    );
    await client.close();
  });

  test('that others have, too, gets its own selection', async () => {
    const { cursor } = await askMap();
    const query = `subscription A($after: String!, $flags: Boolean!) { cloudMapChanges(after: $after, resourceClasses: []) { names flags @include(if: $flags) } }
      subscription B($after: String!) { cloudMapChanges(after: $after, resourceClasses: []) { reset } }`;
    const client = await startSubscriber(server.url);
    const [both, names, reset, again] = [
      client.subscribe(query, { after: cursor, flags: true }, 'A'),
      client.subscribe(query, { after: cursor, flags: false }, 'A'),
      client.subscribe(query, { after: cursor }, 'B'),
      client.subscribe(query, { after: cursor }, 'B'),
    ];
    await seed().claim('d', { cn1: { VCPU: 1 } });
    await eventually(() => expect(both.messages[0]).toEqual({ names: ['cn1'], flags: [0] }));
    await eventually(() => expect(names.messages[0]).toEqual({ names: ['cn1'] }));
    for (const one of [reset, again]) await eventually(() => expect(one.messages[0]).toEqual({ reset: false }));
    await client.close();
  });

  test('to the map ends with a reset when a class is deleted', async () => {
    await seed().write('create_resource_class', { name: 'CUSTOM_GONE' });
    const { cursor } = await askMap();
    const client = await startSubscriber(server.url);
    const live = client.subscribe<Change>(changesOf, { after: cursor, classes: ['VCPU', 'CUSTOM_GONE'] });
    await seed().provider(randomUUID(), { inventories: { VCPU: 4 } });
    await eventually(() => expect(live.messages.length).toBeGreaterThan(0));
    await seed().write('delete_resource_class', { name: 'CUSTOM_GONE' });
    await eventually(() => expect(live.isComplete).toBe(true));
    expect(live.messages.at(-1)).toMatchObject({ reset: true, names: [] });
    await client.close();
  });
});

describe('over a socket is refused', () => {
  test.each([
    ['a query', '{ serviceInfo { version } }', 'BAD_REQUEST'],
    ['an invalid document', 'subscription { events { nothing } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['a malformed document', 'subscription {', 'GRAPHQL_PARSE_FAILED'],
    ['an unknown class', 'subscription { cloudMapChanges(after: "x", resourceClasses: ["CUSTOM_NONE"]) { cursor } }', 'BAD_USER_INPUT'],
    ['a cursor of another list', `subscription { events(after: "eA") { cursor } }`, 'BAD_USER_INPUT'],
    ['too many events', 'subscription { events(atMost: 1001) { cursor } }', 'BAD_USER_INPUT'],
  ])('%s', async (_, query, code) => {
    const client = await startSubscriber(server.url);
    const live = client.subscribe(query);
    await eventually(() => expect(live.refused[0]?.[0]?.extensions.code).toBe(code));
    await client.close();
  });

  test('a ninth subscription', async () => {
    const client = await startSubscriber(server.url);
    const all = Array.from({ length: limits.socketSubscriptions + 1 }, () => client.subscribe<Batch>(eventsOf));
    await eventually(() => expect(all.at(-1)?.refused[0]?.[0]?.message).toMatch(/at most 8/));
    await eventually(() => expect(all.filter(({ messages }) => messages.length > 0)).toHaveLength(limits.socketSubscriptions));
    await client.close();
  });
});

test('an id that is reused before its former subscription has ended closes the socket, and nothing continues', async () => {
  const client = await startSubscriber(server.url);
  const query = 'subscription Twice { events { cursor } }';
  const subscribe = { id: 'twice', type: 'subscribe', payload: { query } };
  for (const message of [subscribe, { id: 'twice', type: 'complete' }, subscribe]) client.socket.send(JSON.stringify(message));
  expect((await client.closed)[0]).toBe(4409);
  const told = (msg: string) => lines.filter((line) => line.msg === msg && line.operation === 'Twice').length;
  await eventually(() => expect([told('a subscription begins'), told('a subscription ends')]).toEqual([1, 1]));
});

describe('a socket', () => {
  test('without a valid token is closed with 4401', async () => {
    await expect(startSubscriber(server.url, 'a,b')).rejects.toThrow('4401 A valid token is required');
  });

  test.each([
    ['a page of another origin', { origin: 'http://evil.example' }, '403'],
    ['another host name', { host: 'evil.example' }, '421'],
  ])('of %s is not opened', async (_, headers, status) => {
    await expect(openSocket(`${server.url}/graphql`, headers)).rejects.toThrow(status);
  });

  test('of a page of the gateway is opened', async () => {
    const socket = await openSocket(`${server.url}/graphql`, { origin: server.url });
    socket.close();
    await closeOf(socket);
  });

  test('at another address is not found', async () => {
    await expect(openSocket(`${server.url}/placement/resource_providers`)).rejects.toThrow('404');
  });

  test('that sends a large message is closed', async () => {
    const { socket, closed } = await startSubscriber(server.url);
    socket.send('x'.repeat(limits.socketMessageSize + 1));
    expect((await closed)[0]).toBe(1009);
  });

  test('beyond those of one caller is closed with 4429, and there is room again when one leaves', async () => {
    const all = await Promise.all(Array.from({ length: limits.streamsOfCaller }, () => startSubscriber(server.url, 'admin:many')));
    await expect(startSubscriber(server.url, 'admin:many')).rejects.toThrow('4429');
    // Another caller has places of its own.
    await (await startSubscriber(server.url, 'admin:other')).close();
    await all[0]?.close();
    await eventually(() => expect(all[0]?.socket.readyState).toBe(3));
    await vi.waitFor(async () => (await startSubscriber(server.url, 'admin:many')).close(), { timeout: 30_000 });
    await Promise.all(all.slice(1).map((one) => one.close()));
  });

  test('that does not answer pings is closed', async () => {
    const own = await start({}, 50);
    const client = await startSubscriber(own.url, 'admin:silent');
    client.socket.pause();
    await eventually(() => expect(lines.some(({ msg }) => msg === 'a socket is closed: its client does not answer')).toBe(true));
    client.socket.terminate();
    await own.close();
  });

  test('is told at once to reconnect when the gateway stops', async () => {
    const own = await start();
    const client = await startSubscriber(own.url);
    const live = client.subscribe<Batch>(eventsOf);
    await eventually(() => expect(live.messages).toHaveLength(1));
    const stopped = own.close();
    expect((await client.closed)[0]).toBe(1012);
    await stopped;
  });
});

describe('of callers with tokens', () => {
  const path = useTokensFile();
  const startStatic = () => start({ PLACEMENT_AUTH: 'static', PLACEMENT_TOKENS_FILE: path }, 50);

  test('a socket is closed with 4401 soon after its token was revoked', async () => {
    const token = await tokenFor(path, 'nova', ['admin']);
    const own = await startStatic();
    const client = await startSubscriber(own.url, token);
    const live = client.subscribe<Batch>(eventsOf);
    await eventually(() => expect(live.messages).toHaveLength(1));
    const [{ id } = { id: '' }] = JSON.parse(readFileSync(path, 'utf8')).tokens as { id: string }[];
    await revokeToken(path, id);
    expect((await client.closed)[0]).toBe(4401);
    await own.close();
  });

  test('a reader of a project gets its own events, without cursors, and no map', async () => {
    const token = await tokenFor(path, 'ann', ['reader'], { project: 'blue' });
    const own = await startStatic();
    const client = await startSubscriber(own.url, token);
    const withCursor = client.subscribe(eventsOf);
    const map = client.subscribe(changesOf, { after: 'x', classes: [] });
    const others = client.subscribe('subscription { events(filter: { projects: ["red"] }) { reset } }');
    const live = client.subscribe<Batch>('subscription { events { reset events { kind changes { nodes { action } } } } }');
    await eventually(() => expect(live.messages).toHaveLength(1));
    for (const refused of [withCursor, map, others]) {
      await eventually(() => expect(refused.refused[0]?.[0]?.extensions.code).toBe('FORBIDDEN'));
      expect(refused.messages).toEqual([]);
    }
    await seed().claim('theirs', { cn1: { VCPU: 1 } }, { project: 'red' });
    await seed().claim('ours', { cn1: { VCPU: 1 } }, { project: 'blue' });
    const told = { kind: 'REPLACE_ALLOCATIONS', changes: { nodes: [{ action: 'CREATED' }] } };
    await eventually(() => expect(live.messages.slice(1)).toEqual([{ reset: false, events: [told] }]));
    await client.close();
    await own.close();
  });
});

test('the log has a line for the beginning and one for the end', async () => {
  const client = await startSubscriber(server.url, 'admin:logged');
  client.subscribe<Batch>(eventsOf);
  await eventually(() => expect(lines.some(({ project, msg }) => project === 'logged' && msg === 'a subscription begins')).toBe(true));
  client.unsubscribe();
  await eventually(() =>
    expect(lines.find(({ project, msg }) => project === 'logged' && msg === 'a subscription ends')).toMatchObject({
      operation: 'Live',
      user: 'admin',
    }),
  );
  await client.close();
});
