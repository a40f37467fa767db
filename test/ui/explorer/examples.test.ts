// The worked examples of the explorer, as its page opens them: over HTTP, with values of the demo cloud, and the writes among them too.
import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLError, parse, print, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../../src/listener/server.ts';
import { createLogger } from '../../../src/logs/process-log.ts';
import { readSettings } from '../../../src/settings/settings.ts';
import { type Example, fill, type Json, users } from '../../../src/ui/explorer/example.ts';
import { useDemo } from '../../support/demo.ts';
import { blocksOf, within } from '../../support/documents.ts';
import { exampleNamed, examples } from '../../support/examples.ts';
import { tokenFor, useTokensFile } from '../../support/tokens-file.ts';

const demo = useDemo();
const tokensFile = useTokensFile();
const tokens = { operator: '', reader: '', otherReader: '' };
let gateway: RunningServer;

beforeAll(async () => {
  tokens.operator = await tokenFor(tokensFile, 'ann', ['admin'], { project: 'admin' });
  // Of the project that the examples write for.
  tokens.otherReader = await tokenFor(tokensFile, 'eve', ['reader'], { project: 'explorer-example' });
  tokens.reader = await tokenFor(tokensFile, 'joe', ['reader'], { project: 'video' });
  const { settings } = readSettings({ PLACEMENT_PORT: '0', PLACEMENT_AUTH: 'static', PLACEMENT_TOKENS_FILE: tokensFile });
  gateway = await startServer({ settings, db: demo.db, log: createLogger({ level: 'error', write: () => {} }).log });
});
afterAll(() => gateway.close());

interface Answer {
  readonly data?: Json;
  readonly errors?: readonly GraphQLError[];
}

async function post(path: string, body: object, token: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', accept: '*/*', 'x-auth-token': token };
  return fetch(`${gateway.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

const ask = (token: string) => async (query: string) => {
  const { data, errors } = (await (await post('/graphql', { query }, token)).json()) as Answer;
  expect(errors).toBeUndefined();
  return data ?? null;
};

async function filled(example: Example, token: string): Promise<{ readonly query: string; readonly variables: object }> {
  const { variables, missing } = await fill(example, ask(token));
  expect(missing).toEqual([]);
  return { query: example.text, variables };
}

async function answerTo(example: Example, token = tokens.operator): Promise<Json> {
  const { data, errors } = (await (await post('/graphql', await filled(example, token), token)).json()) as Answer;
  expect({ example: example.name, errors }).toEqual({ example: example.name, errors: undefined });
  return data ?? null;
}

/** The first message of a subscription that tells something, after a write. */
async function messageOf(example: Example, token: string): Promise<Json> {
  const response = await post('/graphql/stream', await filled(example, token), token);
  expect(response.status).toBe(200);
  const write = () => answerTo(exampleNamed('claim-best'));
  await write();
  let text = '';
  let hasBegun = false;
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    for (const [, message = ''] of text.matchAll(/^data: (.+)\n/gm)) {
      const { data = null, errors } = JSON.parse(message) as Answer;
      expect({ example: example.name, errors }).toEqual({ example: example.name, errors: undefined });
      // Leaving the loop closes the stream.
      if ([...within(data)].some((value) => Array.isArray(value) && value.length > 0)) return data;
      // The stream may have begun after the first write, because its head comes at once.
      if (!hasBegun) await write();
      hasBegun = true;
    }
  }
  throw new Error(`no write was reported: ${text}`);
}

/** The fields of an answer that are null, 0, false or empty wherever they occur, by path. */
function silentFields(data: Json): string[] {
  const says = new Map<string, boolean>();
  const look = (value: Json, path: string): boolean => {
    if (typeof value !== 'object' || value === null) return Boolean(value);
    if (Array.isArray(value)) return value.map((element) => look(element, path)).length > 0;
    for (const [name, inner] of Object.entries(value as Record<string, Json>)) {
      const at = path === '' ? name : `${path}.${name}`;
      const isSaid = look(inner, at);
      says.set(at, isSaid || says.get(at) === true);
    }
    return true;
  };
  look(data, '');
  return [...says].filter(([, isSaid]) => !isSaid).map(([path]) => path);
}

/** Fields that say nothing of the demo cloud, by example. What becomes of hosts that report and of claims that are refused: test/contract/operator-questions.test.ts. */
const silent: Readonly<Record<string, readonly string[]>> = {
  'claims-by-hour': ['claimHistory.periods.changedCount', 'claimHistory.periods.refusedCount', 'claimHistory.periods.withoutRoom'],
  // Its disks are local.
  'host-tree': ['resourceProvider.sharedPools.usedHere'],
  'no-valid-host': ['allocationCandidates.candidates'],
  services: ['services.nodes.disabled', 'services.nodes.forcedDown'],
  'silent-hosts': ['computeNodes.totalCount', 'computeNodes.nodes'],
};
const silentToReaders: typeof silent = { 'who-am-i': ['viewer.mayReadCloud', 'viewer.mayWrite'] };

/** What there is none of in the demo, before an example reports it. */
const madeByExamples = new Set(['services', 'reservations']);
const reading = examples.filter(({ kind, name }) => kind === 'query' && !madeByExamples.has(name));

test.each(reading.map((example) => [example.name, example] as const))(
  '%s has something of the cloud in every field',
  async (_name, example) => {
    expect(silentFields(await answerTo(example))).toEqual(silent[example.name] ?? []);
  },
);

const ofReaders = examples.filter(({ kind, user }) => kind === 'query' && user === 'Readers of a project');

test.each(ofReaders.map((example) => [example.name, example] as const))(
  '%s answers a reader of one project, too',
  async (_name, example) => {
    expect(silentFields(await answerTo(example, tokens.reader))).toEqual(silentToReaders[example.name] ?? []);
  },
);

