// The rules of the source tree, each a function from files to violations. test/tidy.test.ts applies them.
import { posix } from 'node:path';
import { importsOf, isCode, isSql, namedImportsOf, resolveFrom, type SourceFile, withoutComments } from './source-files.ts';

export type Rule = (files: readonly SourceFile[]) => string[];

/** A rule that can be checked file by file. */
function noFile(breaks: (file: SourceFile) => boolean): Rule {
  return (files) => files.filter(breaks).map(({ path }) => path);
}

const anything = '*';

interface Room {
  readonly ours: readonly string[];
  readonly npm: readonly string[];
}

/** The direction rule: what each directory may import. Each may import itself, and all but `domain` Node's modules. */
const rooms: Readonly<Record<string, Room>> = {
  domain: { ours: [], npm: [] },
  measures: { ours: [], npm: ['@opentelemetry/api'] },
  db: { ours: ['domain', 'measures'], npm: ['drizzle-orm', 'postgres'] },
  operations: { ours: ['db', 'domain', 'measures'], npm: ['dataloader'] },
  nova: { ours: ['operations', 'domain'], npm: [] },
  auth: { ours: ['domain', 'settings'], npm: ['yaml', 'zod'] },
  http: { ours: [], npm: ['fastify'] },
  graphql: {
    ours: ['operations', 'domain', 'auth', 'bridge', 'http', 'measures', 'nova'],
    npm: [
      ...['@apollo/server', '@fastify/websocket', '@graphql-tools/schema'],
      ...['fastify', 'graphql', 'graphql-jit', 'graphql-ws', 'pino'],
    ],
  },
  rest: { ours: ['operations', 'domain', 'auth', 'bridge', 'http', 'measures'], npm: ['fastify'] },
  web: { ours: ['auth', 'domain', 'http', 'settings'], npm: ['@fastify/static', 'fastify', 'zod'] },
  ui: {
    ours: [],
    npm: [
      '@graphiql/react',
      '@tanstack/react-query',
      '@tanstack/react-virtual',
      'graphiql',
      'graphql',
      'graphql-ws',
      'react',
      'react-dom',
      'vite',
      'wouter',
    ],
  },
  postgres: { ours: [], npm: [] },
  workers: { ours: [], npm: [] },
  metrics: { ours: ['bridge', 'operations', 'db', 'domain', 'auth', 'http', 'measures'], npm: ['fastify'] },
  bridge: { ours: ['domain', 'db'], npm: ['zod'] },
  commands: { ours: ['domain', 'db', 'operations', 'auth', 'bridge'], npm: ['commander', 'graphql', 'zod'] },
  settings: { ours: ['db', 'domain', 'http'], npm: ['zod'] },
  logs: { ours: ['domain', 'measures', 'settings'], npm: ['pino'] },
  process: { ours: ['db', 'domain', 'postgres', 'settings'], npm: ['graphql', 'pino'] },
  listener: {
    ours: ['auth', 'bridge', 'db', 'domain', 'graphql', 'http', 'logs', 'measures', 'metrics', 'operations', 'rest', 'settings', 'web'],
    npm: ['@as-integrations/fastify', 'fastify', 'graphql', 'pino'],
  },
  serving: {
    ours: ['auth', 'bridge', 'commands', 'db', 'listener', 'measures', 'metrics', 'operations', 'process', 'settings', 'workers'],
    npm: ['pino'],
  },
  program: { ours: ['auth', 'commands', 'db', 'process', 'serving', 'settings'], npm: ['commander'] },
};
/** The only file directly in `src`. */
const entry = 'src/main.ts';
const roomOfEntry: Room = { ours: ['logs', 'process', 'program', 'settings', 'workers'], npm: ['commander'] };

/** Packages that only one file imports: we use what they do not document. */
const doors: Readonly<Record<string, string>> = { postgres: 'src/db/sql/driver.ts' };

