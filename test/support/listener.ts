// The listener with real HTTP on a real port over a real database, and a minimal schema, for the test files that call `useListener`.
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type RunningServer, startServer } from '../../src/listener/server.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import type { RequestScope } from '../../src/operations/scope/scope.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { type TestDatabase, useDatabase } from './database.ts';

/** The database of a test file. */
export let database: TestDatabase;

/** The fields `slow` in progress: each is answered when the test calls it. */
export const slow: (() => void)[] = [];

export const schema = makeExecutableSchema<RequestScope>({
  typeDefs: `
    directive @access(rule: String!) on OBJECT
    directive @public on OBJECT | FIELD_DEFINITION
    type ServiceInfo @public { version: String! }
    type Provider @access(rule: "placement:graphql:resource_providers:read") { name: String! parent: Provider children: [Provider!]! }
    type Query @access(rule: "placement:graphql:resource_providers:read") { serviceInfo: ServiceInfo! @public hello(name: String): String! who: String! sql: String slow: String provider: Provider twice(n: Int!): Int! loaders: [Boolean!]! }
    type Mutation @access(rule: "placement:allocations:manage") { claim: String! }
  `,
  resolvers: {
    Query: {
      serviceInfo: () => ({ version: '1' }),
      hello: (_: unknown, { name }: { name?: string }) => `hello ${name ?? 'world'}`,
      who: (_: unknown, __: unknown, { identity, requestId }) => `${identity?.user}/${identity?.project} ${requestId}`,
      sql: (_: unknown, __: unknown, { db }) => db.sql`select secret_column from secret_table`,
      slow: () => new Promise((resolve) => slow.push(() => resolve('done'))),
      loaders: (_: unknown, __: unknown, scope) => {
        const before = scope.loaders;
        const kept = scope.loaders === before;
        scope.forgetReads();
        return [kept, scope.loaders === before];
      },
      twice: (_: unknown, { n }: { n: number }) => 2 * n,
    },
    Mutation: { claim: () => 'claimed' },
  },
});

/** The listener of a test file. */
export let server: RunningServer;
/** Its log since the test began. */
export let lines: Record<string, unknown>[] = [];
export const { log } = createLogger({ level: 'info', write: (line) => lines.push(JSON.parse(line)) });

/** Another listener; the test must close it. */
export async function start(deadlines?: { headers: number; request: number }): Promise<RunningServer> {
  const { settings } = readSettings({ PLACEMENT_PORT: '0' });
  return startServer({ settings, db: database.db, log, schema, ...(deadlines && { deadlines }) });
}

/** Starts the listener before the tests of a file and stops it after them. Call it once, outside of tests. */
export function useListener(): void {
  database = useDatabase();
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    lines = [];
  });
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: { data?: unknown; errors?: { message: string; extensions: Record<string, unknown> }[] } & Record<string, unknown>;
}

interface Call {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/** A request with exactly these headers: fetch would add its own and refuse some. */
export function call({ method = 'POST', path = '/graphql', headers = {}, body }: Call, url = server.url): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${url}${path}`, { method, headers }, (response: IncomingMessage) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = text !== '' && /json/.test(response.headers['content-type'] ?? '');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** The headers of the administrator. */
export const jsonHeaders = { 'content-type': 'application/json', 'x-auth-token': 'admin' };

/** Sends an operation as the administrator. */
export function ask(query: string, more: Record<string, unknown> = {}, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
  return call({ headers: { ...jsonHeaders, ...headers }, body: JSON.stringify({ query, ...more }) });
}

/** Sends a body as the administrator. */
export const send = (body: string | Buffer, headers: OutgoingHttpHeaders = {}) => call({ headers: { ...jsonHeaders, ...headers }, body });

/** Status and code of an error; checks the common form of errors, and that the request id is that of the header. */
export function refusal({ status, headers, json }: Answer) {
  const [error] = json.errors ?? [];
  expect(error?.message).toEqual(expect.any(String));
  expect(error?.extensions.requestId).toBe(headers['x-openstack-request-id']);
  return [status, error?.extensions.code];
}

/** Everything that the server sends in answer to these bytes on a socket, until it closes the connection. */
export function sendBytes(bytes: string, { port }: { port: number }): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let said = '';
    socket.on('data', (data) => {
      said += data.toString();
    });
    socket.on('close', () => resolve(said));
    socket.on('error', reject);
  });
}

export const portOf = ({ url }: RunningServer) => Number(new URL(url).port);
