// What is told of each operation when it has ended: its line in the log, and its spans, as an SDK of OpenTelemetry gets them.
import { randomUUID } from 'node:crypto';
import { propagation, SpanStatusCode, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../src/listener/server.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import { measures } from '../../src/measures/measures.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { useDatabase } from '../support/database.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const database = useDatabase();
const headers = { 'x-auth-token': 'admin:blue', 'openstack-api-version': 'placement 1.39', 'content-type': 'application/json' };
const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
const usual = { PLACEMENT_LOG_OPERATIONS: '1', PLACEMENT_SLOW_OPERATION: '600000' };

let lines: Record<string, unknown>[] = [];
const servers: RunningServer[] = [];
const spans = new InMemorySpanExporter();

async function serve(given: Record<string, string>): Promise<string> {
  const { settings } = readSettings({ PLACEMENT_PORT: '0', ...given });
  const { log } = createLogger({ level: settings.logLevel, write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) });
  const server = await startServer({ settings, db: database.db, log });
  servers.push(server);
  return server.url;
}

/** What was logged of operations, as soon as there is anything. */
async function logged(): Promise<Record<string, unknown>[]> {
  const ofOperations = () => lines.filter(({ surface }) => surface !== undefined);
  await expect.poll(() => ofOperations().length).toBeGreaterThan(0);
  return ofOperations();
}

const rest = (url: string, path: string, more: RequestInit = {}) =>
  fetch(`${url}/placement${path}`, { ...more, headers: { ...headers, ...more.headers } });
const graphql = (url: string, query: string, more: Record<string, string> = {}) =>
  fetch(`${url}/graphql`, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify({ query }) });
const claim = (url: string, amount: number) =>
  rest(url, `/allocations/${randomUUID()}`, {
    method: 'PUT',
    body: JSON.stringify({
      ...{ allocations: { [uuidOf('h1')]: { resources: { VCPU: amount } } }, consumer_generation: null },
      ...{ project_id: 'p', user_id: 'u', consumer_type: 'TEST' },
    }),
  });