const inSource = (path: string) => path.startsWith('src/');
/** All files except those with the rules, which quote what they forbid. */
const isNotTidy = (path: string) => path !== 'test/tidy.test.ts' && path !== 'test/support/source-rules.ts';
const isGenerated = (path: string) => path.endsWith('.generated.ts');

const isRelative = (specifier: string) => specifier.startsWith('.');
const roomOf = (path: string) => (path.split('/').length > 2 ? (path.split('/')[1] ?? null) : null);
const packageOf = (specifier: string) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

export const importsGoDown: Rule = (files) =>
  files
    .filter(({ path }) => inSource(path))
    .flatMap((file) => importsOf(file).flatMap((specifier) => directionFault(file.path, specifier) ?? []))
    .toSorted();

function directionFault(path: string, specifier: string): string | null {
  const from = roomOf(path);
  if (from === null && path !== entry) return `${path} is in no room`;
  const room = from === null ? roomOfEntry : rooms[from];
  if (room === undefined) return `${path}: the room ${from} has no row in the direction rule`;
  const fault = `${path} imports ${specifier}`;
  if (!isRelative(specifier)) {
    const door = doors[packageOf(specifier)];
    if (door !== undefined) return path === door ? null : fault;
    if (specifier.startsWith('node:')) return from === 'domain' ? fault : null;
    return room.npm.includes(packageOf(specifier)) ? null : fault;
  }
  const target = resolveFrom(path, specifier);
  const to = inSource(target) ? roomOf(target) : null;
  return to !== null && (to === from || room.ours.includes(to)) ? null : fault;
}

/** A row that permits more than its room needs would let the next import go anywhere. */
export const rowsPermitOnlyWhatIsImported: Rule = (files) =>
  Object.entries(rooms).flatMap(([room, { ours, npm }]) => {
    const inside = files.filter(({ path }) => inSource(path) && roomOf(path) === room);
    const imported = new Set(
      inside.flatMap((file) =>
        importsOf(file).map((specifier) => (isRelative(specifier) ? roomOf(resolveFrom(file.path, specifier)) : packageOf(specifier))),
      ),
    );
    return inside.length === 0 ? [] : [...ours, ...npm].filter((one) => !imported.has(one)).map((one) => `${room} does not import ${one}`);
  });

/**
 * The order of the sub-rooms of each directory that has some, from the top: each may import those after a later `>`. A `.` stands for the files directly
 * in the directory. ARCHITECTURE.md says what they hold.
 */
export const ordersOfSubRooms: Readonly<Record<string, string>> = {
  'src/auth': 'policy > . > keystone > callers',
  'src/bridge': '. > placement',
  'src/commands': '. > demo, import, state > phases',
  'src/db': 'feed, unpaged > . > schema > writes > sql',
  'src/domain': 'plans, trees > candidates > .',
  'src/graphql': 'resolvers, streams > .',
  'src/nova': 'audits, plans > instances > requests > settings > flavors > numa > compute-nodes > pci, services > objects, terms, trees',
  'src/nova/objects': '. > forms',
  'src/operations':
    'candidates, ledger, live, records, search, trees, unpaged > providers > allocations > names > scope > loaders > forest > request',
  'src/rest': 'serving > handlers > schemas > .',
  'src/ui': 'explorer > dashboard > .',
  'src/ui/dashboard': '. > shell > pages, sign-in, theme > actions, map > parts > data, exports > formats',
  'src/ui/dashboard/pages': 'bridge, fit, hosts, overview, projects, provider, search > consumers, usage > events',
};

/** No two sub-rooms import each other, directly or through others. */
export const subRoomsImportDown: Rule = (files) =>
  files
    .filter(({ path }) => inSource(path))
    .flatMap((file) =>
      importsOf(file)
        .filter(isRelative)
        .flatMap((specifier) => orderFault(file.path, specifier) ?? []),
    )
    .toSorted();

