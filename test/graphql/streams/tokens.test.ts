// Streams whose token is revoked or expires, whether from the file of tokens or from Keystone, over both transports.
import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { revokeToken } from '../../../src/commands/token.ts';
import { type RunningServer, startServer } from '../../../src/listener/server.ts';
import { createLogger } from '../../../src/logs/process-log.ts';
import { readSettings } from '../../../src/settings/settings.ts';
import { useDatabase } from '../../support/database.ts';
import { type FakeKeystone, inSeconds, settingsFor, startFakeKeystone } from '../../support/fake-keystone.ts';
import { createSeed } from '../../support/seed.ts';
import { startSubscriber } from '../../support/sockets.ts';
import { tokenFor, useTokensFile } from '../../support/tokens-file.ts';

const database = useDatabase();
const { log } = createLogger({ level: 'error', write: () => {} });
const ends: (() => Promise<void>)[] = [];

async function start(environment: Readonly<Record<string, string>>): Promise<RunningServer> {
  const server = await startServer({
    settings: readSettings({ PLACEMENT_PORT: '0', ...environment }).settings,
    db: database.db,
    log,
    streamPing: 50,
  });
  ends.push(() => server.close());
  return server;
}

beforeAll(() => createSeed(database.db).provider('cn1', { inventories: { VCPU: 1000 } }));
afterEach(async () => {
  vi.useRealTimers();
  for (const end of ends.splice(0).reverse()) await end();
});

const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 30_000, interval: 20 });
const subscription = 'subscription { events { reset events { kind } } }';

/** A stream of server-sent events: its text so far, and when it ends. */
async function openStream(url: string, token: string): Promise<{ text: string; readonly ended: Promise<void> }> {
  const response = await fetch(`${url}/graphql/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-token': token },
    body: JSON.stringify({ query: subscription }),
  });
  expect(response.status).toBe(200);
  const stream = { text: '', ended: Promise.resolve() };
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) stream.text += decoder.decode(piece as Uint8Array);
  };
  stream.ended = read();
  await eventually(() => expect(stream.text).toContain('event: next'));
  return stream;
}

/** Follows the ledger over both transports, and expects both to end without a valid token. */
async function follow(url: string, token: string) {
  const stream = await openStream(url, token);
  const socket = await startSubscriber(url, token);
  const live = socket.subscribe<{ readonly events: readonly object[] }>(subscription);
  await eventually(() => expect(live.messages).toHaveLength(1));
  return {
    stream,
    live,
    async expectEnd() {
      expect((await socket.closed)[0]).toBe(4401);
      await stream.ended;
      expect(stream.text).toMatch(/"code":"UNAUTHENTICATED".*\n\nevent: complete\ndata:\n\n$/);
    },
  };
}

/** Makes the clock of the gateway and of Keystone jump; timers continue. */
function jumpAhead(seconds: number): void {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(now + seconds * 1000);
}

describe('with a token of the file', () => {
  const path = useTokensFile();
  const settings = { PLACEMENT_AUTH: 'static', PLACEMENT_TOKENS_FILE: path };

  test('a stream ends soon after it was revoked', async () => {
    const token = await tokenFor(path, 'revoked', ['admin']);
    const { url } = await start(settings);
    const following = await follow(url, token);
    const tokens = JSON.parse(readFileSync(path, 'utf8')).tokens as { id: string; user: string }[];
    await revokeToken(path, tokens.find(({ user }) => user === 'revoked')?.id ?? '');
    await following.expectEnd();
  });

  test('a stream ends soon after it has expired', async () => {
    const token = await tokenFor(path, 'expired', ['admin'], { expiresAt: inSeconds(3600) });
    const { url } = await start(settings);
    const following = await follow(url, token);
    jumpAhead(3601);
    await following.expectEnd();
  });
});

describe('with a token of Keystone', () => {
  const roles = [{ id: '1', name: 'admin' }];

  async function startWithKeystone(cacheSeconds: number): Promise<{ url: string; keystone: FakeKeystone }> {
    const keystone = await startFakeKeystone();
    ends.push(() => keystone.close());
    keystone.tokens.set('good', { roles, expires_at: inSeconds(3600) });
    const { url } = await start(settingsFor(keystone, { PLACEMENT_KEYSTONE_TOKEN_CACHE_TIME: String(cacheSeconds) }));
    return { url, keystone };
  }

  test('a stream ends soon after it was revoked', async () => {
    const { url, keystone } = await startWithKeystone(0);
    const following = await follow(url, 'good');
    keystone.tokens.delete('good');
    await following.expectEnd();
  });

  test('a stream ends when it expires, though it was validated a moment ago', async () => {
    const { url } = await startWithKeystone(7200);
    const following = await follow(url, 'good');
    jumpAhead(3601);
    await following.expectEnd();
  });

  test('a stream ends with FORBIDDEN when the token has lost its roles', async () => {
    const { url, keystone } = await startWithKeystone(0);
    const stream = await openStream(url, 'good');
    keystone.tokens.set('good', { roles: [{ id: '2', name: 'stranger' }] });
    await stream.ended;
    expect(stream.text).toMatch(/"code":"FORBIDDEN".*\n\nevent: complete\ndata:\n\n$/);
  });

  test('a stream continues while Keystone is away, and ends once Keystone rejects the token again', async () => {
    const { url, keystone } = await startWithKeystone(0);
    const following = await follow(url, 'good');
    let refused = 0;
    keystone.onValidate = (_request, response) => {
      refused += 1;
      response.writeHead(503).end();
      return true;
    };
    await eventually(() => expect(refused).toBeGreaterThan(3));
    await createSeed(database.db).claim(crypto.randomUUID(), { cn1: { VCPU: 1 } });
    await eventually(() => expect(following.live.messages.flatMap(({ events }) => events)).toHaveLength(1));
    await eventually(() => expect(following.stream.text).toContain('REPLACE_ALLOCATIONS'));
    keystone.tokens.delete('good');
    keystone.onValidate = () => false;
    await following.expectEnd();
  });
});
