// Streams whose callers lose rights, over both transports: a token that ends, a role or a rule that is removed; and how outages of Keystone affect them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type RunningServer, startServer } from '../../../src/listener/server.ts';
import { createLogger } from '../../../src/logs/process-log.ts';
import { readSettings } from '../../../src/settings/settings.ts';
import { useDatabase } from '../../support/database.ts';
import { type FakeKeystone, inSeconds, settingsFor, startFakeKeystone, validations } from '../../support/fake-keystone.ts';
import { createSeed } from '../../support/seed.ts';
import { type Answer, startSubscriber } from '../../support/sockets.ts';
import { tokenFor, useTokensFile } from '../../support/tokens-file.ts';

const database = useDatabase();
const { log } = createLogger({ level: 'error', write: () => {} });
const ends: (() => Promise<unknown>)[] = [];
/** Longer than any test: callers are checked again only when the test causes it. */
const never = 600_000;

interface Times {
  readonly streamPing?: number;
  readonly streamDoubt?: number;
}

async function start(environment: Readonly<Record<string, string>>, times: Times = {}): Promise<RunningServer> {
  const { settings } = readSettings({ PLACEMENT_PORT: '0', ...environment });
  const server = await startServer({ settings, db: database.db, log, streamPing: never, ...times });
  ends.push(() => server.close());
  return server;
}

beforeAll(() => createSeed(database.db).provider('cn1', { inventories: { VCPU: 1_000_000 } }));
afterEach(async () => {
  vi.useRealTimers();
  for (const end of ends.splice(0).reverse()) await end();
});

const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 30_000, interval: 20 });
const write = () => createSeed(database.db).claim(crypto.randomUUID(), { cn1: { VCPU: 1 } });

const whole = 'subscription { events { cursor events { kind } } }';
const own = 'subscription { events { events { kind changes { nodes { ... on ConsumerChange { project { after } } } } } } }';
type Batch = { readonly cursor?: string; readonly events: readonly object[] } & Answer;

async function listen(url: string, token: string) {
  const client = await startSubscriber(url, token);
  ends.push(async () => client.socket.terminate());
  return client;
}

