// Examination. Compares the cost of operations with their answers: goes through the whole contract, from every field of Query, Mutation and Subscription, over HTTP. In a
// typical cloud, no answer has more than five times the objects of its estimate. In one that is filled towards the limits of its lists, where estimates are far
// too low, none has more than five times what its caller is charged, and none that is large is made without a turn of heavy operations.
import { execute, type GraphQLNamedType, getNamedType, isCompositeType, type OperationDefinitionNode, parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beginning, renderFeedCursor } from '../../src/domain/event-feed.ts';
import type { Identity } from '../../src/domain/identity.ts';
import { limits } from '../../src/domain/limits.ts';
import { Made } from '../../src/graphql/large-answers.ts';
import { createLimits, startsHeavy } from '../../src/graphql/limits.ts';
import { loadSchema } from '../../src/graphql/resolvers/schema.ts';
import { type RunningServer, startServer } from '../../src/listener/server.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import { readCloudMap } from '../../src/operations/forest/cloud-map.ts';
import { followEvents } from '../../src/operations/live/event-stream.ts';
import { followCloudMap } from '../../src/operations/live/map-stream.ts';
import { HeavyWork } from '../../src/operations/request/heavy-work.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { Contents, Crawl, type Field, fieldsOf } from '../support/crawl.ts';
import { fillCloud, filled, given, typical } from '../support/crawled-cloud.ts';
import { inputs } from '../support/crawled-inputs.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { scopeOf } from '../support/graphql.ts';
import { call, jsonHeaders } from '../support/listener.ts';
import { createSeed } from '../support/seed.ts';

const schema = loadSchema();
const estimateOf = createLimits(schema);
const [query, mutation, subscription] = ['Query', 'Mutation', 'Subscription'].map((name) => schema.getType(name)) as [
  GraphQLNamedType,
  GraphQLNamedType,
  GraphQLNamedType,
];
const named = (type: GraphQLNamedType) =>
  fieldsOf(type)
    .filter((field) => isCompositeType(getNamedType(field.type)))
    .map((field) => [field.name, field] as const);

/** Counts the turns of heavy operations. */
class CountingWork extends HeavyWork {
  turns = 0;

  override run<Result>(caller: Identity | null, work: () => Promise<Result>): Promise<Result> {
    this.turns++;
    return super.run(caller, work);
  }
}

/** An answer that is larger than its cost, or had no turn. */
interface Fault {
  readonly text: string;
  readonly cost: number;
  readonly objects: number;
}

/** Lists with elements in some answer. */
const lists = new Set<string>();

