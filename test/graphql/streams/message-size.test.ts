// Examination. Messages of subscriptions have bounds: larger ones are split into several, in the order of the ledger and each with its cursor, or end the
// subscription with the reason; heavy ones wait for their turn.
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { limits } from '../../../src/domain/limits.ts';
import { type RunningServer, startServer } from '../../../src/listener/server.ts';
import { createLogger } from '../../../src/logs/process-log.ts';
import { HeavyWork } from '../../../src/operations/request/heavy-work.ts';
import { readSettings } from '../../../src/settings/settings.ts';
import { useDatabase } from '../../support/database.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';
import { type Answer, type Subscriber, startSubscriber } from '../../support/sockets.ts';

interface Batch {
  readonly cursor: string;
  readonly omittedCount: number;
  readonly events: readonly { readonly id: string; readonly changes: { readonly nodes: readonly object[] } }[];
}

const database = useDatabase();
const { log } = createLogger({ level: 'silent' });
const consumersOfEvent = 200;
const events = 40;
let server: RunningServer;
let subscriber: Subscriber;
let heavyWork: HeavyWork;
let beginning: string;

const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 20 });
const start = async (environment: Record<string, string> = {}) => {
  heavyWork = new HeavyWork({ atOnce: 1 });
  const { settings } = readSettings({ PLACEMENT_PORT: '0', ...environment });
  server = await startServer({ settings, db: database.db, log, heavyWork });
  subscriber = await startSubscriber(server.url);
};

beforeEach(() => start());
afterEach(async () => {
  await subscriber.close();
  await server.close();
});

beforeAll(async () => {
  await start();
  const first = subscriber.subscribe<Batch>('subscription { events { cursor } }');
  await eventually(() => expect(first.messages).toHaveLength(1));
  beginning = first.messages[0]?.cursor ?? '';
  await server.close();
  const seed = createSeed(database.db);
  await seed.provider('cn1', { inventories: { VCPU: 1_000_000, MEMORY_MB: 1_000_000 } });
  const amounts = { VCPU: 1, MEMORY_MB: 1 };
  const allocations = Object.entries(amounts).map(([resourceClass, amount]) => ({ provider: uuidOf('cn1'), resourceClass, amount }));
  const consumer = (name: string) => ({
    ...{ uuid: uuidOf(name), expect: { isNew: true }, project: 'p1', user: 'u1', type: 'INSTANCE', keepType: false },
    allocations,
  });
  await seed.names({ projects: ['p1'], users: ['u1'], types: ['INSTANCE'] });
  for (let event = 0; event < events; event++) {
    const consumers = Array.from({ length: consumersOfEvent }, (_, index) => consumer(`${event} ${index}`));
    await seed.write('replace_allocations', { consumers });
  }
});

const change = '... on ConsumerChange { consumerUuid allocations { resourceProviderUuid resourceClassName before after } }';
const wide = `subscription ($after: String, $atMost: Int) { events(after: $after, atMost: $atMost) { cursor omittedCount events { id changes(first: 1000) { nodes { ${change} } } } } }`;
const idsOf = (messages: readonly Batch[]) => messages.flatMap((message) => message.events.map(({ id }) => id));

test('events with too many objects for a message come in several, each event once and whole, and each message has a cursor to continue from', async () => {
  const heard = subscriber.subscribe<Batch>(wide, { after: beginning });
  await eventually(() => expect(idsOf(heard.messages).length).toBeGreaterThanOrEqual(events));
  const ids = idsOf(heard.messages);
  expect(new Set(ids).size).toBe(ids.length);
  const most = Math.max(...heard.messages.map((message) => message.events.reduce((sum, { changes }) => sum + 3 * changes.nodes.length, 0)));
  expect(most).toBeLessThanOrEqual(2 * limits.streamMessageCost);
  expect(heard.messages.length).toBeGreaterThan(2);
  expect(Math.max(...heard.messages.map((message) => JSON.stringify(message).length))).toBeLessThanOrEqual(limits.streamMessageSize);
  for (const place of [0, 1, heard.messages.length - 2]) {
    const again = subscriber.subscribe<Batch>(wide, { after: heard.messages[place]?.cursor });
    const expected = idsOf(heard.messages.slice(place + 1));
    await eventually(() => expect(idsOf(again.messages)).toEqual(expected));
  }
});