let url = '';
beforeAll(async () => {
  const seed = createSeed(database.db);
  for (const name of ['h1', 'h2']) await seed.provider(name, { inventories: { VCPU: 8 } });
  url = await serve(usual);
});
afterEach(() => {
  lines = [];
  spans.reset();
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

test('an operation is measured in seconds, and logged in milliseconds', async () => {
  const measured = () => measures.operations.read().values.reduce((sum, [, numbers]) => sum + (numbers.at(-1) ?? 0), 0);
  const before = measured();
  await rest(url, '/traits');
  const [line] = await logged();
  expect(1000 * (measured() - before)).toBeCloseTo(line?.ms as number, 0);
});

describe('the line of an operation', () => {
  test('counts the statements and rows of REST, whatever they were built with, and names caller, request and trace', async () => {
    const answer = await rest(url, `/resource_providers/${uuidOf('h1')}/inventories`, { headers: { traceparent } });
    const requestId = answer.headers.get('x-openstack-request-id');
    expect(await logged()).toMatchObject([
      {
        ...{ level: 'info', surface: 'rest', operation: 'GET /resource_providers/{uuid}/inventories', status: 200, microversion: '1.39' },
        ...{ requestId, traceId, user: 'admin', project: 'blue', ms: expect.any(Number) },
      },
    ]);
    const [{ statements, rows } = {}] = await logged();
    expect(statements).toBeGreaterThan(0);
    expect(rows).toBeGreaterThan(0);
  });

  test('counts what statements kept for the whole gateway do for one request', async () => {
    for (const _ of [1, 2]) await rest(url, `/resource_providers/${uuidOf('h1')}/aggregates`);
    await expect.poll(async () => (await logged()).length).toBe(2);
    const [first, second] = await logged();
    expect(second?.statements).toBe(first?.statements);
    expect(second?.statements).toBeGreaterThan(0);
  });

  test('has the field and the name of a query of GraphQL', async () => {
    await graphql(url, 'query Hosts { resourceProviders(first: 5) { nodes { name inventories { total } } } }');
    expect(await logged()).toMatchObject([
      { surface: 'graphql', operation: 'resourceProviders', name: 'Hosts', kind: 'query', statements: 2 },
    ]);
  });

  test('has the code of a refusal: of REST, and of a mutation whose answer is a payload', async () => {
    expect((await claim(url, 9)).status).toBe(409);
    expect(await logged()).toMatchObject([{ status: 409, code: 'CAPACITY_EXCEEDED', statements: expect.any(Number) }]);
    lines = [];
    await graphql(url, `mutation { deleteTrait(input: { name: "HW_CPU_X86_AVX2" }) { userErrors { code } } }`);
    expect(await logged()).toMatchObject([{ operation: 'deleteTrait', code: 'STANDARD_NAME' }]);
  });

  test('counts the one statement of claims that were written together for each of them', async () => {
    await Promise.all([1, 1, 1].map((amount) => claim(url, amount)));
    await expect.poll(async () => (await logged()).length).toBe(3);
    for (const { statements } of await logged()) expect(statements).toBeGreaterThanOrEqual(1);
  });

  test('has no secrets of the path, and no header of a form that is not known', async () => {
    await rest(url, `/traits?X-Auth-Token=s3cret&api_password=s3cret&name=x`, { headers: { traceparent: '00-s3cret-01' } });
    expect(JSON.stringify(await logged())).not.toContain('s3cret');
  });

  test('is there of slow operations only, as a warning, when no share is asked for, whatever the level of the log', async () => {
    const slow = await serve({ PLACEMENT_LOG_OPERATIONS: '0', PLACEMENT_SLOW_OPERATION: '0', PLACEMENT_LOG_LEVEL: 'warn' });
    await graphql(slow, '{ resourceProviders(first: 1) { nodes { name } } }');
    expect(await logged()).toMatchObject([{ level: 'warn', msg: 'slow operation', operation: 'resourceProviders' }]);
    lines = [];
    const none = await serve({ PLACEMENT_LOG_OPERATIONS: '0', PLACEMENT_SLOW_OPERATION: '600000' });
    await graphql(none, '{ resourceProviders(first: 1) { nodes { name } } }');
    await rest(none, '/traits');
    expect(lines.filter(({ surface }) => surface !== undefined)).toEqual([]);
  });

  test('is there of a share of operations', async () => {
    const some = await serve({ ...usual, PLACEMENT_LOG_OPERATIONS: '.5' });
    for (let asked = 0; asked < 200; asked++) await rest(some, '/');
    await expect.poll(() => lines.length).toBeGreaterThan(40);
    expect(lines.length).toBeLessThan(160);
  });
});

describe('the spans of an operation', () => {
  beforeAll(() => {
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  });
  afterAll(() => {
    trace.disable();
    propagation.disable();
  });
  const finished = async () => {
    await expect.poll(() => spans.getFinishedSpans().some(({ name }) => /^(rest|graphql) /.test(name))).toBe(true);
    return spans.getFinishedSpans();
  };

  test('are in the trace of the caller: the operation, and below it its statements and searches', async () => {
    await graphql(
      url,
      '{ allocationCandidates(input: { groups: [{ resources: [{ resourceClass: "VCPU", amount: 1 }] }] }) { candidates { root { name } } } resourceProviders(first: 1) { nodes { name } } }',
      {
        traceparent,
      },
    );
    const all = await finished();
    const operation = all.find(({ name }) => name === 'graphql several');
    expect(operation?.parentSpanContext?.spanId).toBe('b7ad6b7169203331');
    expect(all.every((span) => span.spanContext().traceId === traceId)).toBe(true);
    const below = all.filter(({ parentSpanContext }) => parentSpanContext?.spanId === operation?.spanContext().spanId);
    expect(new Set(below.map(({ name }) => name))).toEqual(new Set(['search', 'statement']));
    const within = (moment: readonly [number, number], from: readonly [number, number], to: readonly [number, number]) => {
      const nanoseconds = ([seconds, rest]: readonly [number, number]) => BigInt(seconds) * 1_000_000_000n + BigInt(rest);
      return nanoseconds(from) <= nanoseconds(moment) && nanoseconds(moment) <= nanoseconds(to);
    };
    for (const span of below) {
      expect(operation && within(span.startTime, operation.startTime, operation.endTime)).toBe(true);
      expect(operation && within(span.endTime, operation.startTime, operation.endTime)).toBe(true);
    }
    expect((await logged())[0]).toMatchObject({ traceId });
  });

  test('have a length, however short they are', async () => {
    for (let n = 0; n < 20; n++) await rest(url, '/traits');
    await expect.poll(() => spans.getFinishedSpans().filter(({ name }) => name === 'rest GET /traits').length).toBe(20);
    expect(spans.getFinishedSpans().filter(({ duration: [seconds, nanoseconds] }) => seconds === 0 && nanoseconds === 0)).toEqual([]);
  });

  test('are none in a trace that its caller does not record', async () => {
    await rest(url, '/traits', { headers: { traceparent: traceparent.replace(/01$/, '00') } });
    await logged();
    expect(spans.getFinishedSpans()).toEqual([]);
  });

  test('say what was refused, without calling it a failure', async () => {
    await claim(url, 9);
    const operation = (await finished()).find(({ name }) => name === 'rest PUT /allocations/{consumer_uuid}');
    expect(operation).toMatchObject({ attributes: { 'placement.code': 'CAPACITY_EXCEEDED' }, status: { code: SpanStatusCode.UNSET } });
  });
});
