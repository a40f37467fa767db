// The audit log: what it says of writes and of refusals, and that it keeps nobody waiting, whatever happens to its file.
import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type AuditBounds, openAuditLog } from '../src/audit-log.ts';
import { plainIdentity } from '../src/domain/identity.ts';
import { useDatabase } from './support/database.ts';
import { useRest } from './support/rest.ts';

const home = mkdtempSync(join(tmpdir(), 'placement-audit-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('of a gateway', () => {
  const path = join(home, 'gateway.log');
  const rest = useRest(useDatabase(), { PLACEMENT_AUDIT_LOG: path });
  const graphql = (query: string, token: string) =>
    fetch(`${new URL(rest.url).origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-auth-token': token },
      body: JSON.stringify({ query }),
    });
  /** The line of a request, once it is there. */
  const lineOf = async (requestId: unknown) => {
    const found = () => linesOf(path).filter((line) => line.requestId === requestId);
    await expect.poll(found, { timeout: 5000 }).toHaveLength(1);
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
      ...{ outcome: 'forbidden', user: 'ann', request: 'POST /graphql' },
    });
  });

  test('each write of a GraphQL document has a line of its own, reads have none', async () => {
    const query =
      'mutation { a: createTrait(input: { name: "CUSTOM_A" }) { created } b: createTrait(input: { name: "CUSTOM_B" }) { created } }';
    const answer = await graphql(query, 'admin');
    const id = answer.headers.get('x-openstack-request-id');
    const read = await rest.succeed('GET /traits');
    await expect
      .poll(() => linesOf(path).filter(({ requestId }) => requestId === id), { timeout: 5000 })
      .toMatchObject([
        { outcome: 'written', action: 'create_trait' },
        { outcome: 'written', action: 'create_trait' },
      ]);
    expect(linesOf(path).filter(({ requestId }) => requestId === read.headers['x-openstack-request-id'])).toEqual([]);
  });
});

describe('of itself', () => {
  const bounds: AuditBounds = { bytes: 2000, retryPause: 50, closingTime: 300 };
  const caller = plainIdentity('static', 'ann', null, []);
  const request = { method: 'PUT', originalUrl: '/placement/traits/CUSTOM_A?x=1', ip: '192.0.2.1', id: 'req-1' };
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
    await expect.poll(() => linesOf(path), { timeout: 5000 }).toHaveLength(1);
    expect(linesOf(`${path}.1`)).toHaveLength(2);
    await audit.close();
  });

  test('on a full disk lines are kept, then lost and counted, and nobody waits', async () => {
    const path = join(home, 'full.log');
    symlinkSync('/dev/full', path);
    const { audit, record } = await open(path);
    for (let count = 0; count < 100; count++) record();
    await expect.poll(() => audit.fault()).toBe('cannot be written (ENOSPC)');
    expect(complaints).toEqual([expect.stringContaining('the audit log cannot be written (ENOSPC): requests go on')]);
    rmSync(path);
    audit.reopen();
    await expect.poll(() => audit.fault(), { timeout: 5000 }).toBeNull();
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
    expect(performance.now() - since).toBeLessThan(2000);
    expect(complaints.at(-1)).toBe('the audit log was not written to its end: 1 lines are lost');
  });

  test.each([
    ['/no/such/directory/audit.log', 'cannot be opened (ENOENT)'],
    [home, 'cannot be opened (EISDIR)'],
  ])('%s is refused at start', async (path, fault) => {
    await expect(openAuditLog(path, log)).rejects.toThrow(fault);
  });
});
