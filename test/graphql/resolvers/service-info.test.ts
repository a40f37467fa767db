// The gateway's description of itself: features and limits, the contract as text, and the cost of an operation
// on request.
import { readFileSync } from 'node:fs';
import { buildSchema, isScalarType, isSpecifiedScalarType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limitList } from '../../../src/domain/limits.ts';
import { features } from '../../../src/graphql/features.ts';
import { type RunningServer, startServer } from '../../../src/listener/server.ts';
import { createLogger } from '../../../src/logs/process-log.ts';
import { readSettings } from '../../../src/settings/settings.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const contract = readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8');
const schema = buildSchema(contract);
const { log } = createLogger({ level: 'error', write: () => {} });

const start = (environment: Record<string, string> = {}) =>
  startServer({ settings: readSettings({ PLACEMENT_PORT: '0', ...environment }).settings, db: database.db, log });

let server: RunningServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.close());

async function ask(query: string, headers: Record<string, string> = {}, url = server.url) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
  return (await response.json()) as { data: Record<string, unknown>; extensions?: unknown };
}

test('features have distinct names', () => {
  for (const name of features) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
  expect(new Set(features).size).toBe(features.length);
});

test('without a token the version, the features and all limits can be read', async () => {
  const { data } = await ask('{ serviceInfo { version features limits { name value unit description } } }');
  expect(data).toEqual({
    serviceInfo: {
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      features,
      limits: limitList.map(({ name, value, unit, meaning }) => ({ name, value, unit, description: meaning })),
    },
  });
});

test('every scalar of the contract links to its specification, in introspection too', async () => {
  const scalars = Object.values(schema.getTypeMap())
    .filter(isScalarType)
    .filter((type) => !isSpecifiedScalarType(type));
  expect(scalars).toHaveLength(7);
  for (const { name, specifiedByURL } of scalars) {
    expect(specifiedByURL).toMatch(/^https:/);
    const { data } = await ask(`{ __type(name: "${name}") { specifiedByURL } }`, { 'x-auth-token': 'admin' });
    expect(data).toEqual({ __type: { specifiedByURL } });
  }
});

describe('GET /schema.graphql', () => {
  test('returns the contract as text, without a token', async () => {
    const response = await fetch(`${server.url}/schema.graphql`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toBe(contract);
  });

  test('answers 304 to a caller that already has it', async () => {
    const tag = (await fetch(`${server.url}/schema.graphql`)).headers.get('etag') ?? '';
    const again = (given: string) => fetch(`${server.url}/schema.graphql`, { headers: { 'if-none-match': given } });
    expect(await again(tag).then(({ status }) => status)).toBe(304);
    expect(await again(`"other", W/${tag}`).then(({ status }) => status)).toBe(304);
    expect(await again('"other"').then(({ status }) => status)).toBe(200);
  });

  test('is not served where introspection is off', async () => {
    const closed = await start({ PLACEMENT_INTROSPECTION: 'off' });
    try {
      expect((await fetch(`${closed.url}/schema.graphql`)).status).toBe(404);
    } finally {
      await closed.close();
    }
  });
});

describe('the cost of an operation', () => {
  const query = '{ resourceProviders(first: 100) { nodes { name inventories { total resourceClass { name } } } } }';
  const admin = { 'x-auth-token': 'admin' };

  test.each(['jit', 'graphql-js'])('is in the extensions of the answer if the caller asks for it, with %s', async (executor) => {
    const other = await start({ PLACEMENT_EXECUTOR: executor });
    try {
      // The third time an operation is compiled.
      for (let time = 0; time < 4; time++) {
        const { extensions } = await ask(query, { ...admin, 'x-graphql-cost': '1' }, other.url);
        expect(extensions).toEqual({ cost: { objects: 1101, limit: 200_000 } });
      }
    } finally {
      await other.close();
    }
  });

  test('is only sent on request', async () => {
    expect(await ask(query, admin)).not.toHaveProperty('extensions');
    expect(await ask(query, { ...admin, 'x-graphql-cost': '0' })).not.toHaveProperty('extensions');
  });

  test('is that of the example in docs/limits.md', () => {
    expect(readFileSync(new URL('../../../docs/limits.md', import.meta.url), 'utf8')).toContain(
      `\`${query}\` costs 1 + 100 × (1 + 5 × (1 + 1)) = 1101`,
    );
  });
});