const followed = examples.filter(({ kind }) => kind === 'subscription').map((example) => [example.name, example] as const);

test.each(followed)('%s reports a write as it happens', async (_name, example) => {
  await messageOf(example, example.user === 'Readers of a project' ? tokens.otherReader : tokens.operator);
});

describe('the examples that write', () => {
  /** What one after another leaves for the next. */
  const inOrder = [
    'claim-best',
    'claim-here',
    'claim-for-a-while',
    'reserve',
    'reservations',
    'release',
    'report-node',
    'report-service',
    'services',
    'select-destinations',
    'delete-service',
    'delete-node',
    'change-ratio',
    'bandwidth',
  ];

  test('are all here', () => {
    const others = examples.filter(({ name, kind }) => kind === 'mutation' || madeByExamples.has(name));
    expect(inOrder.toSorted()).toEqual(others.map(({ name }) => name));
  });

  test.each(inOrder)('%s is not refused', async (name) => {
    const data = await answerTo(exampleNamed(name));
    expect(silentFields(data).filter((path) => !path.endsWith('.userErrors'))).toEqual(silent[name] ?? []);
    const refusals = [...within(data)].flatMap((value) =>
      typeof value === 'object' && value !== null && 'userErrors' in value ? value.userErrors : [],
    );
    expect(refusals).toEqual([]);
  });

  test('say why a claim is refused if it is run twice', async () => {
    const body = await filled(exampleNamed('claim-here'), tokens.operator);
    const run = async () => ((await (await post('/graphql', body, tokens.operator)).json()) as Answer).data;
    expect(await run()).toMatchObject({ replaceAllocations: { consumers: [{ generation: 1 }], userErrors: [] } });
    expect(await run()).toMatchObject({ replaceAllocations: { consumers: [], userErrors: [{ code: 'CONSUMER_CONFLICT', actual: 1 }] } });
  });

  test('find nothing to release if no example has claimed anything', async () => {
    const { variables, missing } = await fill(exampleNamed('release'), async () => ({ consumers: { nodes: [] } }));
    expect({ variables, missing }).toEqual({
      variables: { consumer: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/), generation: '' },
      missing: ['consumer', 'generation'],
    });
  });

  test('say that there is no compute node if no example has reported one', async () => {
    const example = exampleNamed('delete-node');
    const { variables, missing } = await fill(example, async () => ({ computeNode: null }));
    expect(missing).toEqual(['computeNode']);
    const answer = (await (await post('/graphql', { query: example.text, variables }, tokens.operator)).json()) as Answer;
    expect(answer).toMatchObject({ data: { deleteComputeNode: { userErrors: [{ code: 'NOT_FOUND' }] } } });
  });
});

test('the host with everything in it is one with processors, even if a pool of addresses is first', async () => {
  const write = ask(tokens.operator);
  const [pool, part] = ['00000000-0000-4000-8000-00000000aaaa', '00000000-0000-4000-8000-00000000bbbb'];
  await write(`mutation { createResourceProvider(input: { uuid: "${pool}", name: "0-pool" }) { userErrors { code } } }`);
  await write(`mutation { createResourceProvider(input: { uuid: "${part}", name: "0-part", parent: "${pool}" }) { userErrors { code } } }`);
  const { variables } = await fill(exampleNamed('host-tree'), ask(tokens.operator));
  const found = await write(`{ totals(filter: { names: "${variables.name}" }, scope: TREE) { own { resourceClass { name } } } }`);
  for (const uuid of [part, pool]) {
    const input = `{ resourceProvider: "${uuid}", expect: { unchecked: true } }`;
    expect(await write(`mutation { deleteResourceProvider(input: ${input}) { userErrors { code } } }`)).toMatchObject({
      deleteResourceProvider: { userErrors: [] },
    });
  }
  expect(JSON.stringify(found)).toContain('"VCPU"');
});

describe('the files', () => {
  const schema = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));

  test('are valid, and so are the small queries for their variables', () => {
    for (const { text, wanted } of examples) {
      const asked = [...wanted.values()].flatMap((one) => (one.kind === 'asked' ? [one.query] : []));
      for (const document of [text, ...asked])
        expect({ document, faults: validate(schema, parse(document)) }).toEqual({ document, faults: [] });
    }
  });

  test('contain no uuid, which would be valid in one cloud only', () => {
    for (const { name, text, wanted } of examples)
      expect([name, /[0-9a-f]{8}-[0-9a-f]{4}-/.test(text + JSON.stringify([...wanted]))]).toEqual([name, false]);
  });

  test('exist for every user, and say in a sentence what they answer', () => {
    expect(new Set(examples.map(({ user }) => user))).toEqual(new Set(users));
    for (const { name, title, says } of examples) {
      expect([name, says.endsWith('.'), title.endsWith('.'), says === title]).toEqual([name, true, false, false]);
    }
  });

  test('are the same documents as in README and in the tours in docs', () => {
    const nameOf = (text: string) => /^(?:query|mutation|subscription) (\w+)/m.exec(text)?.[1];
    const own = new Map(examples.map(({ text }) => [nameOf(text), print(parse(text))]));
    const shared = ['README.md', 'docs/queries.md', 'docs/nova.md']
      .flatMap((page) => blocksOf(readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8')))
      .filter(({ language, text }) => language === 'graphql' && own.has(nameOf(text)))
      .map(({ text }) => [nameOf(text), print(parse(text))]);
    expect(shared.map(([name]) => name)).toEqual(expect.arrayContaining(['Hypervisors', 'Find', 'Orphans', 'Translate']));
    for (const [name, text] of shared) expect([name, own.get(name)]).toEqual([name, text]);
  });
});
