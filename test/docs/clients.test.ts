// Examination. The code of docs/clients.md is compiled in strict mode and run against a gateway.
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { codegen } from '@graphql-codegen/core';
import * as documentsPlugin from '@graphql-codegen/typed-document-node';
import * as operationsPlugin from '@graphql-codegen/typescript-operations';
import { buildSchema, introspectionFromSchema, parse } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../src/listener/server.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { useDatabase } from '../support/database.ts';
import { createSeed } from '../support/seed.ts';

const database = useDatabase();
const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const plugins = { 'typescript-operations': operationsPlugin, 'typed-document-node': documentsPlugin };

let server: RunningServer;
let folder: string;

beforeAll(async () => {
  await createSeed(database.db).provider('host', { inventories: { VCPU: 4 } });
  const { settings } = readSettings({ PLACEMENT_PORT: '0' });
  server = await startServer({ settings, db: database.db, log: createLogger({ level: 'error', write: () => {} }).log });
  folder = await mkdtemp(join(tmpdir(), 'placement-clients-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** The blocks of the page that have the name of a file. */
async function filesOfPage(): Promise<[name: string, text: string][]> {
  const page = await readFile(join(root, 'docs/clients.md'), 'utf8');
  return [...page.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)].map(([, name = '', text = '']) => [name, text]);
}

/** What graphql-codegen's command does with the configuration of the page. */
async function generateOperations(schema: string): Promise<void> {
  const { default: configuration } = await import(pathToFileURL(join(folder, 'codegen.ts')).href);
  const [[filename, { plugins: names }] = ['', { plugins: [] }]] = Object.entries<{ plugins: (keyof typeof plugins)[] }>(
    configuration.generates,
  );
  const text = await codegen({
    filename,
    schema: parse(schema),
    documents: [{ location: configuration.documents, document: parse(await readFile(join(folder, configuration.documents), 'utf8')) }],
    pluginMap: plugins,
    plugins: names.map((name) => ({ [name]: {} })),
    config: configuration.config,
  });
  await writeFile(join(folder, filename), text);
}

/** What the types of both generators let through, and what they catch: a mistake that the compiler does not notice is an error of its own. */
const refused = `
import type { ResultOf, VariablesOf } from 'gql.tada';
import type { PlaceMutationVariables } from './operations.js';
import { graphql } from './tada.js';

const place = graphql('mutation Place($input: ReplaceAllocationsInput!) { replaceAllocations(input: $input) { replayed } }');
type Generated = PlaceMutationVariables['input']['consumers'];
type Inferred = VariablesOf<typeof place>['input']['consumers'];
const rest = { consumer: 'c', hold: { allocations: [] } };
const right: [Generated, Inferred] = [[{ ...rest, expect: { isNew: true } }], [{ ...rest, expect: { isNew: true } }]];
// @ts-expect-error: a consumer that is not new has a generation.
const generated: Generated = [{ ...rest, expect: { isNew: false } }];
// @ts-expect-error: the inferred type also requires a generation.
const inferred: Inferred = [{ ...rest, expect: { isNew: false } }];

const map = graphql('query Map { cloudMap(resourceClasses: []) { names flags traitSets } }');
type Columns = ResultOf<typeof map>['cloudMap'];
const columns = ({ names, flags, traitSets }: Columns): [(string | null)[], (number | null)[], number[][]] => [names, flags, traitSets];
`;

test('the code of the page compiles against the contract that a gateway serves, and does what the page says', async () => {
  const files = await filesOfPage();
  expect(files.map(([name]) => name)).toEqual([
    'codegen.ts',
    'operations.graphql',
    'client.ts',
    'hosts.ts',
    'place.ts',
    'follow.ts',
    'main.ts',
    'watch.ts',
    'tada.ts',
  ]);
  for (const [name, text] of [...files, ['refused.ts', refused] as const]) await writeFile(join(folder, name), text);
  const schema = await (await fetch(`${server.url}/schema.graphql`)).text();
  await generateOperations(schema);
  const introspection = minifyIntrospection(introspectionFromSchema(buildSchema(schema)));
  await writeFile(join(folder, 'graphql-env.d.ts'), outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true }));
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));

  const compiled = await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch(({ stdout }: { stdout: string }) => ({ stdout }));
  expect(compiled.stdout).toBe('');

  const lines = async (...argv: string[]) =>
    (await run(process.execPath, argv, { cwd: folder })).stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
  const consumer = randomUUID();
  const place = (who: string, key: string) => lines('main.js', `${server.url}/graphql`, 'admin', who, key);
  const claimed = ['REPLACE_ALLOCATIONS', 'CHANGED', 'CREATED'];
  expect(await place(consumer, 'first')).toEqual([{ name: 'host', free: 4, replayed: false, refusals: [] }, [claimed]]);
  expect(await place(consumer, 'first')).toEqual([{ name: 'host', free: 3, replayed: true, refusals: [] }, []]);
  expect(await place(consumer, 'second')).toEqual([
    expect.objectContaining({ refusals: [expect.stringMatching(/^CONSUMER_CONFLICT /)] }),
    [],
  ]);
  // What it watches is written as soon as it says that it watches.
  const watching = spawn(process.execPath, ['watch.js', `${server.url}/graphql`, 'admin'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const watched: unknown[] = [];
  for await (const line of createInterface(watching.stdout)) {
    watched.push(JSON.parse(line));
    if (line === '"watching"') await createSeed(database.db).provider('another');
  }
  expect(watched).toEqual(['watching', 'CREATE_RESOURCE_PROVIDER']);
  expect(await lines('tada.js', `${server.url}/graphql`)).toEqual([{ version: expect.stringMatching(/^\d/), pageSize: 1000 }]);
});