function orderFault(path: string, specifier: string): string | null {
  const target = resolveFrom(path, specifier);
  const directory = directoriesAbove(path).find((above) => target.startsWith(`${above}/`)) ?? 'src';
  const subRoomOf = (file: string) => /^[^/]+(?=\/)/.exec(file.slice(directory.length + 1))?.[0] ?? '.';
  const [from, to] = [subRoomOf(path), subRoomOf(target)];
  if (directory === 'src' || from === to) return null;
  const floors = (ordersOfSubRooms[directory] ?? '').split(' > ').map((floor) => floor.split(', '));
  const floorOf = (subRoom: string) => floors.findIndex((floor) => floor.includes(subRoom));
  const unknown = [from, to].find((subRoom) => floorOf(subRoom) < 0);
  if (unknown !== undefined) return `${directory}: the sub-room ${unknown} has no place in the order`;
  return floorOf(from) < floorOf(to) ? null : `${path} imports ${specifier}`;
}

export const noImportCycles: Rule = (files) => {
  const graph = new Map(
    files
      .filter(({ path }) => inSource(path))
      .map((file) => [
        file.path,
        importsOf(file)
          .filter(isRelative)
          .map((to) => resolveFrom(file.path, to)),
      ]),
  );
  return [...graph.keys()].filter((path) => reachable(graph.get(path) ?? [], (from) => graph.get(from) ?? []).has(path));
};

function reachable(starts: readonly string[], next: (path: string) => readonly string[]): Set<string> {
  const seen = new Set<string>();
  const waiting = [...starts];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    waiting.push(...next(path));
  }
  return seen;
}

export const noBarrels = noFile(
  (file) => isCode(file.path) && (/\/index\.[a-z]+$/.test(file.path) || onlyReexports(withoutComments(file))),
);

function onlyReexports(code: string): boolean {
  const rest = code.replace(/\bexport\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s*from\s*['"][^'"]+['"];?/g, '');
  return rest !== code && rest.trim() === '';
}

const isFunction = (path: string) => path.startsWith('src/db/writes/') && isSql(path);

/** A file is reachable by an import or by its name in a reachable file, as for forked processes, set-ups and scripts of package.json. */
export const everythingIsReached: Rule = (files) => {
  const known = new Map(files.map((file) => [file.path, file]));
  const isRoot = (path: string) =>
    path === 'package.json' || path === entry || path.endsWith('.test.ts') || path.endsWith('.config.ts') || path.endsWith('.html');
  const next = (path: string): string[] => {
    const file = known.get(path);
    if (!file) return [];
    // The files with the rules contain made-up file names: follow only their imports.
    if (!isNotTidy(path)) return importsOf(file).map((specifier) => resolveFrom(path, specifier));
    const names = withoutComments(file).match(/[\w./-]+\.(?:ts|tsx|mts|mjs|js)\b/g) ?? [];
    return names.flatMap((name) => [posix.normalize(name), resolveFrom(path, name)]);
  };
  const reached = reachable([...known.keys()].filter(isRoot), next);
  return [...known.keys()].filter((path) => isCode(path) && !reached.has(path));
};

/** Exports that no other file of the program imports, each with its reason. */
const importedByNobody: Readonly<Record<string, string>> = {
  'src/graphql/features.ts fieldsOfFeatures': 'a test compares the fields of all features with those of the schema',
  'src/graphql/features.ts features': 'the same test iterates over them without a schema',
  'src/domain/event.ts eventKinds': 'a test compares the kinds that the write functions record with this list',
  'src/db/sql/driver.ts readInVersion': 'a test fails when the driver has another version than the one whose undocumented parts were read',
  'src/db/sql/client.ts writeSettings': 'the test of writes that take too long connects in the same way, with one shorter deadline',
  'src/nova/compute-nodes/ratios.ts chooseRatio': 'a rule of Nova that is a table of cases: the test is that table',
  'src/nova/objects/codec.ts decodeObject': 'the tests of forms read objects of every kind, while the program always knows the kind',
  'src/nova/objects/codec.ts ownManifest': 'which object is understood in which version: the tests iterate over all of them',
};

/** drizzle-kit reads the tables by their exports. */
const isReadWhole = (path: string) => path === 'src/db/schema/schema.ts' || path.endsWith('.config.ts');