/** A stream of server-sent events: its text so far, and its end. */
async function openStream(url: string, token: string, query = whole): Promise<{ text: string; isOver: boolean }> {
  const abort = new AbortController();
  ends.push(async () => abort.abort());
  const response = await fetch(`${url}/graphql/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-token': token },
    body: JSON.stringify({ query }),
    signal: abort.signal,
  });
  expect(response.status).toBe(200);
  const stream = { text: '', isOver: false };
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) stream.text += decoder.decode(piece as Uint8Array);
    stream.isOver = true;
  };
  read().catch(() => {});
  await eventually(() => expect(stream.text).toContain('event: next'));
  return stream;
}

const codesOf = (messages: readonly Answer[]) => messages.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions.code));

describe('with a token of Keystone', () => {
  const admin = { roles: [{ id: '1', name: 'admin' }] };
  const reader = { roles: [{ id: '2', name: 'reader' }] };
  const down: FakeKeystone['onValidate'] = (_request, response) => {
    response.writeHead(503).end();
    return true;
  };

  async function startWithKeystone(times: Times = {}): Promise<{ url: string; keystone: FakeKeystone }> {
    const keystone = await startFakeKeystone();
    ends.push(() => keystone.close());
    keystone.tokens.set('ann', admin);
    const { url } = await start(settingsFor(keystone, { PLACEMENT_KEYSTONE_TOKEN_CACHE_TIME: '0' }), times);
    return { url, keystone };
  }

  test.each([
    ['that was not checked since', never],
    ['that was checked since', 50],
  ])('a new subscription of a socket %s has the remaining rights', async (_, streamPing) => {
    const { url, keystone } = await startWithKeystone({ streamPing });
    const client = await listen(url, 'ann');
    const before = client.subscribe<Batch>(whole);
    await eventually(() => expect(before.messages).toHaveLength(1));
    keystone.tokens.set('ann', reader);
    if (streamPing !== never) await eventually(() => expect(codesOf(before.messages)).toEqual(['FORBIDDEN']));
    const refused = client.subscribe<Batch>(whole);
    await eventually(() => expect(refused.refused[0]?.[0]?.extensions.code).toBe('FORBIDDEN'));
    const ownOnly = client.subscribe<Batch>(own);
    await eventually(() => expect(ownOnly.messages).toHaveLength(1));
    await write();
    await createSeed(database.db).claim(crypto.randomUUID(), { cn1: { VCPU: 1 } }, { project: 'web-id' });
    await eventually(() => expect(ownOnly.messages.flatMap(({ events }) => events)).toHaveLength(1));
    expect(ownOnly.messages.flatMap(({ events }) => events)).toEqual([
      { kind: 'REPLACE_ALLOCATIONS', changes: { nodes: [{ project: { after: 'web-id' } }] } },
    ]);
  });

  test('a subscription to everything ends once its caller may read only its own project', async () => {
    const { url, keystone } = await startWithKeystone({ streamPing: 50 });
    const client = await listen(url, 'ann');
    const live = client.subscribe<Batch>(own);
    await eventually(() => expect(live.messages).toHaveLength(1));
    keystone.tokens.set('ann', reader);
    await eventually(() => expect([live.isComplete, ...codesOf(live.messages)]).toEqual([true, 'FORBIDDEN']));
  });

  test('a new role counts for the next subscription', async () => {
    const { url, keystone } = await startWithKeystone();
    keystone.tokens.set('ann', reader);
    const client = await listen(url, 'ann');
    const refused = client.subscribe<Batch>(whole);
    await eventually(() => expect(refused.refused).toHaveLength(1));
    keystone.tokens.set('ann', admin);
    const allowed = client.subscribe<Batch>(whole);
    await eventually(() => expect(allowed.messages).toHaveLength(1));
  });

  test('a socket is closed when it subscribes with a token that was revoked', async () => {
    const { url, keystone } = await startWithKeystone();
    const client = await listen(url, 'ann');
    keystone.tokens.delete('ann');
    client.subscribe<Batch>(whole);
    expect((await client.closed)[0]).toBe(4401);
  });

  test('a token that now belongs to another project is not taken for the same', async () => {
    const { url, keystone } = await startWithKeystone();
    const client = await listen(url, 'ann');
    keystone.tokens.set('ann', { ...admin, project: { id: 'other-id', name: 'other', domain: { id: 'default' } } });
    client.subscribe<Batch>(whole);
    expect((await client.closed)[0]).toBe(4401);
  });

  test('a new subscription while Keystone is away is UNAVAILABLE; open ones continue', async () => {
    const { url, keystone } = await startWithKeystone({ streamPing: 50, streamDoubt: never });
    const client = await listen(url, 'ann');
    const running = client.subscribe<Batch>(whole);
    await eventually(() => expect(running.messages).toHaveLength(1));
    keystone.onValidate = down;
    // A subscription shares a validation that is in progress, and that one may have begun before the outage.
    const asked = validations(keystone).length;
    await eventually(() => expect(validations(keystone).length).toBeGreaterThan(asked));
    const refused = client.subscribe<Batch>(whole);
    await eventually(() => expect(refused.refused[0]?.[0]?.extensions).toMatchObject({ code: 'UNAVAILABLE', retry: 'LATER' }));
    await write();
    await eventually(() => expect(running.messages.flatMap(({ events }) => events)).toHaveLength(1));
  });

  test('a token that expires while Keystone is away ends its streams before the next message', async () => {
    const { url, keystone } = await startWithKeystone({ streamDoubt: never });
    keystone.tokens.set('ann', { ...admin, expires_at: inSeconds(3600) });
    const client = await listen(url, 'ann');
    const live = client.subscribe<Batch>(whole);
    await eventually(() => expect(live.messages).toHaveLength(1));
    const stream = await openStream(url, 'ann');
    keystone.onValidate = down;
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(now + 3_601_000);
    await write();
    await eventually(() => expect([live.isComplete, stream.isOver]).toEqual([true, true]));
    expect(codesOf(live.messages)).toEqual(['UNAUTHENTICATED']);
    expect(live.messages.flatMap(({ events = [] }) => events)).toEqual([]);
    expect(stream.text).toMatch(/"code":"UNAUTHENTICATED".*\n\nevent: complete\ndata:\n\n$/);
    expect(stream.text).not.toContain('REPLACE_ALLOCATIONS');
  });

  test('streams end as UNAVAILABLE if Keystone is away for longer than callers may stay unchecked', async () => {
    const { url, keystone } = await startWithKeystone({ streamPing: 50, streamDoubt: 300 });
    const client = await listen(url, 'ann');
    const stream = await openStream(url, 'ann');
    keystone.onValidate = down;
    expect((await client.closed)[0]).toBe(1013);
    await eventually(() => expect(stream.isOver).toBe(true));
    expect(stream.text).toMatch(/"code":"UNAVAILABLE".*\n\nevent: complete\ndata:\n\n$/);
  });
});

describe('with rules of a file', () => {
  const path = useTokensFile();
  const rules = join(path, '..', 'policy.yaml');
  const settings = { PLACEMENT_AUTH: 'static', PLACEMENT_TOKENS_FILE: path, PLACEMENT_POLICY_FILE: rules };

  test('removing a rule ends the streams that it allowed at the next message; streams of others with shared answers continue', async () => {
    writeFileSync(rules, '"placement:graphql:ledger:read": "role:auditor or user_id:bob"\n', { mode: 0o600 });
    const [ann, bob] = [await tokenFor(path, 'ann', ['auditor']), await tokenFor(path, 'bob', ['auditor'])];
    const { url } = await start(settings);
    const clients = await Promise.all([ann, bob].map((token) => listen(url, token)));
    const streams = await Promise.all([ann, bob].map((token) => openStream(url, token)));
    const lives = clients.map((client) => client.subscribe<Batch>(whole));
    for (const live of lives) await eventually(() => expect(live.messages).toHaveLength(1));
    await write();
    for (const live of lives) await eventually(() => expect(live.messages.flatMap(({ events }) => events)).toHaveLength(1));

    writeFileSync(rules, '"placement:graphql:ledger:read": "user_id:bob"\n');
    const [ofAnn, ofBob] = lives;
    await eventually(async () => {
      await write();
      expect(ofAnn?.isComplete).toBe(true);
    });
    expect(codesOf(ofAnn?.messages ?? [])).toEqual(['FORBIDDEN']);
    await eventually(() => expect(streams[0]).toMatchObject({ isOver: true, text: expect.stringContaining('"code":"FORBIDDEN"') }));
    const told = ofBob?.messages.flatMap(({ events }) => events).length ?? 0;
    await write();
    await eventually(() => expect(ofBob?.messages.flatMap(({ events }) => events).length).toBeGreaterThan(told));
    expect([ofBob?.isComplete, streams[1]?.isOver]).toEqual([false, false]);
  });

  test('callers that may read everything share answers only with each other; a reader of a project gets its own', async () => {
    writeFileSync(rules, '{}\n', { mode: 0o600 });
    const tokens = [
      await tokenFor(path, 'auditor', ['auditor']),
      await tokenFor(path, 'administrator', ['admin']),
      await tokenFor(path, 'reader', ['reader'], { project: 'blue' }),
      await tokenFor(path, 'second', ['reader'], { project: 'green' }),
    ];
    const { url } = await start(settings);
    const clients = await Promise.all(tokens.map((token) => listen(url, token)));
    const lives = clients.map((client) => client.subscribe<Batch>(own));
    for (const live of lives) await eventually(() => expect(live.messages).toHaveLength(1));
    for (const project of ['blue', 'green', 'blue']) {
      await createSeed(database.db).claim(crypto.randomUUID(), { cn1: { VCPU: 1 } }, { project });
    }
    const eventsOf = (index: number) => lives[index]?.messages.flatMap(({ events }) => events) ?? [];
    await eventually(() => expect(lives.map((_, index) => eventsOf(index).length)).toEqual([3, 3, 2, 1]));
    expect(eventsOf(0)).toEqual(eventsOf(1));
    expect(JSON.stringify(eventsOf(2))).not.toContain('green');
    expect(JSON.stringify(eventsOf(3))).not.toContain('blue');
  });
});
