// A client of the Placement REST API: real HTTP to the real listener over the database of a test file.
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import { type RunningServer, type ServerOptions, startServer } from '../../src/listener/server.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import { readSettings } from '../../src/settings/settings.ts';
import type { TestDatabase } from './database.ts';
import { decoded } from './web-headers.ts';

export interface RestQuestion {
  /** The microversion, by default `1.39`; null sends none. */
  readonly version?: string | null;
  /** Sent as JSON; texts and bytes are sent as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RestAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; undefined if there is none. */
  readonly json: unknown;
  /** The message of an error without the standard sentence of its status; empty without one. */
  readonly message: string;
  /** The code of an error. */
  readonly code: string | undefined;
}

export interface RestClient {
  readonly url: string;
  /** `route` is a method and a path below /placement, such as `GET /traits`. */
  ask(route: string, question?: RestQuestion): Promise<RestAnswer>;
  /** Like ask, but throws unless the request succeeds. */
  succeed(route: string, question?: RestQuestion): Promise<RestAnswer>;
}

/** The API of a test file, for the duration of its tests. Call it once, outside of tests. Bugs that it logs go to `bugs`. */
export function useRest(
  database: Pick<TestDatabase, 'db'>,
  environment: Readonly<Record<string, string>> = {},
  options: Pick<ServerOptions, 'authentication'> = {},
): RestClient & { readonly bugs: string[] } {
  const bugs: string[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let server: RunningServer | undefined;
  beforeAll(async () => {
    const { settings } = readSettings({ PLACEMENT_PORT: '0', ...environment });
    const { log } = createLogger({ level: 'error', write: (line) => bugs.push(line) });
    server = await startServer({ settings, db: database.db, log, ...options });
  });
  afterAll(async () => {
    agent.destroy();
    await server?.close();
  });
  const ask: RestClient['ask'] = (route, question = {}) => send(`${server?.url}/placement`, agent, route, question);
  return {
    bugs,
    ask,
    get url() {
      return `${server?.url}/placement`;
    },
    async succeed(route, question) {
      const answer = await ask(route, question);
      if (answer.status >= 300) throw new Error(`${route} was answered with ${answer.status}: ${answer.text}`);
      return answer;
    },
  };
}

function send(base: string, agent: Agent, route: string, { version = '1.39', body, headers = {} }: RestQuestion): Promise<RestAnswer> {
  const [method = '', path = ''] = route.split(' ', 2);
  const bytes = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      base + path,
      {
        method,
        agent,
        headers: {
          'x-auth-token': 'admin',
          ...(version !== null && { 'openstack-api-version': `placement ${version}` }),
          ...(bytes !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('error', reject);
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          try {
            resolve(readAnswer(response.statusCode ?? 0, response.headers, decoded(response.headers, Buffer.concat(chunks))));
          } catch (error) {
            reject(error);
          }
        });
      },
    );
    request.on('error', reject);
    request.end(bytes);
  });
}

function readAnswer(status: number, headers: IncomingHttpHeaders, text: string): RestAnswer {
  const isJson = headers['content-type'] === 'application/json' && text !== '';
  const json: unknown = isJson ? JSON.parse(text) : undefined;
  const [error] = (json as { errors?: { detail: string; code?: string }[] } | undefined)?.errors ?? [];
  return { status, headers, text, json, message: error?.detail.split('\n\n ').at(-1)?.trim() ?? '', code: error?.code };
}

/** Readable uuids: `uuid(7)` ends with 07. */
export function uuid(number: number): string {
  return `10000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
