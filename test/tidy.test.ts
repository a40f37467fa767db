// Applies the rules of the source tree (support/source-rules.ts) to the tree, and to planted files to prove that each can complain.
import { describe, expect, test } from 'vitest';
import { readSourceFiles, type SourceFile } from './support/source-files.ts';
import {
  domainIsPure,
  environmentIsReadInOnePlace,
  everyExportIsImported,
  everyFunctionIsCalled,
  everythingIsReached,
  filesAreShort,
  importsGoDown,
  noBarrels,
  noConsole,
  noDrawers,
  noForcedTypes,
  noHooksOnImport,
  noImportCycles,
  noInteractiveTransactions,
  noLoadedDice,
  noSilencedChecks,
  noSkippedTests,
  noUnfinishedWork,
  type Rule,
  rowsPermitOnlyWhatIsImported,
  sourcesOpenWithAComment,
  sqlFilesAreNamedAfterTheirFunction,
  subRoomsImportDown,
  testsMirrorSources,
  typesAreNamedOnce,
} from './support/source-rules.ts';

type Planted = Record<string, string>;

const lines = (count: number) => '// Line.\n'.repeat(count);

/** Each rule with planted files that break it, the complaints it must make, and files that it must leave alone. */
const laws: [sentence: string, rule: Rule, bad: Planted, complaints: string[], good: Planted][] = [
  [
    'imports go down the rooms, those of types included',
    importsGoDown,
    {
      'src/domain/a.ts': "import { sql } from 'drizzle-orm';\nimport { readFile } from 'node:fs';",
      'src/db/a.ts': "import type { A } from '../operations/a.ts';\nexport * from '../settings/a.ts';\nexport * from 'postgres';",
      'src/operations/a.ts': "type Row = import('../graphql/a.ts').Row;",
      'src/graphql/a.ts': "import {\n  one,\n  type Two,\n} from '../db/a.ts';",
      'src/ui/explorer/a.tsx': "import '../../domain/a.ts';",
      'src/postgres/a.ts': "import { a } from '../../test/support/a.ts';",
      'src/attic/a.ts': "import { a } from './b.ts';",
      'src/listener/a.ts': "import '../main.ts';",
      'src/server.ts': "import './domain/a.ts';",
      'src/main.ts': "import './domain/a.ts';\nimport 'graphql';",
    },
    [
      'src/attic/a.ts: the room attic has no row in the direction rule',
      'src/db/a.ts imports ../operations/a.ts',
      'src/db/a.ts imports ../settings/a.ts',
      'src/db/a.ts imports postgres',
      'src/domain/a.ts imports drizzle-orm',
      'src/domain/a.ts imports node:fs',
      'src/graphql/a.ts imports ../db/a.ts',
      'src/listener/a.ts imports ../main.ts',
      'src/main.ts imports ./domain/a.ts',
      'src/main.ts imports graphql',
      'src/operations/a.ts imports ../graphql/a.ts',
      'src/postgres/a.ts imports ../../test/support/a.ts',
      'src/server.ts is in no room',
      'src/ui/explorer/a.tsx imports ../../domain/a.ts',
    ],
    {
      'src/domain/candidates/a.ts': "import { a } from '../inventory.ts';\n// import { sql } from 'postgres';",
      'src/db/a.ts': "import { sql } from 'drizzle-orm/pg-core';\nimport { a } from '../domain/a.ts';\nimport { join } from 'node:path';",
      'src/graphql/resolvers/a.ts': "import { get } from '../../operations/a.ts';\nimport type { X } from '../errors.ts';",
      'src/commands/a.ts': "import { Command } from 'commander';\nimport { audit } from '../db/a.ts';",
      'src/main.ts': "import { a } from './program/a.ts';\nexport const from = 'here';",
    },
  ],
  [
    'no room may import what it does not',
    rowsPermitOnlyWhatIsImported,
    { 'src/db/a.ts': "import { a } from '../domain/a.ts';\nimport { sql } from 'drizzle-orm/pg-core';" },
    ['db does not import measures', 'db does not import postgres'],
    { 'src/postgres/a.ts': "import { a } from './b.ts';" },
  ],
  [
    'imports go down the sub-rooms, too',
    subRoomsImportDown,
    {
      'src/nova/pci/a.ts': "import type { Flavor } from '../flavors/a.ts';",
      'src/nova/pci/b.ts': "import { pools } from '../services/b.ts';",
      'src/nova/objects/forms/a.ts': "import { decode } from '../codec.ts';",
      'src/operations/request/a.ts': "const late = await import('../scope/loaders.ts');",
      'src/ui/dashboard/parts/a.tsx': "import styles from '../pages/fit/a.module.css';",
      'src/measures/deep/a.ts': "import { a } from '../a.ts';",
    },
    [
      'src/measures: the sub-room deep has no place in the order',
      'src/nova/objects/forms/a.ts imports ../codec.ts',
      'src/nova/pci/a.ts imports ../flavors/a.ts',
      'src/nova/pci/b.ts imports ../services/b.ts',
      'src/operations/request/a.ts imports ../scope/loaders.ts',
      'src/ui/dashboard/parts/a.tsx imports ../pages/fit/a.module.css',
    ],
    {
      'src/nova/flavors/a.ts': "import { a } from '../pci/a.ts';\nimport { b } from './b.ts';",
      'src/domain/candidates/a.ts': "import { a } from '../inventory.ts';\n// import { b } from '../plans/b.ts';",
      'src/ui/explorer/a.tsx': "import '../dashboard/pages/fit/a.ts';",
      'src/listener/a.ts': "import { a } from '../rest/schemas/a.ts';",
    },
  ],
  [
    'no import comes back to where it started',
    noImportCycles,
    {
      'src/db/a.ts': "import './b.ts';",
      'src/db/b.ts': "import type { C } from './deep/c.ts';",
      'src/db/deep/c.ts': "export { a } from '../a.ts';",
      'src/db/d.ts': "import './a.ts';",
      'src/db/e.ts': "import './e.ts';",
    },
    ['src/db/a.ts', 'src/db/b.ts', 'src/db/deep/c.ts', 'src/db/e.ts'],
    { 'src/db/a.ts': "import './b.ts';\nimport './c.ts';", 'src/db/b.ts': "import './c.ts';", 'src/db/c.ts': "// import './a.ts';" },
  ],
  [
    'there are no barrels',
    noBarrels,
    { 'src/db/index.ts': 'export const a = 1;', 'src/db/all.ts': "// All.\nexport * from './a.ts';\nexport type { B } from './b.ts';" },
    ['src/db/index.ts', 'src/db/all.ts'],
    { 'src/db/a.ts': "export { b } from './b.ts';\nexport const a = 1;", 'src/db/c.ts': '// Nothing yet.' },
  ],
  [
    'every file is reached from the program, a test, a script or a configuration',
    everythingIsReached,
    {
      'src/main.ts': "// See db/a.ts.\nimport './db/b.ts';",
      'src/db/a.ts': '',
      'src/db/b.ts': '',
      'bench/a.ts': '',
      'test/support/a.ts': '',
    },
    ['src/db/a.ts', 'bench/a.ts', 'test/support/a.ts'],
    {
      'package.json': '{ "scripts": { "bench": "tsx bench/a.ts", "generate": "tsx codegen.ts --check" } }',
      'codegen.ts': '',
      'bench/a.ts': "import { b } from './b.ts';",
      'bench/b.ts': '',
      'vitest.config.ts': "globalSetup: 'test/support/cluster.ts'",
      'test/support/cluster.ts': '',
      'test/db/a.test.ts': "fork(new URL('worker.ts', import.meta.url))",
      'test/db/worker.ts': '',
      'src/ui/index.html': '<script src="./page.tsx"></script>',
      'src/ui/page.tsx': '',
    },
  ],
  [
    'a file of SQL creates the one function that it is named after',
    sqlFilesAreNamedAfterTheirFunction,
    {
      'src/db/writes/functions/a.sql': 'create or replace function b() returns int',
      'src/db/writes/functions/c.sql': 'create function c() returns int; CREATE FUNCTION d() returns int',
      'src/db/writes/functions/e.sql': '-- create function e()\nselect 1',
    },
    ['src/db/writes/functions/a.sql', 'src/db/writes/functions/c.sql', 'src/db/writes/functions/e.sql'],
    {
      'src/db/writes/functions/replace_traits.sql': '-- Like create function x.\ncreate or replace function replace_traits(request jsonb)',
    },
  ],
  [
    'every function of SQL is called by another or by the program',
    everyFunctionIsCalled,
    {
      'src/db/writes/functions/a.sql': 'select a()',
      'src/db/writes/functions/b.sql': '-- As a() does.\nselect 1',
      'test/db.test.ts': 'sql`select b()`',
    },
    ['src/db/writes/functions/a.sql', 'src/db/writes/functions/b.sql'],
    {
      'src/db/writes/functions/a.sql': 'select b()',
      'src/db/writes/functions/b.sql': 'select 1',
      'src/db/writes/a.ts': 'sql`select * from a(1)`',
    },
  ],
  [
    'what is exported is imported, and not only by tests',
    everyExportIsImported,
    {
      'src/db/a.ts': 'export const a = 1;\nexport async function b() {}\nexport class C {}\nexport type D = 1;\n// export const e = 1;',
      'src/db/b.ts': "import { a as b } from './a.ts';\nexport interface Row {}\nexport const f = (row: Row) => row;",
      'test/a.test.ts': "import { b } from '../src/db/a.ts';\nimport { used } from './support/a.ts';",
      'test/support/a.ts': 'export const used = 1;\nexport function unused() {}',
    },
    ['src/db/a.ts b', 'src/db/a.ts C', 'src/db/a.ts D', 'src/db/b.ts f', 'test/support/a.ts unused'],
    {
      'src/db/a.ts': 'export const a = 1;\nexport type D = 1;\nexport function* g() {}\nexport interface Row {}\nexport enum E {}',
      'src/db/b.ts': "import * as all from './c.ts';\nimport {\n  a,\n  type D,\n} from './a.ts';\nexport { g } from './a.ts';",
      'src/db/c.ts': "export const h = 1;\nconst late = await import('./d.ts');",
      'src/db/d.ts': 'export const i = 1;',
      'src/db/schema/schema.ts': 'export const traits = 1;',
      'bench/a.ts': "import type { Row, E } from '../src/db/a.ts';",
    },
  ],
  [
    'no type is named twice for the same thing',
    typesAreNamedOnce,
    {
      'src/db/a.ts': 'type Optional<T> = T | null | undefined;\nexport type Path = readonly (string | number)[];',
      'src/nova/b.ts': 'export type Optional<T> = T | null\n  | undefined;',
      'test/c.test.ts': 'type Path = readonly (string | number)[];',
    },
    [
      'src/db/a.ts: Optional<T> = T | null | undefined',
      'src/nova/b.ts: Optional<T> = T | null | undefined',
      'src/db/a.ts: Path = readonly (string | number)[]',
      'test/c.test.ts: Path = readonly (string | number)[]',
    ],
    {
      'src/db/a.ts': "type Path = readonly string[];\nexport type { Optional } from '../domain/input.ts';",
      'src/nova/b.ts': 'type Path = readonly number[];\n// type Path = readonly string[];',
    },
  ],
  [
    'tests are where what they test is',
    testsMirrorSources,
    {
      'src/db/feed/a.ts': '',
      'test/feed/a.test.ts': '',
      'test/db/feed/late/a.test.ts': '',
      'test/domains/a.test.ts': '',
    },
    ['test/feed/a.test.ts', 'test/db/feed/late/a.test.ts', 'test/domains/a.test.ts'],
    {
      'src/db/feed/a.ts': '',
      'tools/a.ts': '',
      'test/db/feed/late-writers.test.ts': '',
      'test/db/a.test.ts': '',
      'test/tools/a.test.ts': '',
      'test/server.test.ts': '',
      'test/conformance/versions.test.ts': '',
      'test/process.ts': '',
    },
  ],
  [
    'there are no drawers',
    noDrawers,
    { 'src/utils.ts': '', 'src/db/lib/a.ts': '', 'test/support/test.helper.ts': '', 'test/helpers.ts': '', 'src/common/a.ts': '' },
    ['src/utils.ts', 'src/db/lib/a.ts', 'test/support/test.helper.ts', 'test/helpers.ts', 'src/common/a.ts'],
    { 'src/domain/sharing.ts': '', 'src/domain/shared-pools.ts': '', 'src/db/library.ts': '', 'test/support/database.ts': '' },
  ],
  [
    'every source opens with what it knows',
    sourcesOpenWithAComment,
    { 'src/db/a.ts': "import './b.ts';\n// Late.", 'src/db/writes/functions/a.sql': 'select 1', 'src/ui/a.tsx': '' },
    ['src/db/a.ts', 'src/db/writes/functions/a.sql', 'src/ui/a.tsx'],
    {
      'src/main.ts': '#!/usr/bin/env node\n// The process.',
      'src/db/b.ts': '/* Rows. */',
      'src/db/writes/functions/b.sql': '-- One.',
      'bench/a.ts': 'go();',
    },
  ],
  [
    'no file has more than 400 lines',
    filesAreShort,
    { 'src/db/a.ts': lines(401), 'test/a.test.ts': lines(500), 'src/db/writes/functions/a.sql': lines(401) },
    ['src/db/a.ts', 'test/a.test.ts', 'src/db/writes/functions/a.sql'],
    { 'src/db/a.ts': lines(400), 'src/graphql/a.generated.ts': lines(900), 'src/domain/standard-traits.ts': lines(900) },
  ],
  [
    'only the process reads its environment',
    environmentIsReadInOnePlace,
    {
      'src/a.ts': 'const home = process.env.HOME;',
      'src/b.ts': "process['env'].HOME",
      'src/c.ts': 'const { env } = process;',
      'src/d.ts': "import { argv, env } from 'node:process';",
      'src/e.ts': "spawn('x', { env: { ...process.env } })",
      'src/f.ts': "if (process.env.MODE === 'x') stop();",
    },
    ['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts', 'src/e.ts', 'src/f.ts'],
    {
      'src/main.ts': 'serve(process.env)',
      'src/a.ts': "// Not process.env.\nconst env = { a: 1 };\nspawn('x', { env });",
      'src/ui/build.mjs': "process.env.NODE_ENV = 'production';",
      'test/a.test.ts': 'process.env.HOME',
    },
  ],
  [
    'no transaction is held open between statements',
    noInteractiveTransactions,
    {
      'src/a.ts': 'await sql.begin(async () => {})',
      'src/b.ts': 'db\n  .transaction<Row>(work)',
      'src/c.ts': 'const own = await sql.reserve();',
    },
    ['src/a.ts', 'src/b.ts', 'src/c.ts'],
    {
      'src/a.ts': '// Never sql.begin().\ntotal - record.reserved',
      'test/a.test.ts': 'sql.begin(work)',
    },
  ],
  [
    'sources do not write to the console',
    noConsole,
    { 'src/a.ts': "console.log('x')", 'src/b.ts': "console['error'](x)" },
    ['src/a.ts', 'src/b.ts'],
    { 'src/a.ts': '// No console.log here.', 'src/ui/build.mjs': 'console.error(x)', 'bench/a.ts': 'console.log(ratio)' },
  ],
  [
    'the domain has no clock, no randomness and no process',
    domainIsPure,
    {
      'src/domain/a.ts': 'Date.now()',
      'src/domain/b.ts': 'new Date()',
      'src/domain/c.ts': 'Math.random()',
      'src/domain/d.ts': 'crypto.randomUUID()',
    },
    ['src/domain/a.ts', 'src/domain/b.ts', 'src/domain/c.ts', 'src/domain/d.ts'],
    { 'src/domain/a.ts': 'new Date(text)', 'src/db/a.ts': 'Date.now()' },
  ],
  [
    'nothing is left unfinished',
    noUnfinishedWork,
    { 'src/a.ts': '// TODO later', 'test/a.test.ts': '/* FIXME */', 'src/db/writes/functions/a.sql': '-- XXX', 'bench/a.ts': '// HACK' },
    ['src/a.ts', 'test/a.test.ts', 'src/db/writes/functions/a.sql', 'bench/a.ts'],
    { 'src/a.ts': "const name = 'CUSTOM_TODO_LIST';" },
  ],
  [
    'no check is silenced',
    noSilencedChecks,
    { 'src/a.ts': '// @ts-ignore', 'test/a.ts': '// biome-ignore lint: because' },
    ['src/a.ts', 'test/a.ts'],
    { 'src/a.ts': '// Ignores what it does not know.' },
  ],
  [
    'no type is forced on a value',
    noForcedTypes,
    {
      'src/a.ts': 'show(value as never);',
      'src/b.ts': 'return row as unknown as Row;',
      'src/c.ts': 'const value: any = 1;',
      'src/d.ts': 'new Map<any, string>()',
    },
    ['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts'],
    { 'src/a.ts': 'const row = value as Row; // as any\nconst anyOf: anyway = {};', 'test/a.test.ts': 'broken as never' },
  ],
  [
    'no test is skipped or runs alone',
    noSkippedTests,
    {
      'test/a.test.ts': "test.skip('x', work)",
      'test/b.test.ts': "describe.only('x', work)",
      'test/c.test.ts': 'test.concurrent.skipIf(slow)',
    },
    ['test/a.test.ts', 'test/b.test.ts', 'test/c.test.ts'],
    { 'test/a.test.ts': "test.each(rows)('skips nothing', work)" },
  ],
  [
    'what tests share sets nothing up when it is imported: a process imports it once for several files',
    noHooksOnImport,
    { 'test/db/a.ts': 'beforeAll(open);', 'test/support/b.ts': 'const database = useDatabase();' },
    ['test/db/a.ts', 'test/support/b.ts'],
    { 'test/support/a.ts': 'export function useA() {\n  beforeAll(open);\n}', 'test/a.test.ts': 'beforeAll(open);' },
  ],
  [
    'dice are fresh in each run',
    noLoadedDice,
    {
      'test/a.test.ts': 'const roll = diceOf(5);',
      'test/b.test.ts': 'fc.sample(clouds, { numRuns: 4, seed: 11 })',
      'test/c.test.ts': 'const name = Math.random();',
      'test/d.test.ts': 'const roll = freshDice(7);',
      'test/e.test.ts': 'const seed = Date.now() % 2 ** 31;',
      'test/f.test.ts': 'fc.sample(clouds, { numRuns: 4, seed: randomInt(9) })',
      'test/g.test.ts': 'const seed = 11;',
    },
    ['test/a.test.ts', 'test/b.test.ts', 'test/c.test.ts', 'test/d.test.ts', 'test/e.test.ts', 'test/f.test.ts', 'test/g.test.ts'],
    {
      'test/a.test.ts': "const roll = freshDice('storm');",
      'test/b.test.ts': "fc.sample(clouds, { numRuns: 4, seed: freshSeed('clouds') })",
      'test/c.test.ts': "{ field: 'RANDOM', seed: 7 }",
    },
  ],
];

const plant = (files: Planted): SourceFile[] => Object.entries(files).map(([path, text]) => ({ path, text }));
const tree = readSourceFiles();

describe.each(laws)('%s', (_sentence, rule, bad, complaints, good) => {
  test('in the tree', () => {
    expect(rule(tree)).toEqual([]);
  });

  test('and what breaks it is noticed, and nothing else', () => {
    expect(rule(plant(bad)).toSorted()).toEqual(complaints.toSorted());
    expect(rule(plant(good))).toEqual([]);
  });
});
