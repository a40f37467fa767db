// Pages of 100 providers among 1,000 hosts and among 50,000: a page must cost the same. Two gateways, measured alternately.
//   npm run bench:pages
import { openDatabase } from '../src/db/sql/client.ts';
import { filled, fillHosts } from './support/fill.ts';
import { type BenchGateway, startGateway } from './support/gateway.ts';
import { type HttpClient, httpClient } from './support/http-client.ts';
import { measureTimes, median } from './support/measure.ts';

const sizes = [1000, 50_000];
const repetitions = 30;
const nodes = 'nodes { uuid name generation inventories { resourceClass { name } capacity used } traitNames aggregates { uuid } }';

interface Cloud {
  readonly gateway: BenchGateway;
  readonly client: HttpClient;
  /** Some of its providers, for pages by uuid and for a cursor in the middle. */
  readonly uuids: readonly string[];
  readonly middle: string;
}

async function ask(cloud: Cloud, query: string): Promise<unknown> {
  const { body } = await cloud.client.request('POST', '/graphql', JSON.stringify({ query }));
  const answer = JSON.parse(body) as { data?: unknown; errors?: unknown };
  if (!answer.data || answer.errors) throw new Error(body.slice(0, 300));
  return answer.data;
}

async function startCloud(hosts: number): Promise<Cloud> {
  const gateway = await startGateway();
  const db = openDatabase(gateway.database);
  await fillHosts(db, hosts);
  const uuids = (await db.sql<{ uuid: string }[]>`select uuid from resource_providers order by uuid limit 100`).map(({ uuid }) => uuid);
  await db.close();
  const client = httpClient(gateway.url, { 'x-auth-token': 'admin', 'content-type': 'application/json' });
  const cloud = { gateway, client, uuids, middle: '' };
  // Page to the middle of the list by name.
  let after = '';
  for (let seen = 0; seen < hosts / 2; seen += 500) {
    const page = (await ask(cloud, `{ resourceProviders(first: 500${after && `, after: "${after}"`}) { pageInfo { endCursor } } }`)) as {
      resourceProviders: { pageInfo: { endCursor: string } };
    };
    after = page.resourceProviders.pageInfo.endCursor;
  }
  return { ...cloud, middle: after };
}

const freeInTree = '{field: FREE, scope: TREE, resourceClass: "VCPU", direction: DESC}';

const pages: Record<string, (cloud: Cloud) => string> = {
  'by name': () => `first: 100`,
  'by name, in the middle': ({ middle }) => `first: 100, after: "${middle}"`,
  'by created': () => `first: 100, orderBy: {field: CREATED_AT, direction: DESC}`,
  'by uuid': ({ uuids }) => `first: 100, filter: {uuids: ${JSON.stringify(uuids)}}`,
  'with a common trait': () => `first: 100, filter: {traits: {allOf: "${filled.commonTrait}"}}`,
  'with a rare trait': () => `first: 100, filter: {traits: {allOf: "${filled.rareTrait}"}}`,
  'in a large aggregate': () => `first: 100, filter: {aggregates: {anyOf: "${filled.zone}"}}`,
  'in a small aggregate': () => `first: 100, filter: {aggregates: {anyOf: "${filled.rack}"}}`,
  'most free VCPU (may grow)': () => `first: 100, orderBy: {field: FREE, resourceClass: "VCPU", direction: DESC}`,
  'most used VCPU (may grow)': () => `first: 100, orderBy: {field: USED, resourceClass: "VCPU", direction: DESC}`,
  'most free VCPU of the tree (may grow)': () => `first: 100, filter: {isRoot: true}, orderBy: ${freeInTree}`,
  'VCPU in the tree (may grow)': () => `first: 100, filter: {resourceClasses: "VCPU", scope: TREE}`,
  'no rare trait in the tree (may grow)': () => `first: 100, filter: {scope: TREE, not: {traits: {allOf: "${filled.rareTrait}"}}}`,
  'name contains (may grow)': () => `first: 100, filter: {nameContains: "99"}`,
};

const clouds: Cloud[] = [];
try {
  for (const size of sizes) clouds.push(await startCloud(size));
  const queries = Object.entries(pages).map(([name, args]) => ({
    name,
    query: (cloud: Cloud) => `{ resourceProviders(${args(cloud)}) { ${nodes} } }`,
  }));
  queries.push({ name: 'totalCount (may grow)', query: () => '{ resourceProviders(first: 0) { totalCount } }' });
  for (const { name, query } of queries) {
    const times: number[][] = sizes.map(() => []);
    for (const cloud of clouds) await measureTimes(() => ask(cloud, query(cloud)), 5);
    for (let turn = 0; turn < repetitions; turn++) {
      for (const [index, cloud] of clouds.entries()) times[index]?.push(...(await measureTimes(() => ask(cloud, query(cloud)), 1)));
    }
    const [small = 0, large = 0] = times.map(median);
    console.log(
      `${name.padEnd(38)} ${small.toFixed(1)} ms among ${sizes[0]}, ${large.toFixed(1)} ms among ${sizes[1]}  ->  ${(large / small).toFixed(2)}x`,
    );
  }
} finally {
  for (const { client, gateway } of clouds) {
    client.close();
    await gateway.stop();
  }
}