describe.each([
  ['typical', typical, 3],
  ['filled', filled, 2],
])('in a %s cloud', (cloud, size, levels) => {
  const crawl = new Crawl(schema, given);
  const heavyWork = new CountingWork();
  /** Operations with a light estimate that had a turn. */
  let turnedHeavy = 0;
  let database: TestDatabase;
  let server: RunningServer;

  beforeAll(async () => {
    database = await createTestDatabase();
    await fillCloud(database.db, size);
    const { settings } = readSettings({ PLACEMENT_PORT: '0' });
    server = await startServer({ settings, db: database.db, log: createLogger({ level: 'silent' }).log, heavyWork });
  });
  afterAll(async () => {
    await server.close();
    await database.drop();
  });

  const send = async (text: string, variables: Record<string, unknown>) => {
    const headers = { ...jsonHeaders, 'x-graphql-cost': '1' };
    const { json } = await call({ headers, body: JSON.stringify({ query: text, variables }) }, server.url);
    return json;
  };

  /** The answer's fault; null if it has none. */
  const faultOf = (root: string, text: string, data: unknown, cost: number): Fault | null => {
    const contents = new Contents(root, data as Record<string, unknown>);
    for (const list of contents.lists) lists.add(list);
    return contents.objects > 5 * cost ? { text, cost, objects: contents.objects } : null;
  };

  /** Sends an operation, which must not be refused, except for its cost. */
  const ask = async (text: string, variables: Record<string, unknown> = {}): Promise<Fault | null> => {
    const before = heavyWork.turns;
    const { data, errors, extensions } = await send(text, variables);
    if (errors?.[0]?.extensions.code === 'COST_LIMIT_EXCEEDED') return null;
    expect(errors, text).toBeUndefined();
    const document = parse(text);
    const operation = document.definitions[0] as OperationDefinitionNode;
    const { cost: estimate, counted } = estimateOf(document, operation, variables);
    const charged = (extensions as { cost: { objects: number } }).cost.objects;
    const turns = heavyWork.turns - before;
    const isHeavy = startsHeavy(estimate, counted);
    // If fewer objects were made than estimated, the answer does not tell how many.
    const [least, highest] = [charged > Math.max(estimate, limits.lightOperationCost), charged > limits.lightOperationCost];
    expect(turns, text).toBeGreaterThanOrEqual(isHeavy || least ? 1 : 0);
    expect(turns, text).toBeLessThanOrEqual(isHeavy || highest ? 1 : 0);
    if (turns > 0 && !isHeavy && estimate <= limits.lightOperationCost) turnedHeavy++;
    const most = turns === 0 ? Math.min(charged, limits.lightOperationCost) : charged;
    return faultOf(schema.getRootType(operation.operation)?.name ?? '', text, data, cloud === 'typical' ? estimate : most);
  };

  /** The worst faults of some operations. */
  const faultsOf = async (texts: Iterable<string>, askOne: (text: string) => Promise<Fault | null> = ask): Promise<Fault[]> => {
    const faults: Fault[] = [];
    for (const text of texts) {
      const fault = await askOne(text);
      if (fault) faults.push(fault);
    }
    return faults.toSorted((a, b) => b.objects / b.cost - a.objects / a.cost).slice(0, 5);
  };

  /** Selections of a field with everything below it, to a depth. */
  function* below(owner: GraphQLNamedType, field: Field, depth: number, most: number): Generator<string> {
    for (const way of crawl.waysDown(getNamedType(field.type), depth, most)) yield crawl.call(owner, field, way);
  }

  test.each(named(query))('Query.%s', async (_, field) => {
    expect(await faultsOf([...below(query, field, levels, 2)].map((way) => `{ ${way} }`))).toEqual([]);
  });

  test('every other field below Query', async () => {
    expect(await faultsOf([...crawl.waysToRest(query, ['Node'])].map((way) => `{ ${way} }`))).toEqual([]);
  });

  test('every mutation has an input', () => {
    expect(new Set(inputs.map(([name]) => name))).toEqual(new Set(named(mutation).map(([name]) => name)));
  });

  test.each(inputs)('Mutation.%s of %s', async (name, what, input) => {
    const field = fieldsOf(mutation).find((one) => one.name === name) as Field;
    const ask1 = (way: string) =>
      `mutation ($input: ${field.args[0]?.type}) { ${name}(input: $input) { __typename userErrors { __typename code path } ${way} } }`;
    // Sent again, it has its first answer.
    const variables = { input: 'dryRun' in input ? input : { ...input, idempotencyKey: what } };
    const { data } = await send(ask1(''), variables);
    expect((data as Record<string, { userErrors: unknown[] }>)[name]?.userErrors.length, JSON.stringify(data)).toSatisfy(
      (count: number) => count > 0 === what.startsWith('refused'),
    );
    const ways = [...crawl.waysDown(getNamedType(field.type), what.startsWith('refused') ? 3 : 2, 2)];
    expect(await faultsOf(ways.map(ask1), (text) => ask(text, variables))).toEqual([]);
    const refused = { input: { ...input, idempotencyKey: 'x'.repeat(limits.idempotencyKeyLength + 1) } };
    expect(await ask(ask1(''), refused)).toBeNull();
  });

  /** A message of each subscription. */
  const messages: Readonly<Record<string, () => Promise<{ readonly parts: number } | undefined>>> = {
    events: async () => {
      for await (const batch of followEvents(scopeOf(database.db), { after: renderFeedCursor(beginning) }))
        if (batch.parts > 0) return batch;
      return undefined;
    },
    cloudMapChanges: async () => {
      const asked = { resourceClasses: ['VCPU', 'MEMORY_MB'] };
      const { cursor } = await readCloudMap(scopeOf(database.db), asked);
      for (const name of ['joined 1', 'joined 2'])
        await createSeed(database.db).provider(name, { inventories: { VCPU: 1 }, traits: ['CUSTOM_T1'] });
      for await (const change of await followCloudMap(scopeOf(database.db), { ...asked, after: cursor }))
        if (change.parts > 0) return change;
      return undefined;
    },
  };

  test.each(named(subscription))('Subscription.%s', async (name, field) => {
    const message = await messages[name]?.();
    if (!message) throw new Error(`there is no message of ${name}`);
    const answer = async (text: string) => {
      const document = parse(text);
      expect(validate(schema, document), text).toEqual([]);
      const estimate = estimateOf(document, document.definitions[0] as OperationDefinitionNode, {}).cost * message.parts;
      const contextValue = Object.assign(scopeOf(database.db), { made: new Made() });
      const { data, errors } = await execute({ schema, document, contextValue, rootValue: message });
      expect(errors, text).toBeUndefined();
      const charged = contextValue.made.count + 1;
      return faultOf(subscription.name, text, JSON.parse(JSON.stringify(data)), cloud === 'typical' ? estimate : charged);
    };
    expect(
      await faultsOf(
        [...below(subscription, field, 4, 3)].map((way) => `subscription { ${way} }`),
        answer,
      ),
    ).toEqual([]);
  });

  test(`${cloud === 'filled' ? 'some operations' : 'no operation'} turned out heavy`, () => {
    expect(turnedHeavy > 0).toBe(cloud === 'filled');
  });
});

/** Paths into the input are as short as it is deep. */
const isPath = (list: string) => list.endsWith('.path');

test('no list was empty in all answers', () => {
  const crawl = new Crawl(schema, given);
  const all = [query, mutation, subscription].flatMap((root) => crawl.listsBelow(root));
  expect([...new Set(all)].filter((list) => !lists.has(list) && !isPath(list)).toSorted()).toEqual([]);
});