/**
 * Exports must be imported; those of the program by the program, because code that only tests call is not part of it. A type may be
 * exported for the signatures in its own file.
 */
export const everyExportIsImported: Rule = (files) => {
  const used = new Set<string>();
  for (const file of files) {
    for (const { from, names } of namedImportsOf(file)) {
      const target = resolveFrom(file.path, from);
      if (inSource(target) && file.path.startsWith('test/')) continue;
      for (const name of names ?? [anything]) used.add(`${target} ${name}`);
    }
  }
  return files
    .filter(({ path }) => isCode(path) && !isGenerated(path) && !isReadWhole(path) && !used.has(`${path} ${anything}`))
    .flatMap((file) => {
      const code = withoutComments(file);
      const declared = code.matchAll(
        /^export\s+(?:declare\s+)?(?:async\s+|abstract\s+)*(const|let|function\*?|class|interface|type|enum)\s+(\w+)/gm,
      );
      return [...declared].flatMap(([, kind, name]) => {
        const entry = `${file.path} ${name}`;
        const isOfSignatures = (kind === 'interface' || kind === 'type') && (code.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length > 1;
        return used.has(entry) || isOfSignatures || entry in importedByNobody ? [] : [entry];
      });
    });
};

/** A type alias is declared in one place: copies drift apart. */
export const typesAreNamedOnce: Rule = (files) => {
  const declared = files
    .filter(({ path }) => isCode(path) && !isGenerated(path))
    .flatMap((file) =>
      [...withoutComments(file).matchAll(/^(?:export )?type (\w+(?:<.*?>)?) =([^;]+);/gm)].map(([, name, body = '']) => ({
        path: file.path,
        alias: `${name} =${body.replace(/\s+/g, ' ')}`,
      })),
    );
  return declared
    .filter((one) => declared.some((other) => other !== one && other.alias === one.alias))
    .map(({ path, alias }) => `${path}: ${alias}`);
};

/** Directories of tests that mirror no sources: tests of the whole gateway, as its clients see it, and code that tests share. */
const testsOfTheWhole = [
  'test/browser',
  'test/conformance',
  'test/contract',
  'test/docs',
  'test/keystone',
  'test/nova/oracle',
  'test/package',
  'test/pairs',
  'test/releases',
  'test/support',
  'test/torture',
];

/** The directory of a test mirrors that of its subject: test/db/feed for src/db/feed, test/tools for tools. Tests directly in test concern the process. */
export const testsMirrorSources: Rule = (files) => {
  const sources = new Set(files.flatMap(({ path }) => (path.startsWith('test/') ? [] : directoriesAbove(path))));
  return files
    .map(({ path }) => path)
    .filter((path) => path.startsWith('test/') && path.endsWith('.test.ts'))
    .filter((path) => !testsOfTheWhole.some((directory) => path.startsWith(`${directory}/`)))
    .filter((path) => {
      const mirrored = posix.dirname(path).slice('test/'.length);
      return mirrored !== '' && !sources.has(`src/${mirrored}`) && !sources.has(mirrored);
    });
};

function directoriesAbove(path: string): string[] {
  const directory = posix.dirname(path);
  return directory === '.' ? [] : [directory, ...directoriesAbove(directory)];
}

export const everyFunctionIsCalled: Rule = (files) => {
  const sources = files.filter(({ path }) => inSource(path)).map((file) => ({ path: file.path, code: withoutComments(file) }));
  return files
    .map(({ path }) => path)
    .filter((path) => {
      const name = new RegExp(`\\b${posix.basename(path, '.sql')}\\b`);
      return isFunction(path) && !sources.some((other) => other.path !== path && name.test(other.code));
    });
};

export const sqlFilesAreNamedAfterTheirFunction = noFile((file) => {
  if (!isFunction(file.path)) return false;
  const created = withoutComments(file).matchAll(/\bcreate\s+(?:or\s+replace\s+)?(?:function|procedure)\s+(\w+)/gi);
  return [...created].map(([, name]) => name).join() !== posix.basename(file.path, '.sql');
});

export const noDrawers = noFile(({ path }) => /(?:^|[/.-])(?:utils?|helpers?|common|misc|lib)[/.]|(?:^|\/)shared[/.]/.test(path));

export const sourcesOpenWithAComment = noFile(({ path, text }) => {
  const opening = text.replace(/^#![^\n]*\n/, '').trimStart();
  return inSource(path) && ((isCode(path) && !/^\/[/*]/.test(opening)) || (isSql(path) && !opening.startsWith('--')));
});

export const filesAreShort = noFile(({ path, text }) => {
  const isData = /^src\/domain\/standard-[\w-]+\.ts$/.test(path);
  return (isCode(path) || isSql(path)) && !isGenerated(path) && !isData && text.trimEnd().split('\n').length > 400;
});

/** A rule that forbids patterns in the code, or in the whole text with comments. */
function without(pattern: RegExp, where: (path: string) => boolean, read = withoutComments): Rule {
  return noFile(
    (file) => (isCode(file.path) || isSql(file.path)) && !isGenerated(file.path) && where(file.path) && pattern.test(read(file)),
  );
}

/** Contains programs as text, which read an environment and print something. */
const isWriter = (path: string) => path === 'src/ui/explorer/code.ts';

export const environmentIsReadInOnePlace = without(
  /\bprocess\s*(?:\?\.|\.|\[\s*['"])\s*env\b(?!\.\w+\s*=[^=])|\{[^{}]*\benv\b[^{}]*\}\s*(?:=\s*process\b|from\s*['"]node:process['"])/,
  (path) => inSource(path) && path !== entry && !isWriter(path),
);
export const noInteractiveTransactions = without(/\.\s*(?:begin|transaction|reserve)\s*(?:<[^>()]*>)?\s*\(/, inSource);
// Files that are not compiled are build scripts, which may write to the terminal.
export const noConsole = without(/\bconsole\s*\??[.[]/, (path) => inSource(path) && !path.endsWith('.mjs') && !isWriter(path));
export const domainIsPure = without(/\bDate\.now\b|\bnew\s+Date\(\s*\)|\bMath\.random\b|\b(?:performance|crypto|process)\./, (path) =>
  path.startsWith('src/domain/'),
);
const asWritten = ({ text }: SourceFile) => text;
export const noUnfinishedWork = without(/\b(?:TODO|FIXME|XXX|HACK)\b/, isNotTidy, asWritten);
export const noSilencedChecks = without(/@ts-(?:ignore|nocheck)\b|\bbiome-ignore\b/, isNotTidy, asWritten);
export const noForcedTypes = without(/\bas\s+(?:never|any|unknown\s+as)\b|[:<]\s*any\b/, inSource);
/** Torture prints its own seed; all others take theirs from the run. */
const rollsFreshDice = (path: string) =>
  path.startsWith('test/') && !path.startsWith('test/torture/') && path !== 'test/support/dice.ts' && isNotTidy(path);
export const noLoadedDice = without(
  /\bdiceOf\b|\bMath\.(?:random|imul)\b|\bnumRuns\b[^}]*\bseed:\s*\d|\bfresh(?:Seed|Dice)\(\s*\d|\bseed\s*=\s*\d|\bseed\w*\s*(?::|=(?!=))[^;\n]*\b(?:Date|performance|hrtime|random\w*)\b/,
  rollsFreshDice,
);
export const noSkippedTests = without(
  /\b(?:test|it|describe)(?:\.\w+)*\.(?:only|skip|skipIf|runIf|todo|fails)\b/,
  (path) => path.startsWith('test/') && isNotTidy(path),
);
/** The set-up of the runner is made anew for each file. */
export const noHooksOnImport = without(
  /^(?:before|after)(?:All|Each)\(|^(?:export )?(?:const|let) .* = use[A-Z]\w*\(/m,
  (path) => /^test\/.*(?<!\.test)\.ts$/.test(path) && path !== 'test/support/failed-dice.ts' && isNotTidy(path),
);
