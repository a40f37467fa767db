// Static tokens over all surfaces of the real listener.
import { chmodSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listTokens, revokeToken } from '../../src/commands/token.ts';
import { type RunningServer, startServer } from '../../src/listener/server.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { useDatabase } from '../support/database.ts';
import { type SentHeaders, tokenFor, useTokensFile } from '../support/tokens-file.ts';

const database = useDatabase();
const path = useTokensFile();
const unknown = `pgw_${'A'.repeat(43)}`;
const lines: string[] = [];
const { log } = createLogger({ level: 'trace', write: (line) => lines.push(line) });
let server: RunningServer;
let admin: string;
let reader: string;

const start = (tokensFile: string) => {
  const { settings } = readSettings({ PLACEMENT_PORT: '0', PLACEMENT_AUTH: 'static', PLACEMENT_TOKENS_FILE: tokensFile });
  return startServer({ settings, db: database.db, log });
};

beforeAll(async () => {
  admin = await tokenFor(path, 'nova', ['admin']);
  reader = await tokenFor(path, 'ann', ['reader']);
  server = await start(path);
});
afterAll(() => server.close());
beforeEach(() => {
  lines.length = 0;
});

const rest = (headers: SentHeaders, route = '/resource_providers') => fetch(`${server.url}/placement${route}`, { headers });
const graphql = (headers: SentHeaders, query = '{ resourceProviders(first: 1) { totalCount } }') =>
  fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
const statuses = async (headers: SentHeaders) => [(await rest(headers)).status, (await graphql(headers)).status];

/** Waits until the file has been read and the answer is this one. */
const settles = (status: number, headers: SentHeaders) => expect.poll(() => statuses(headers)).toEqual([status, status]);