test('the number of omitted events is reported once', async () => {
  const heard = subscriber.subscribe<Batch>(wide, { after: beginning, atMost: 30 });
  await eventually(() => expect(idsOf(heard.messages)).toHaveLength(30));
  const omitted = heard.messages.map(({ omittedCount }) => omittedCount).filter((count) => count > 0);
  expect(omitted).toEqual([expect.any(Number)]);
});

test('an event that is too long for a message ends the subscription with the reason, and the last cursor stays valid', async () => {
  const names = Array.from({ length: 45 }, (_, index) => `${'x'.repeat(1000)}${index}: action`);
  const long = wide.replace('nodes {', `nodes { ${names.join(' ')}`);
  const heard = subscriber.subscribe<Batch & Answer>(long, { after: beginning });
  await eventually(() => expect(heard.isComplete).toBe(true));
  expect(heard.messages.at(-1)?.errors?.[0]).toMatchObject({
    message: expect.stringContaining('A single event'),
    extensions: { code: 'COST_LIMIT_EXCEEDED', measure: 'bytes', limit: limits.streamMessageSize },
  });
  const narrow = wide.replace('first: 1000', 'first: 2');
  const again = subscriber.subscribe<Batch>(narrow, { after: heard.messages.at(-2)?.cursor ?? beginning });
  await eventually(() => expect(idsOf(again.messages).length).toBeGreaterThanOrEqual(events));
});

test('a heavy message waits for its turn, light ones do not', async () => {
  let letOn = () => {};
  const gate = new Promise<void>((resolve) => {
    letOn = resolve;
  });
  const busy = heavyWork.run(null, () => gate);
  const heavy = subscriber.subscribe<Batch>(wide, { after: beginning });
  await eventually(() => expect(heavyWork.state.waiting).toBe(1));
  const light = subscriber.subscribe<Batch>('subscription { events { cursor } }');
  await eventually(() => expect(light.messages).toHaveLength(1));
  expect(heavy.messages).toEqual([]);
  letOn();
  await busy;
  await eventually(() => expect(idsOf(heavy.messages).length).toBeGreaterThanOrEqual(events));
});

test('a message that turns out heavy waits for its turn, light ones do not', async () => {
  const seed = createSeed(database.db);
  const of = (amount: number) => Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`CUSTOM_C${index}`, amount]));
  const providers = Array.from({ length: limits.lightMessageCost / 100 }, (_, index) => `wide ${index}`);
  for (const provider of providers) await seed.provider(provider, { inventories: of(2) });
  // Beside the consumer each provider has changed.
  const made = 'changes(first: 100) { nodes { ... on ConsumerChange { allocations { after } } } }';
  const heavy = subscriber.subscribe<Batch>(`subscription { events { cursor events { id ${made} } } }`);
  const light = subscriber.subscribe<Batch>('subscription { events { cursor events { id } } }');
  await eventually(() => expect([heavy.messages.length, light.messages.length]).toEqual([1, 1]));
  let letOn = () => {};
  const busy = heavyWork.run(
    null,
    () =>
      new Promise<void>((resolve) => {
        letOn = resolve;
      }),
  );
  // Most of what an event may have is seldom there, so a single one does not wait for that.
  await seed.claim('holder of one', { [providers[0] as string]: { CUSTOM_C0: 1 } });
  await eventually(() => expect([idsOf(heavy.messages).length, idsOf(light.messages).length]).toEqual([1, 1]));
  await seed.claim('holder of all', Object.fromEntries(providers.map((provider) => [provider, of(1)])));
  await eventually(() => expect([heavyWork.state.waiting, idsOf(light.messages).length]).toEqual([1, 2]));
  expect(idsOf(heavy.messages)).toHaveLength(1);
  letOn();
  await busy;
  await eventually(() => expect(idsOf(heavy.messages)).toEqual(idsOf(light.messages)));
});

test('messages are charged to the budget of the caller', async () => {
  await subscriber.close();
  await server.close();
  // A message has so many objects that the budget needs a minute to recover.
  await start({ PLACEMENT_CALLER_COST: '*=10000' });
  subscriber.subscribe<Batch>(wide, { after: beginning });
  const asked = { method: 'POST', headers: { 'content-type': 'application/json', 'x-auth-token': 'admin' } };
  const ask = () => fetch(`${server.url}/graphql`, { ...asked, body: JSON.stringify({ query: '{ serviceInfo { version } }' }) });
  await eventually(async () => expect((await ask()).status).toBe(429));
});
