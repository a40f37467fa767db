// Streams whose token is revoked or expires, whether from the file of tokens or from Keystone, over both transports.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { revokeToken } from '../../../src/commands/token.ts';
import { limits } from '../../../src/domain/limits.ts';
import { type RunningServer, startServer } from '../../../src/listener/server.ts';
import { createLogger } from '../../../src/logs/process-log.ts';
import { readSettings } from '../../../src/settings/settings.ts';
import { useDatabase } from '../../support/database.ts';
import { type FakeKeystone, inSeconds, settingsFor, startFakeKeystone } from '../../support/fake-keystone.ts';
import { createSeed } from '../../support/seed.ts';
import { floodWithSockets, startSubscriber } from '../../support/sockets.ts';
import { tokenFor, useTokensFile } from '../../support/tokens-file.ts';

const database = useDatabase();
const { log } = createLogger({ level: 'error', write: () => {} });
const ends: (() => Promise<void>)[] = [];

/** By default, callers are checked again and again. */
async function start(environment: Readonly<Record<string, string>>, streamPing = 50): Promise<RunningServer> {
  const server = await startServer({
    settings: readSettings({ PLACEMENT_PORT: '0', ...environment }).settings,
    db: database.db,
    log,
    streamPing,
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

  async function startWithKeystone(cacheSeconds: number, more = {}, streamPing?: number): Promise<{ url: string; keystone: FakeKeystone }> {
    const keystone = await startFakeKeystone();
    ends.push(() => keystone.close());
    keystone.tokens.set('good', { roles, expires_at: inSeconds(3600) });
    const { url } = await start(settingsFor(keystone, { PLACEMENT_KEYSTONE_TOKEN_CACHE_TIME: String(cacheSeconds), ...more }), streamPing);
    return { url, keystone };
  }

  test('a socket is not closed to make room for others while Keystone validates its token', async () => {
    const { url, keystone } = await startWithKeystone(300, {}, limits.streamPing);
    let validate = () => {};
    keystone.onValidate = (request, response) => {
      if (validations.length > 0) return false;
      validations.push(String(request.headers['x-subject-token']));
      validate = () => {
        keystone.onValidate = () => false;
        const body = { user: { id: 'ann' }, project: { id: 'web', domain: { id: 'default' } }, roles, expires_at: inSeconds(3600) };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ token: { methods: [], ...body } }));
      };
      return true;
    };
    const validations: string[] = [];
    const early = startSubscriber(url, 'good');
    await eventually(() => expect(validations).toEqual(['good']));
    const codes = await floodWithSockets(url, Array(limits.unknownSockets + 20).fill(''));
    expect(codes.filter((code) => code === 4429)).toHaveLength(20);
    validate();
    await (await early).close();
  });

  test('a socket needs an access rule for its own request, as any other does', async () => {
    const { url, keystone } = await startWithKeystone(300);
    for (const method of ['GET', 'POST']) {
      const rules = [{ id: 'r', service: 'placement', method, path: '/graphql' }];
      keystone.tokens.set(method, { roles, application_credential: { id: 'c', restricted: true, access_rules: rules } });
    }
    await (await startSubscriber(url, 'GET')).close();
    await expect(startSubscriber(url, 'POST')).rejects.toThrow('4401');
  });

  test('each socket that is refused has a line in the audit log', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'placement-sockets-'));
    const path = join(directory, 'audit.log');
    const { url, keystone } = await startWithKeystone(300, { PLACEMENT_AUDIT_LOG: path }, limits.streamPing);
    await expect(startSubscriber(url, 'bad')).rejects.toThrow('4401');
    const open = await Promise.all(Array.from({ length: limits.streamsOfCaller }, () => startSubscriber(url, 'good')));
    await expect(startSubscriber(url, 'good')).rejects.toThrow('4429');
    keystone.onValidate = (_request, response) => {
      response.writeHead(503).end();
      return true;
    };
    await expect(startSubscriber(url, 'unknown')).rejects.toThrow('1013');
    await floodWithSockets(url, Array(limits.unknownSockets + 1).fill(''));
    const line = { request: 'GET /graphql', action: null, user: null };
    await eventually(() =>
      expect(
        readFileSync(path, 'utf8')
          .trim()
          .split('\n')
          .map((text) => JSON.parse(text) as object),
      ).toMatchObject([
        { ...line, outcome: 'unauthenticated', status: 401 },
        { ...line, outcome: 'limited', status: 429, user: 'ann-id' },
        { ...line, outcome: 'unavailable', status: 503 },
        { ...line, outcome: 'limited', status: 429 },
      ]),
    );
    await Promise.all(open.map((one) => one.close()));
    rmSync(directory, { recursive: true });
  });

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