describe('a static token', () => {
  test('is accepted by both APIs, in X-Auth-Token and as a bearer token', async () => {
    expect(await statuses({ 'x-auth-token': admin })).toEqual([200, 200]);
    expect(await statuses({ authorization: `Bearer ${admin}` })).toEqual([200, 200]);
    expect(await statuses({ 'x-auth-token': admin, authorization: `Bearer ${admin}` })).toEqual([200, 200]);
  });

  test('is refused beside another token', async () => {
    expect(await statuses({ 'x-auth-token': admin, authorization: `Bearer ${reader}` })).toEqual([401, 401]);
    expect(await statuses({ 'x-auth-token': '', authorization: `Bearer ${admin}` })).toEqual([401, 401]);
    expect(await statuses({ 'x-auth-token': `${admin}, ${admin}` })).toEqual([401, 401]);
  });

  test.each([
    ['unknown', unknown],
    ['of noauth', 'admin'],
    ['short', 'pgw_A'],
    ['very long', 'a'.repeat(8000)],
  ])('that is %s is refused with the message of the Keystone middleware', async (_, token) => {
    const answer = await rest({ 'x-auth-token': token, accept: 'text/html' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'application/json']);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="placement", error="invalid_token"');
    expect(answer.headers.get('openstack-api-version')).toBeNull();
    expect(await answer.json()).toEqual({
      error: { code: 401, title: 'Unauthorized', message: 'The request you have made requires authentication.' },
    });
  });

  test('that is missing is demanded, except for the root, the service document and the health checks', async () => {
    expect(await statuses({})).toEqual([401, 401]);
    expect((await rest({})).headers.get('www-authenticate')).toBe('Bearer realm="placement"');
    const refused = await graphql({});
    expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="placement"');
    expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    expect((await rest({}, '/')).status).toBe(200);
    expect((await graphql({}, '{ serviceInfo { version } }')).status).toBe(200);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  test('has only the rights of its roles, whatever other headers claim', async () => {
    const claims = { 'x-roles': 'admin', 'x-user-id': 'nova', 'x-project-id': 'operations', 'x-identity-status': 'Confirmed' };
    expect(await statuses({ ...claims, 'x-auth-token': reader, 'openstack-system-scope': 'all' })).toEqual([403, 403]);
    expect(await statuses(claims)).toEqual([401, 401]);
    const answer = await rest({ 'x-auth-token': reader });
    expect(await answer.text()).toContain('Policy does not allow placement:resource_providers:list to be performed.');
  });

  test('is accepted until it expires, and not a moment longer', async () => {
    let short = '';
    const isAccepted = async () => (await statuses({ 'x-auth-token': short })).every((status) => status === 200);
    // A busy machine may read the file only after the token has expired: then the next one lives longer.
    for (let life = 4000, wasAccepted = false; !wasAccepted; life *= 2) {
      const end = Date.now() + life;
      short = await tokenFor(path, 'guest', ['admin'], { expiresAt: new Date(end).toISOString() });
      while (!wasAccepted && Date.now() < end) wasAccepted = await isAccepted();
    }
    await settles(401, { 'x-auth-token': short });
    expect((await listTokens(path)).find((line) => line.includes('guest'))).toMatch(/\(expired\)$/);
  });

  test('identifies the writer in the event', async () => {
    const created = await fetch(`${server.url}/placement/resource_providers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json', 'x-user-id': 'mallory' },
      body: JSON.stringify({ name: 'host' }),
    });
    expect(created.status).toBe(201);
    const answer = await graphql({ 'x-auth-token': admin }, '{ events(first: 1) { nodes { requestedBy { externalId } roles } } }');
    expect(await answer.json()).toEqual({ data: { events: { nodes: [{ requestedBy: { externalId: 'nova' }, roles: ['admin'] }] } } });
  });
});

describe('the file of tokens', () => {
  test('is read again when a token is added or revoked', async () => {
    const added = await tokenFor(path, 'later', ['admin']);
    await settles(200, { 'x-auth-token': added });
    const [id = ''] = (await listTokens(path)).find((line) => line.includes('later'))?.split(' ') ?? [];
    await revokeToken(path, id);
    await settles(401, { 'x-auth-token': added });
    expect(await statuses({ 'x-auth-token': admin })).toEqual([200, 200]);
  });

  test('is read again when it is replaced by one of the same size and time', async () => {
    const revoked = await tokenFor(path, 'later', ['admin']);
    await settles(200, { 'x-auth-token': revoked });
    const { atime, mtime } = statSync(path);
    const record = JSON.parse(readFileSync(path, 'utf8')).tokens.at(-1);
    writeFileSync(`${path}.new`, readFileSync(path, 'utf8').replace(record.hash, '0'.repeat(64)), { mode: 0o600 });
    utimesSync(`${path}.new`, atime, mtime);
    renameSync(`${path}.new`, path);
    await settles(401, { 'x-auth-token': revoked });
    await revokeToken(path, record.id);
  });

  test.each<[words: string, spoil: () => void, told: string]>([
    ['is not JSON', () => writeFileSync(path, `{"${unknown}"`), 'is not valid JSON'],
    ['has another form', () => writeFileSync(path, JSON.stringify({ [unknown]: unknown })), 'is not a file of tokens'],
    ['is gone', () => rmSync(path), 'does not exist'],
    ['is open to others', () => chmodSync(path, 0o644), 'run chmod o='],
  ])('that %s leaves the tokens in effect, and the log says so', async (_, spoil, told) => {
    const good = readFileSync(path, 'utf8');
    spoil();
    await expect.poll(() => lines.join('')).toContain(told);
    expect(lines.join('')).toContain('the tokens read before stay valid');
    expect(await statuses({ 'x-auth-token': admin })).toEqual([200, 200]);
    writeFileSync(path, good, { mode: 0o600 });
    chmodSync(path, 0o600);
    await expect.poll(() => lines.join('')).toContain('was read again');
    expect(lines.join('')).not.toContain(unknown);
  });

  test.each<[words: string, content: string | null, mode: number, told: string]>([
    ['does not exist', null, 0o600, 'does not exist: placement-gateway token add creates it'],
    ['can be read by others', '{"version":1,"tokens":[]}', 0o604, 'is open to every user of this machine: run chmod o='],
    ['can be written by others', '{"version":1,"tokens":[]}', 0o602, 'is open to every user of this machine: run chmod o='],
    ['has a wrong hash', '{"version":1,"tokens":[{"id":"a","hash":"b"}]}', 0o600, 'tokens[0].hash must be a SHA-256'],
  ])('that %s prevents the gateway from starting, with advice', async (_, content, mode, told) => {
    const other = `${path}.other`;
    rmSync(other, { force: true });
    if (content !== null) {
      writeFileSync(other, content);
      chmodSync(other, mode);
    }
    await expect(start(other)).rejects.toThrow(told);
  });

  test('without tokens admits no caller, and the log says so', async () => {
    const other = `${path}.none`;
    writeFileSync(other, '{"version":1,"tokens":[]}', { mode: 0o600 });
    const closed = await start(other);
    const answer = await fetch(`${closed.url}/placement/traits`, { headers: { 'x-auth-token': admin } });
    await closed.close();
    expect(answer.status).toBe(401);
    expect(lines.join('')).toContain('has no tokens: nobody may do anything');
  });
});

test('the log names the caller that was refused', async () => {
  expect((await rest({ 'x-auth-token': reader })).status).toBe(403);
  await expect
    .poll(() => lines.find((line) => line.includes('"surface":"rest"')))
    .toMatch(/"status":403,"microversion":"1.0",.*"code":"403","user":"ann"/);
});

test('a token, known or not, occurs in no answer, log line or event, and not in the file', async () => {
  const said: string[] = [];
  for (const token of [admin, reader, unknown]) {
    for (const headers of [{ 'x-auth-token': token }, { authorization: `Bearer ${token}` }] as SentHeaders[]) {
      const answers = await Promise.all([
        rest(headers),
        rest(headers, '/nothing'),
        rest({ ...headers, 'openstack-api-version': 'placement 9.9' }),
        rest({ ...headers, accept: 'text/html' }, '/resource_providers?name=%00'),
        graphql(headers),
        graphql(headers, '{ nothing }'),
        graphql(headers, '{'),
        graphql(headers, '{ events(first: 50) { nodes { requestedBy { externalId } requestedFor { externalId } requestId } } }'),
      ]);
      for (const answer of answers) said.push(JSON.stringify([...answer.headers]), await answer.text());
    }
  }
  const events = await database.db.sql`select to_jsonb(events)::text as event from events`;
  expect(lines.length).toBeGreaterThan(10);
  const everything = [...said, ...lines, JSON.stringify(events), readFileSync(path, 'utf8')].join('\n');
  for (const token of [admin, reader, unknown]) expect(everything).not.toContain(token.slice('pgw_'.length));
});
