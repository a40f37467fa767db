// The audit log: what it says of writes and of refusals, and that it keeps nobody waiting, whatever happens to its file.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { plainIdentity } from '../../src/domain/identity.ts';
import { type AuditBounds, openAuditLog } from '../../src/logs/audit-log.ts';
import { useDatabase } from '../support/database.ts';
import { useRest } from '../support/rest.ts';

const home = mkdtempSync(join(tmpdir(), 'placement-audit-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Everything that the listener says to these bytes. */
async function sendBytes(bytes: string, port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
  socket.on('error', () => {});
  let said = '';
  socket.on('data', (data) => {
    said += data.toString();
  });
  await once(socket, 'close');
  return said;
}

describe('of a gateway', () => {
  const path = join(home, 'gateway.log');
  const rest = useRest(useDatabase(), { PLACEMENT_AUDIT_LOG: path });
  const post = (body: string, token: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${new URL(rest.url).origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-auth-token': token, ...headers },
      body,
    });
  const graphql = (query: string, token: string) => post(JSON.stringify({ query }), token);
  /** The line of a request, once it is there. */
  const lineOf = async (requestId: unknown) => {
    const found = () => linesOf(path).filter((line) => line.requestId === requestId);
    await expect.poll(found).toHaveLength(1);
    return found()[0];
  };

  test('a write has who, how, from where, what, and its event', async () => {
    const globalRequestId = 'req-11111111-1111-4111-8111-111111111111';
    const { headers } = await rest.succeed('PUT /traits/CUSTOM_AUDITED', { headers: { 'x-openstack-request-id': globalRequestId } });
    expect(await lineOf(headers['x-openstack-request-id'])).toEqual({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      outcome: 'written',
      action: 'create_trait',
      eventId: expect.any(Number),
      user: 'admin',
      project: 'admin',
      roles: ['admin', 'service'],
      method: 'noauth',
      address: '127.0.0.1',
      request: 'PUT /placement/traits/CUSTOM_AUDITED',
      requestId: headers['x-openstack-request-id'],
      globalRequestId,
    });
  });

  test('a refused write has its code, and one that changes nothing says so', async () => {
    const provider = { body: { name: 'twice' } };
    await rest.succeed('POST /resource_providers', provider);
    const refused = await rest.ask('POST /resource_providers', provider);
    expect(await lineOf(refused.headers['x-openstack-request-id'])).toMatchObject({
      ...{ outcome: 'refused', action: 'create_resource_provider', code: 'DUPLICATE' },
    });
    const repeated = 'mutation { createTrait(input: { name: "CUSTOM_TWICE", idempotencyKey: "once" }) { replayed } }';
    await graphql(repeated, 'admin');
    const again = await graphql(repeated, 'admin');
    expect(await lineOf(again.headers.get('x-openstack-request-id'))).toMatchObject({ outcome: 'unchanged', action: 'create_trait' });
  });

  test('a refusal of access has the rule, in both APIs, and never the token', async () => {
    const secret = 'canary-8f2c61';
    const unknown = await rest.ask('GET /traits?name=in:x', { headers: { 'x-auth-token': '' } });
    expect(await lineOf(unknown.headers['x-openstack-request-id'])).toMatchObject({
      ...{ outcome: 'unauthenticated', action: null, user: null, request: 'GET /placement/traits' },
    });
    const denied = await rest.ask('GET /traits', { headers: { 'x-auth-token': `ann:${secret}`, authorization: `Basic ${secret}` } });
    expect(await lineOf(denied.headers['x-openstack-request-id'])).toMatchObject({
      ...{ outcome: 'forbidden', action: 'placement:traits:list', user: 'ann' },
    });
    const overGraphql = await graphql('{ traits { nodes { name } } }', 'ann');
    expect(await lineOf(overGraphql.headers.get('x-openstack-request-id'))).toMatchObject({
      ...{ outcome: 'forbidden', user: 'ann', request: 'POST /graphql', operation: null, fields: ['traits'] },
    });
  });

  test('what is refused before it comes to the database has a line too, in REST', async () => {
    const provider = { body: { name: 'audited' } };
    await rest.succeed('POST /resource_providers', provider);
    const spent = { headers: { 'x-auth-token': 'ben' } };
    for (const [route, question, line] of [
      ['GET /resource_providers?limit=x', {}, { outcome: 'invalid', status: 400, action: null, user: 'admin' }],
      ['POST /resource_providers', { body: { name: 5 } }, { outcome: 'invalid', status: 400 }],
      ['POST /resource_providers', { body: '{' }, { outcome: 'invalid', status: 400 }],
      ['POST /resource_providers', { body: 'x'.repeat(5 << 20), headers: { connection: 'close' } }, { outcome: 'invalid', status: 413 }],
      ['POST /resource_providers', { ...provider, headers: { 'content-type': 'text/plain' } }, { outcome: 'invalid', status: 415 }],
      ['GET /traits', { version: '9.99' }, { outcome: 'invalid', status: 406 }],
      ['DELETE /traits/HW_CPU_X86_VMX', {}, { outcome: 'refused', status: 400, code: 'STANDARD_NAME' }],
      ['GET /usages?project_id=x', spent, { outcome: 'forbidden', status: 403, action: 'placement:usages', user: 'ben' }],
    ] as const) {
      const { headers } = await rest.ask(route, question);
      expect(await lineOf(headers['x-openstack-request-id'])).toMatchObject(line);
    }
    const missing = await rest.ask('GET /resource_providers/10000000-0000-4000-8000-000000000000');
    const other = await rest.ask('GET /nothing');
    await lineOf((await rest.ask('GET /traits?name=?')).headers['x-openstack-request-id']);
    for (const { status, headers } of [missing, other]) {
      expect(status).toBe(404);
      expect(linesOf(path).filter(({ requestId }) => requestId === headers['x-openstack-request-id'])).toEqual([]);
    }
  });

  test('and in GraphQL, with the name of the operation and its fields', async () => {
    const large = '{ resourceProviders(first: 1000) { nodes { heldHere(first: 1000) { nodes { amount } } } } }';
    const invalid = 'query Wrong { traits { nodes { name } } ...more } fragment more on Query { nothing more: aggregates { totalCount } }';
    const write = (name: string) => `mutation Add { first: createTrait(input: { name: "${name}" }) { created } ...rest }
      fragment rest on Mutation { createResourceClass(input: { name: "CUSTOM_${name}" }) { created } }`;
    for (const [answer, line] of [
      [graphql('{', 'admin'), { outcome: 'invalid', code: 'GRAPHQL_PARSE_FAILED', operation: null, fields: [] }],
      [
        graphql(invalid, 'admin'),
        { outcome: 'invalid', code: 'GRAPHQL_VALIDATION_FAILED', operation: 'Wrong', fields: ['traits', 'nothing', 'aggregates'] },
      ],
      [graphql(large, 'admin'), { outcome: 'invalid', code: 'COST_LIMIT_EXCEEDED', fields: ['resourceProviders'] }],
      [
        graphql('query Usages { totals { own { total } } }', ''),
        { outcome: 'unauthenticated', user: null, operation: 'Usages', fields: ['totals'] },
      ],
      [
        graphql(write('CUSTOM_X'), 'ann'),
        { outcome: 'forbidden', action: 'placement:traits:update', operation: 'Add', fields: ['createTrait', 'createResourceClass'] },
      ],
      [post('{}', 'admin'), { outcome: 'invalid', user: 'admin' }],
      [post('[]', 'admin'), { outcome: 'invalid', status: 400, user: 'admin' }],
      [post('x', 'admin', { 'content-type': 'text/plain' }), { outcome: 'invalid', status: 415 }],
      [post(`{"query":"${'x'.repeat(5 << 20)}"}`, 'admin'), { outcome: 'invalid', status: 413 }],
      [graphql('{ serviceInfo { version } }', 'admin'), null],
    ] as const) {
      const id = (await answer).headers.get('x-openstack-request-id');
      if (line) expect(await lineOf(id)).toMatchObject(line);
      else expect(linesOf(path).filter(({ requestId }) => requestId === id)).toEqual([]);
    }
    const written = (await graphql(write('wrong'), 'admin')).headers.get('x-openstack-request-id');
    await expect
      .poll(() => linesOf(path).filter(({ requestId }) => requestId === written))
      .toMatchObject([
        { outcome: 'refused', action: null, code: 'INVALID_INPUT', operation: 'Add', fields: ['createTrait'] },
        { outcome: 'refused', action: null, code: 'INVALID_INPUT', operation: 'Add', fields: ['createResourceClass'] },
      ]);
    const done = (await graphql('mutation Once { createTrait(input: { name: "CUSTOM_ONCE" }) { created } }', 'admin')).headers;
    expect(await lineOf(done.get('x-openstack-request-id'))).toMatchObject({
      ...{ outcome: 'written', action: 'create_trait', operation: 'Once', fields: ['createTrait'] },
    });
  });

  test('what is no HTTP has a line, with the address that it came from', async () => {
    const requestIds = await Promise.all(
      ['BOGUS\r\n\r\n', `GET /placement/traits HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(1 << 16)}\r\n\r\n`].map(async (bytes) => {
        const said = await sendBytes(bytes, Number(new URL(rest.url).port));
        return /x-openstack-request-id: (\S+)/i.exec(said)?.[1];
      }),
    );
    const malformed = { outcome: 'invalid', action: null, user: null, address: '127.0.0.1', request: null, globalRequestId: null };
    expect(await lineOf(requestIds[0])).toMatchObject({ ...malformed, status: 400, reason: 'HPE_INVALID_METHOD' });
    expect(await lineOf(requestIds[1])).toMatchObject({ ...malformed, status: 431, reason: 'HPE_HEADER_OVERFLOW' });
  });
});

test('on standard error lines are whole among those of the log, however slowly it is read, and nobody waits for it', async () => {
  const lines = 3000;
  const begun = join(home, 'begun');
  const script = `
    import { writeSync } from 'node:fs';
    import { openAuditLog } from './src/logs/audit-log.ts';
    const audit = await openAuditLog('stderr', { info() {}, error() {} });
    const record = audit.of({ method: 'PUT', target: { path: '/placement/traits/CUSTOM_A' }, ip: '192.0.2.1', id: 'req-1' }, null, null);
    for (let eventId = 1; eventId <= ${lines}; eventId++) record({ outcome: 'written', action: 'create_trait', eventId });
    const logging = setInterval(() => {
      try {
        writeSync(2, JSON.stringify({ log: 'of the process' }) + '\\n');
      } catch (error) {
        if (error.code !== 'EAGAIN') throw error;
      }
    }, 1);
    console.log('served');
    process.stdin.once('data', async () => {
      await audit.close();
      clearInterval(logging);
      process.exit(0);
    });
  `;
  const child = spawn(
    'sh',
    [
      '-c',
      '"$0" --import tsx --input-type=module -e "$1" 2>&1 1>&3 3>&- | (until [ -e "$2" ]; do sleep 0.1; done; cat)',
      process.execPath,
      script,
      begun,
    ],
    {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
    },
  );
  let written = '';
  child.stdout?.on('data', (data) => {
    written += data;
  });
  await once(child.stdio[3] as Readable, 'data');
  await setTimeout(100);
  writeFileSync(begun, '');
  await expect.poll(() => written.split('"eventId":').length - 1).toBe(lines);
  child.stdin?.end('end');
  await once(child, 'close');
  const read = written
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { eventId?: number });
  expect(read.flatMap(({ eventId = [] }) => eventId)).toEqual(Array.from({ length: lines }, (_, index) => index + 1));
  expect(read.length).toBeGreaterThan(lines);
});

describe('of itself', () => {
  const bounds: AuditBounds = { bytes: 2000, retryPause: 50, closingTime: 300 };
  const caller = plainIdentity('static', 'ann', null, []);
  const request = { method: 'PUT', target: { path: '/placement/traits/CUSTOM_A' }, ip: '192.0.2.1', id: 'req-1' };
  const complaints: string[] = [];
  const log = { info() {}, error: (line: string) => complaints.push(line) };
  const open = async (path: string) => {
    complaints.length = 0;
    const audit = await openAuditLog(path, log, bounds);
    const record = audit.of?.(request, caller, null);
    return { audit, record: () => record?.({ outcome: 'written', action: 'create_trait', eventId: 1 }) };
  };

  test('a renamed file is left whole, and the new one gone on with', async () => {
    const path = join(home, 'rotated.log');
    const { audit, record } = await open(path);
    record();
    await expect.poll(() => linesOf(path)).toHaveLength(1);
    renameSync(path, `${path}.1`);
    record();
    await expect.poll(() => linesOf(`${path}.1`)).toHaveLength(2);
    audit.reopen();
    record();
    await expect.poll(() => linesOf(path)).toHaveLength(1);
    expect(linesOf(`${path}.1`)).toHaveLength(2);
    await audit.close();
  });

  test('on a full disk lines are kept, then lost and counted, and nobody waits', async () => {
    const path = join(home, 'full.log');
    symlinkSync('/dev/full', path);
    const { audit, record } = await open(path);
    for (let count = 0; count < 100; count++) record();
    await expect.poll(() => audit.fault()).toBe('cannot be written (ENOSPC)');
    expect(complaints).toEqual([expect.stringContaining('the audit log cannot be written (ENOSPC): requests are still served')]);
    rmSync(path);
    audit.reopen();
    await expect.poll(() => audit.fault()).toBeNull();
    await audit.close();
    const lines = linesOf(path);
    const [loss] = lines.filter(({ outcome }) => outcome === 'lost');
    expect(lines.length - 1 + Number(loss?.lines)).toBe(100);
    expect(complaints.at(-1)).toBe(`the audit log is written again; ${loss?.lines} lines were lost`);
  });

  test('what cannot be written when it closes is given up in time', async () => {
    const path = join(home, 'never.log');
    symlinkSync('/dev/full', path);
    const { audit, record } = await open(path);
    record();
    const since = performance.now();
    await audit.close();
    expect(performance.now() - since).toBeLessThan(20_000);
    expect(complaints.at(-1)).toBe('the end of the audit log was not written: 1 lines are lost');
  });

  test.each([
    ['/no/such/directory/audit.log', 'cannot be opened (ENOENT)'],
    [home, 'cannot be opened (EISDIR)'],
  ])('%s is refused at start', async (path, fault) => {
    await expect(openAuditLog(path, log)).rejects.toThrow(fault);
  });
});
