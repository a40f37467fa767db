// Examination, waiting. How many streams a gateway carries, in total and for each caller, whatever carries them; and what happens to a client that does not read.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { limits } from '../../../src/domain/limits.ts';
import { type RunningServer, startServer } from '../../../src/listener/server.ts';
import { createLogger } from '../../../src/logs/process-log.ts';
import { readSettings } from '../../../src/settings/settings.ts';
import { useDatabase } from '../../support/database.ts';
import { createSeed } from '../../support/seed.ts';
import { floodWithSockets, startSubscriber } from '../../support/sockets.ts';

const database = useDatabase();
const lines: Record<string, unknown>[] = [];
const start = (more: Partial<Parameters<typeof startServer>[0]> = {}) =>
  startServer({
    settings: readSettings({ PLACEMENT_PORT: '0' }).settings,
    db: database.db,
    log: createLogger({ level: 'info', write: (line) => lines.push(JSON.parse(line)) }).log,
    ...more,
  });
beforeAll(() => createSeed(database.db).provider('cn1', { inventories: { VCPU: 1_000_000 } }));

const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 30_000, interval: 20 });

/** Begins a stream of server-sent events; returns a function that ends it. */
async function openStream(
  url: string,
  token: string,
  query = 'subscription { events { reset } }',
  variables: object = {},
): Promise<{ readonly response: Response; readonly leave: () => void }> {
  const abort = new AbortController();
  const response = await fetch(`${url}/graphql/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-token': token },
    body: JSON.stringify({ query, variables }),
    signal: abort.signal,
  });
  return { response, leave: () => abort.abort() };
}

async function expectTooMany({ response }: { readonly response: Response }): Promise<void> {
  const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] };
  expect([response.status, response.headers.get('retry-after') !== null, errors[0]?.extensions.code]).toEqual([429, true, 'RATE_LIMITED']);
}

describe('a gateway', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.close());

  test('with all streams taken refuses one more of any kind and caller, until one ends', async () => {
    const callers = limits.streams / limits.streamsOfCaller;
    const sockets = await Promise.all(
      Array.from({ length: limits.streams - 1 }, (_, index) => startSubscriber(server.url, `user ${index % callers}:project`)),
    );
    const stream = await openStream(server.url, 'admin:last');
    expect(stream.response.status).toBe(200);
    await expect(startSubscriber(server.url, 'admin:late')).rejects.toThrow('4429');
    await expectTooMany(await openStream(server.url, 'admin:late'));
    stream.leave();
    await eventually(async () => (await startSubscriber(server.url, 'admin:late')).close());
    await Promise.all(sockets.map((one) => one.close()));
  });

  test('counts the streams of a caller together, and refuses one more with 429', async () => {
    const sockets = await Promise.all(Array.from({ length: limits.streamsOfCaller / 2 }, () => startSubscriber(server.url, 'admin:mixed')));
    const streams = await Promise.all(Array.from({ length: limits.streamsOfCaller / 2 }, () => openStream(server.url, 'admin:mixed')));
    expect(streams.map(({ response }) => response.status)).toEqual(streams.map(() => 200));
    await expectTooMany(await openStream(server.url, 'admin:mixed'));
    await expect(startSubscriber(server.url, 'admin:mixed')).rejects.toThrow('4429');
    streams[0]?.leave();
    await eventually(async () => {
      const another = await openStream(server.url, 'admin:mixed');
      another.leave();
      expect(another.response.status).toBe(200);
    });
    for (const { leave } of streams) leave();
    await Promise.all(sockets.map((one) => one.close()));
  });
});

describe('sockets that send no token', () => {
  test('take no places of callers, however many there are, and are closed soon', async () => {
    const server = await start();
    const codes = await floodWithSockets(server.url, Array(limits.unknownSockets + 30).fill(''), async () => {
      const caller = await startSubscriber(server.url, 'admin');
      const stream = await openStream(server.url, 'admin');
      expect(stream.response.status).toBe(200);
      stream.leave();
      await caller.close();
    });
    // The oldest made room for the youngest and for the caller, until it had sent its token.
    expect(codes).toEqual([...Array(31).fill(4429), ...Array(limits.unknownSockets - 1).fill(4408)]);
    await server.close();
  });
});

/** A client that begins to read the messages of a subscription, and then stops reading. */
type BeginToRead = (url: string, query: string, variables: object) => Promise<{ readonly leave: () => Promise<unknown> }>;

const slowSocket: BeginToRead = async (url, query, variables) => {
  const slow = await startSubscriber(url, 'admin:slow socket');
  slow.subscribe<object>(query, { ...variables });
  let taken = 0;
  slow.wire.on('data', ({ length }: Buffer) => {
    taken += length;
    if (taken > 1_000_000) slow.wire.pause();
  });
  return { leave: async () => slow.wire.destroy() };
};

const slowStream: BeginToRead = async (url, query, variables) => {
  const { response } = await openStream(url, 'admin:slow stream', query, variables);
  const reader = response.body?.getReader();
  await reader?.read();
  const readOn = async () => {
    while ((await reader?.read())?.done === false);
  };
  // Reads what was on the way; then the answer has no proper end.
  return { leave: () => expect(readOn()).rejects.toThrow('terminated') };
};

test.each([
  ['socket', slowSocket],
  ['stream', slowStream],
] as const)('a client that stops reading is closed, the log says so, and others do not notice: %s', async (kind, beginToRead) => {
  const server = await start({ streamPing: 50, streamStall: 300 });
  const quick = await startSubscriber(server.url, 'admin:quick');
  const heard = quick.subscribe<{ readonly cursor: string; readonly events: readonly object[] }>(
    'subscription { events { cursor events { kind } } }',
  );
  await eventually(() => expect(heard.messages).toHaveLength(1));
  const seed = createSeed(database.db);
  const claims = 400;
  for (let written = 0; written < claims; written += 50) {
    await Promise.all(Array.from({ length: 50 }, () => seed.claim(crypto.randomUUID(), { cn1: { VCPU: 1 } })));
  }
  // Each event repeats the names of its fields: more than 20 MB in a message, which no buffers on the way can take.
  const names = Array.from({ length: limits.operationAliases }, (_, index) => `${'x'.repeat(1100)}${index}: kind`);
  const { leave } = await beginToRead(
    server.url,
    `subscription ($after: String) { events(after: $after) { events { ${names.join(' ')} } } }`,
    { after: heard.messages[0]?.cursor },
  );
  // Earlier messages of a socket may also delay its pings.
  const closed = [`a ${kind} is closed: its client does not read`, `a ${kind} is closed: its client does not answer`];
  await eventually(() => expect(lines.some(({ msg }) => closed.includes(String(msg)))).toBe(true));
  await leave();
  await eventually(() =>
    expect(lines.find(({ project, msg }) => project === `slow ${kind}` && msg === 'a subscription ends')).toBeDefined(),
  );
  await eventually(() => expect(heard.messages.flatMap(({ events }) => events)).toHaveLength(claims));
  await quick.close();
  await server.close();
});
