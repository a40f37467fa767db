// Large answers: they are the same if built in parts, only a few are built at once, and further ones are refused without any loss.
import { makeExecutableSchema } from '@graphql-tools/schema';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { paceResolvers, renderInPieces } from '../../src/graphql/large-answers.ts';
import { type RunningServer, startServer } from '../../src/listener/server.ts';
import { HeavyWork } from '../../src/operations/request/heavy-work.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { executors, type Gateway, startGateway } from '../support/gateway.ts';
import { call, database, jsonHeaders, log, useListener } from '../support/listener.ts';
import { createSeed } from '../support/seed.ts';

useListener();

/** A list of items, and the work of its resolver. */
let onList: () => Promise<void> = async () => {};
let items: readonly object[] = [];
const schema = makeExecutableSchema({
  typeDefs: `
    directive @public on OBJECT
    type Item @public { name: String slow: String others(first: Int): List! }
    type List @public { nodes: [Item!]! }
    type Query @public { list(first: Int): List! small: String! }
    type Mutation @public { add(first: Int): List! }
  `,
  resolvers: {
    Query: {
      small: () => 'small',
      list: async () => {
        await onList();
        return { nodes: items };
      },
    },
    Mutation: { add: async () => ({ nodes: items }) },
    Item: { others: () => ({ nodes: [] }) },
  },
});
paceResolvers(schema);

const heavyQuery = '{ list(first: 100) { nodes { name others(first: 100) { nodes { name } } } } }';

describe('of many callers at once', () => {
  let gateway: RunningServer;
  const start = async (heavyWork: HeavyWork) => {
    const { settings } = readSettings({ PLACEMENT_PORT: '0' });
    gateway = await startServer({ settings, db: database.db, log, schema, heavyWork });
  };
  const ask = (query: string, headers = {}) =>
    call({ headers: { ...jsonHeaders, ...headers }, body: JSON.stringify({ query }) }, gateway.url);
  beforeEach(() => {
    items = [{ name: 'a' }];
    onList = async () => {};
  });
  afterEach(() => gateway.close());

  test('a few are built at once, and small ones do not wait for them', async () => {
    await start(new HeavyWork({ atOnce: 2, queued: 1000, wait: 60_000 }));
    let building = 0;
    let peak = 0;
    let letOn = () => {};
    const gate = new Promise<void>((resolve) => {
      letOn = resolve;
    });
    onList = async () => {
      building++;
      peak = Math.max(peak, building);
      await gate;
      building--;
    };
    const heavy = Array.from({ length: 40 }, () => ask(heavyQuery));
    while (building < 2) await new Promise(setImmediate);
    const small = await Promise.all(Array.from({ length: 20 }, () => ask('{ small }')));
    expect(small.map(({ json }) => json)).toEqual(small.map(() => ({ data: { small: 'small' } })));
    letOn();
    const answers = await Promise.all(heavy);
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['{"data":{"list":{"nodes":[{"name":"a","others":{"nodes":[]}}]}}}']));
    expect(peak).toBe(2);
  });

  test('further ones are UNAVAILABLE, with the time to retry', async () => {
    await start(new HeavyWork({ atOnce: 1, queued: 0 }));
    let letOn = () => {};
    let began = () => {};
    const begun = new Promise<void>((resolve) => {
      began = resolve;
    });
    onList = () =>
      new Promise((resolve) => {
        letOn = resolve;
        began();
      });
    const first = ask(heavyQuery);
    await begun;
    const refused = await ask(heavyQuery);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    expect(refused.json).toMatchObject({
      errors: [{ extensions: { code: 'UNAVAILABLE', retry: 'LATER', requestId: expect.any(String) } }],
    });
    expect((await call({ method: 'GET', path: '/placement/resource_providers', headers: jsonHeaders }, gateway.url)).status).toBe(503);
    expect((await call({ method: 'GET', path: '/placement/resource_providers?name=a', headers: jsonHeaders }, gateway.url)).status).toBe(
      200,
    );
    letOn();
    expect((await first).status).toBe(200);
  });

  test('no large body is read while there is no room for it', async () => {
    const heavyWork = new HeavyWork({ bytes: 100_000 });
    await start(heavyWork);
    const query = `{ small } # ${'x'.repeat(80_000)}`;
    expect((await ask(query)).status).toBe(200);
    const done = heavyWork.hold(50_000);
    const refused = await ask(query);
    expect([refused.status, refused.headers['retry-after'], refused.json.errors?.[0]?.extensions.code]).toEqual([503, '1', 'UNAVAILABLE']);
    const body = JSON.stringify({ name: 'x'.repeat(80_000) });
    const post = () => call({ path: '/placement/resource_providers', headers: jsonHeaders, body }, gateway.url);
    expect((await post()).status).toBe(503);
    done();
    expect([(await ask(query)).status, (await post()).status]).toEqual([200, 400]);
    expect(heavyWork.hasRoomFor(100_000)).toBe(true);
  });

  test.each<{ 'accept-encoding'?: string }>([{ 'accept-encoding': 'identity' }, { 'accept-encoding': 'br' }])(
    'an answer counts until it is read (%j)',
    async (headers) => {
      const heavyWork = new HeavyWork();
      await start(heavyWork);
      items = Array.from({ length: 3000 }, (_, index) => ({ name: `${index}`.repeat(100) }));
      const all = 128 * 1024 * 1024;
      const body = JSON.stringify({ query: heavyQuery });
      const answer = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers: { ...jsonHeaders, ...headers }, body });
      expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, headers['accept-encoding'] === 'br' ? 'br' : null]);
      expect(((await answer.json()) as { data: { list: { nodes: unknown[] } } }).data.list.nodes).toHaveLength(3000);
      while (!heavyWork.hasRoomFor(all)) await new Promise(setImmediate);
    },
  );

  test('an answer whose client disconnected before it was built does not count', async () => {
    const heavyWork = new HeavyWork();
    await start(heavyWork);
    items = Array.from({ length: 3000 }, (_, index) => ({ name: `${index}`.repeat(100) }));
    const abort = new AbortController();
    onList = async () => {
      abort.abort();
      // Longer than the gateway takes to notice.
      await new Promise((resolve) => setTimeout(resolve, 100));
    };
    const request = fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: jsonHeaders,
      body: JSON.stringify({ query: heavyQuery }),
      signal: abort.signal,
    });
    await expect(request).rejects.toThrow();
    await expect.poll(() => heavyWork.state.active).toBe(0);
    await expect.poll(() => heavyWork.state.bytes).toBe(0);
  });

  test('an error in a large answer has the request id', async () => {
    await start(new HeavyWork());
    items = [{ name: {} }];
    const { json, headers } = await ask(heavyQuery);
    expect(json.data).toEqual({ list: { nodes: [{ name: null, others: { nodes: [] } }] } });
    expect(json.errors?.[0]?.extensions.requestId).toBe(headers['x-openstack-request-id']);
  });
});

