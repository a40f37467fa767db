// The real listener with the real contract, over the database of a test file, as clients use it.
// Sends operations as the administrator; knows no nouns.
import { Agent, request as httpRequest } from 'node:http';
import type { Bridge } from '../../src/bridge/bridge.ts';
import { startServer } from '../../src/listener/server.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import { readSettings } from '../../src/settings/settings.ts';
import type { TestDatabase } from './database.ts';

export const executors = ['jit', 'graphql-js'] as const;
export type ExecutorName = (typeof executors)[number];

/** An operation is compiled at its third run. */
export const hitsUntilCompiled = 3;

export interface GatewayError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: {
    readonly code: string;
    readonly problems?: readonly { readonly code: string; readonly path: readonly string[] }[];
    readonly path?: readonly string[];
  };
}

export interface GatewayAnswer<Data> {
  readonly status: number;
  readonly requestId: string;
  readonly text: string;
  readonly data: Data | null | undefined;
  readonly errors: readonly GatewayError[] | undefined;
}

export interface Gateway {
  readonly url: string;
  /** Sends an operation; `variables` may be JSON text. */
  ask<Data = Record<string, unknown>>(query: string, variables?: Readonly<Record<string, unknown>> | string): Promise<GatewayAnswer<Data>>;
  /** The data of an operation that must have no errors. */
  data<Data = Record<string, unknown>>(query: string, variables?: Readonly<Record<string, unknown>>): Promise<Data>;
  close(): Promise<void>;
}

/** A separate listener, by default with the default settings, called as the administrator. Bugs that it logs go to `onBug`. */
export async function startGateway(
  { db }: Pick<TestDatabase, 'db'>,
  executor: ExecutorName,
  onBug: (line: string) => void = () => {},
  {
    environment = {},
    token = 'admin',
    bridge = null,
  }: { readonly environment?: Readonly<Record<string, string>>; readonly token?: string; readonly bridge?: Bridge | null } = {},
): Promise<Gateway> {
  const { settings } = readSettings({ PLACEMENT_PORT: '0', PLACEMENT_EXECUTOR: executor, ...environment });
  const { log } = createLogger({ level: 'error', write: onBug });
  const server = await startServer({ settings, db, log, bridge: () => bridge });
  const { agent, ...gateway } = askAt(server.url, token);
  return {
    ...gateway,
    async close() {
      agent.destroy();
      await server.close();
    },
  };
}

/** Sends operations to a gateway at an address. */
export function askAt(url: string, token = 'admin'): Omit<Gateway, 'close'> & { readonly agent: Agent } {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const headers = { 'content-type': 'application/json', 'x-auth-token': token };

  const ask: Gateway['ask'] = (query, variables = {}) =>
    new Promise((resolve, reject) => {
      const request = httpRequest(`${url}/graphql`, { method: 'POST', headers, agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const { data, errors } = JSON.parse(text);
          const requestId = String(response.headers['x-openstack-request-id']);
          resolve({ status: response.statusCode ?? 0, requestId, text, data, errors });
        });
      });
      request.on('error', reject);
      request.end(
        `{"query":${JSON.stringify(query)},"variables":${typeof variables === 'string' ? variables : JSON.stringify(variables)}}`,
      );
    });

  return {
    url,
    agent,
    ask,
    async data<Data>(query: string, variables?: Readonly<Record<string, unknown>>) {
      const { data, errors } = await ask<Data>(query, variables);
      if (errors || !data) throw new Error(`the operation was answered with ${JSON.stringify(errors)}`);
      return data;
    },
  };
}
