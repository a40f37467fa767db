// Examination. Large answers: they are the same if built in parts, only a few are built at once, and further ones are refused without any loss.
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { paceResolvers } from '../../src/graphql/large-answers.ts';
import { limits } from '../../src/graphql/limits.ts';
import { recordWritten } from '../../src/graphql/written-fields.ts';
import { type RunningServer, startServer } from '../../src/listener/server.ts';
import { HeavyWork } from '../../src/operations/request/heavy-work.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { executors, type Gateway, hitsUntilCompiled, startGateway } from '../support/gateway.ts';
import { call, database, jsonHeaders, log, useListener } from '../support/listener.ts';
import { createSeed } from '../support/seed.ts';

useListener();

/** A list of items, and the work of its resolver. */
let onList: () => Promise<void> = async () => {};
let items: readonly object[] = [];
/** How often the mutation has written. */
let added = 0;
const schema = makeExecutableSchema({
  typeDefs: `
    directive @public on OBJECT
    type Item @public { name: String slow: String others(first: Int): List! words: [String!] self: Item! }
    type List @public { nodes: [Item!]! }
    type Query @public { list(first: Int): List! small: String! }
    type Added @public { count: Int! items: [Item!] userErrors: [Item!]! failing: [Item!]! later: [Item!] }
    type Mutation @public { add: Added }
  `,
  resolvers: {
    Query: {
      small: () => 'small',
      list: async () => {
        await onList();
        return { nodes: items };
      },
    },
    Mutation: {
      add: async (_parent, _args, scope, { path }) => {
        added++;
        recordWritten(scope, path.key);
        return { count: added, items, userErrors: [] };
      },
    },
    Added: {
      failing: () => Promise.reject(new Error('fails')),
      later: async () => {
        await onList();
        return items;
      },
    },
    Item: { others: () => ({ nodes: [] }), self: (item) => item },
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
    const request = httpRequest(`${gateway.url}/graphql`, { method: 'POST', headers: jsonHeaders });
    onList = async () => {
      request.destroy();
      // Longer than the gateway takes to notice.
      await new Promise((resolve) => setTimeout(resolve, 100));
    };
    request.end(JSON.stringify({ query: heavyQuery }));
    await expect(once(request, 'response')).rejects.toThrow('socket hang up');
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

describe.each(executors)('an answer that becomes large while it is made by %s', (executor) => {
  let gateway: RunningServer;
  let heavyWork: HeavyWork;
  /** Ends the heavy work that takes all turns. */
  let letOn = () => {};
  const start = async (bounds: ConstructorParameters<typeof HeavyWork>[0] = {}) => {
    heavyWork = new HeavyWork({ atOnce: 1, ...bounds });
    void heavyWork.run(null, () => new Promise<void>((resolve) => (letOn = resolve)));
    const { settings } = readSettings({ PLACEMENT_PORT: '0', PLACEMENT_EXECUTOR: executor });
    gateway = await startServer({ settings, db: database.db, log, schema, heavyWork });
  };
  const ask = (query: string, headers = {}) =>
    call({ headers: { ...jsonHeaders, ...headers }, body: JSON.stringify({ query }) }, gateway.url);
  const waiting = async () => {
    while (heavyWork.state.waiting === 0) await new Promise(setImmediate);
  };
  beforeEach(() => {
    items = Array.from({ length: limits.lightNodes + 1 }, (_, index) => ({ name: `${index}` }));
    onList = async () => {};
    added = 0;
  });
  afterEach(async () => {
    letOn();
    await gateway.close();
    expect(heavyWork.state).toMatchObject({ active: 0, waiting: 0 });
  });

  test.each([
    ['a list', () => items, '{ list { nodes { name } } }'],
    ['lists of values', () => Array.from({ length: 45 }, () => ({ words: Array(1200).fill('w') })), '{ list { nodes { words } } }'],
    ['objects in objects', () => items.slice(0, 1700), '{ list { nodes { self { self { name } } } } }'],
  ])('waits for its turn, holding nothing, and small ones do not wait for it (%s)', async (_, found, query) => {
    await start();
    items = found();
    let reads = 0;
    onList = async () => {
      reads++;
    };
    const large = ask(query);
    await waiting();
    expect((await ask('{ small }')).json).toEqual({ data: { small: 'small' } });
    expect([reads, heavyWork.state.waiting]).toEqual([1, 1]);
    letOn();
    const { status, json } = await large;
    expect([status, reads, (json.data as { list: { nodes: unknown[] } }).list.nodes.length]).toEqual([200, 2, items.length]);
  });

  test('is refused whole if there is no turn', async () => {
    await start({ queued: 0 });
    const { status, json } = await ask('{ list { nodes { name } } }');
    expect([status, json]).toEqual([503, { errors: [expect.objectContaining({ message: expect.stringContaining('Nothing was done') })] }]);
  });

  test('waits with a write done once, and has it all', async () => {
    await start();
    const large = ask('mutation { one: add { count items { name } } two: add { count items { name } } }');
    await waiting();
    expect(added).toBe(1);
    letOn();
    expect((await large).json).toEqual({ data: { one: { count: 1, items }, two: { count: 2, items } } });
  });

  test('takes no turn for what comes after it has been answered with an error', async () => {
    await start();
    let letCome = () => {};
    onList = () => new Promise((resolve) => (letCome = resolve));
    expect((await ask('mutation { add { later { name } failing { name } } }')).json.data).toEqual({ add: null });
    letCome();
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    expect(heavyWork.state.waiting).toBe(0);
  });

  test('says what was written, and where the rest of the answer is missing, if there is no turn', async () => {
    await start({ queued: 0 });
    const { status, json } = await ask(
      'mutation { one: add { count items { name } userErrors { name } } two: add { count items { name } } }',
    );
    expect([status, json.data]).toEqual([200, { one: { count: 1, items: null, userErrors: [] }, two: { count: 2, items: null } }]);
    expect(json.errors).toEqual(
      ['one', 'two'].map((field) =>
        expect.objectContaining({
          path: [field, 'items'],
          message: expect.stringMatching(/^The write was done\. (?!.*Nothing)/),
          extensions: expect.objectContaining({ code: 'ANSWER_INCOMPLETE', written: true, retry: 'AFTER_READ' }),
        }),
      ),
    );
  });

  test('has no more objects than an operation may have: a query is refused, and of a mutation the rest is missing', async () => {
    await start();
    letOn();
    const words = Array(limits.nodes / 5).fill('w');
    items = Array.from({ length: 60 }, () => ({ words }));
    const tooMany = { code: 'COST_LIMIT_EXCEEDED', limit: limits.nodes };
    const query = await ask('{ list { nodes { words } } }');
    expect([query.status, query.json.data, query.json.errors?.[0]?.extensions]).toMatchObject([400, undefined, tooMany]);
    const { status, json } = await ask('mutation { add { count items { words } } }');
    const { add } = json.data as { add: { count: number; items: { words: unknown[] | null }[] } };
    const missing = add.items.filter((item) => item.words === null).length;
    // Ten words count as an object.
    expect([status, add.count, add.items.length, missing]).toEqual([200, 1, items.length, items.length - 49]);
    expect(json.errors).toHaveLength(missing);
    expect(json.errors?.[0]?.extensions).toMatchObject({ ...tooMany, written: true, retry: 'AFTER_READ' });
  });

  test('has no more bytes than an answer may have: a query is refused, and a mutation says what was written', async () => {
    await start();
    letOn();
    items = items.map(() => ({ name: 'x'.repeat(limits.bytes / limits.lightNodes) }));
    const tooMany = { code: 'COST_LIMIT_EXCEEDED', limit: limits.bytes, measure: 'bytes' };
    const query = await ask('{ list { nodes { name } } }');
    expect([query.status, query.json.data, query.json.errors?.[0]?.extensions]).toMatchObject([400, undefined, tooMany]);
    for (let run = 0; run <= hitsUntilCompiled; run++) {
      const { status, json } = await ask('mutation { one: add { count items { name } } skipped: add @skip(if: true) { count } }');
      expect([status, json.data]).toEqual([200, { one: null }]);
      expect(json.errors).toMatchObject([{ path: ['one'], extensions: { ...tooMany, written: true, retry: 'AFTER_READ' } }]);
    }
  });

  test('is charged with its objects', async () => {
    await start();
    letOn();
    for (const [query, objects] of [
      ['{ list { nodes { self { name } } } }', 2 * items.length + 1],
      ['mutation { add { items { self { name } } } }', 2 * items.length + 1],
    ] as const) {
      const { json } = await ask(query, { 'x-graphql-cost': '1' });
      expect(json.extensions).toMatchObject({ cost: { objects } });
    }
  });

  test('is large with fewer objects if they have many values', async () => {
    await start();
    letOn();
    items = items.slice(0, 500);
    const wide = Array.from({ length: 45 }, (_, index) => `n${index}: name`).join(' ');
    // The third time, one of the executors compiles it.
    for (const query of Array(4).fill(`{ list { nodes { ${wide} } } }`)) {
      const { json } = await ask(query, { 'x-graphql-cost': '1' });
      expect(json.extensions).toMatchObject({ cost: { objects: 5 * 500 + 1 } });
    }
  });
});

describe.each(executors)('the parts of one list by %s', (executor) => {
  const names = Array.from({ length: 150 }, (_, index) => `${index}`);
  const slowly = (text: string) => {
    const until = performance.now() + 1.5;
    while (performance.now() < until);
    return text;
  };
  const long = Array(60).fill('');
  beforeAll(() => {
    onList = async () => {};
    items = names.map((name) => ({
      name,
      get slow() {
        return slowly(name);
      },
      words: async () => [{ valueOf: () => slowly(name) }, ...long],
    }));
  });

  // Objects: a hundred after the first, five at a time. Long lists of values: one at a time, those of objects that came together, too.
  test.each<[string, string, (name: string) => object, number]>([
    ['objects', 'slow name others(first: 10) { nodes { name } }', (name) => ({ slow: name, name, others: { nodes: [] } }), 19],
    [
      'long lists of values',
      'name words others(first: 10) { nodes { name } }',
      (name) => ({ name, words: [name, ...long], others: { nodes: [] } }),
      140,
    ],
  ])('are built in many turns of the event loop, and each list is whole and in order: %s', async (_, selection, built, least) => {
    const { settings } = readSettings({ PLACEMENT_PORT: '0', PLACEMENT_EXECUTOR: executor });
    const gateway = await startServer({ settings, db: database.db, log, schema });
    let turns = 0;
    let building = true;
    const count = () => {
      turns++;
      if (building) setImmediate(count);
    };
    const query = `{ one: list(first: 1000) { nodes { ${selection} } } two: list(first: 10) { nodes { name } } }`;
    const body = JSON.stringify({ query });
    const expected = { one: { nodes: names.map(built) }, two: { nodes: names.map((name) => ({ name })) } };
    // The last time it runs compiled.
    for (let round = 0; round <= hitsUntilCompiled; round++) {
      [turns, building] = [0, true];
      setImmediate(count);
      const { json } = await call({ headers: jsonHeaders, body }, gateway.url);
      building = false;
      expect(json).toEqual({ data: expected });
      expect(turns).toBeGreaterThanOrEqual(least);
    }
    await gateway.close();
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
    const page = (first: number) => `{
      resourceProviders(first: ${first}, filter: { nameStartsWith: "${executor}" }) { totalCount pageInfo { endCursor }
      nodes { uuid name root { uuid } traits { name } inventories { total free resourceClass { name } } children { name } } } }`;
    for (let round = 0; round < 4; round++) {
      const [small, large] = [await gateway.ask(page(40)), await gateway.ask(page(1000))];
      expect([small.errors, large.text]).toEqual([undefined, small.text]);
    }
  });
});