describe.each(executors)('the objects of one list by %s', (executor) => {
  test('are built in many turns of the event loop, and each list is whole and in order', async () => {
    const { settings } = readSettings({ PLACEMENT_PORT: '0', PLACEMENT_EXECUTOR: executor });
    const gateway = await startServer({ settings, db: database.db, log, schema });
    let turns = 0;
    let building = true;
    const count = () => {
      turns++;
      if (building) setImmediate(count);
    };
    const names = Array.from({ length: 150 }, (_, index) => `${index}`);
    items = names.map((name) => ({
      name,
      get slow() {
        const until = performance.now() + 2;
        while (performance.now() < until);
        return this.name;
      },
    }));
    onList = async () => {};
    const query = `{ one: list(first: 1000) { nodes { slow name others(first: 10) { nodes { name } } } } two: list(first: 10) { nodes { name } } }`;
    const body = JSON.stringify({ query });
    const expected = {
      one: { nodes: names.map((name) => ({ slow: name, name, others: { nodes: [] } })) },
      two: { nodes: names.map((name) => ({ name })) },
    };
    // The fifth time it runs compiled.
    for (let round = 0; round < 5; round++) {
      [turns, building] = [0, true];
      setImmediate(count);
      const { json } = await call({ headers: jsonHeaders, body }, gateway.url);
      building = false;
      expect(json).toEqual({ data: expected });
      // A hundred after the first, five at a time.
      expect(turns).toBeGreaterThanOrEqual(19);
    }
    await gateway.close();
  });
});

describe('in pieces', () => {
  test.each<[string, unknown]>([
    ['nothing', {}],
    ['a small value', { data: { a: [1, 'b', null, true, { c: [] }] } }],
    ['a long list', { data: { list: Array.from({ length: 5000 }, (_, index) => ({ index, name: 'é"\n' })) } }],
    ['a long list of plain values', { data: { list: Array.from({ length: 5000 }, (_, index) => [index, 'é"', null, true][index % 4]) } }],
    ['a list of values and objects', { data: Array.from({ length: 2000 }, (_, index) => (index % 700 === 3 ? { index } : index)) }],
    ['lists within lists', { data: Array.from({ length: 50 }, () => Array.from({ length: 50 }, (_, index) => [index, { index }])) }],
    ['a wide object', Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`k"${index}`, index % 2 ? undefined : { index }]))],
    ['undefined values', { errors: undefined, data: Array.from({ length: 1000 }, (_, index) => (index % 2 ? undefined : null)) }],
  ])('%s is rendered as in one go', async (_, value) => {
    const pieces = await renderInPieces(value, 10_000_000);
    expect(Buffer.concat(pieces ?? []).toString()).toBe(JSON.stringify(value));
  });

  test('no more is rendered than the limit', async () => {
    const value = { data: 'x'.repeat(1000) };
    expect(await renderInPieces(value, 1011)).toHaveLength(1);
    expect(await renderInPieces(value, 1010)).toBeNull();
  });
});

describe.each(executors)('the answer of the contract by %s', (executor) => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway(database, executor);
    const seed = createSeed(database.db);
    for (let host = 0; host < 30; host++) {
      await seed.provider(`${executor}-${host}`, { inventories: { VCPU: 8, MEMORY_MB: 1024 } });
    }
  });
  afterAll(() => gateway.close());

  test('is the same, large or small', async () => {
    const page = (
      first: number,
    ) => `{ resourceProviders(first: ${first}, filter: { nameStartsWith: "${executor}" }) { totalCount pageInfo { endCursor }
      nodes { uuid name root { uuid } traits { name } inventories { total free resourceClass { name } } children { name } } } }`;
    for (let round = 0; round < 4; round++) {
      const [small, large] = [await gateway.ask(page(40)), await gateway.ask(page(1000))];
      expect([small.errors, large.text]).toEqual([undefined, small.text]);
    }
  });
});
