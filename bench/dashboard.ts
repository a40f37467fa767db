// The dashboard's page: 1,000 providers with inventories, usage, traits, aggregates and parent. Compares the 8,002 calls of Horizon's resource
// provider page (2, and 8 per provider), one after another, to upstream and to our REST API, with one query of ours. The data are imported
// from upstream first.
//   PEER_URL=http://127.0.0.1:8778 npm run bench:dashboard
import { startGateway } from './support/gateway.ts';
import { type HttpClient, httpClient } from './support/http-client.ts';
import { measureTimes, median } from './support/measure.ts';

const peerUrl = process.env.PEER_URL;
if (!peerUrl) throw new Error('PEER_URL must name a running upstream Placement with 1,000 flat hosts or more');
const pageSize = 1000;
/** The calls to upstream for each provider; inventories and usages twice, once for the table and once for the charts. */
const callsOfProvider = ['', '/inventories', '/usages', '/aggregates', '/traits', '/allocations', '/inventories', '/usages'];
const query = `query Page($first: Int) { resourceProviders(first: $first) { nodes {
  uuid name generation parent { uuid name } root { uuid } traits { name } aggregates { uuid name }
  inventories { resourceClass { name } total reserved minUnit maxUnit stepSize allocationRatio capacity used free utilization }
} } }`;

const gateway = await startGateway({ importFrom: peerUrl });
const ours = httpClient(gateway.url, { 'x-auth-token': 'admin', 'content-type': 'application/json' });
const restHeaders = { 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.39', accept: 'application/json' };
const rest = httpClient(gateway.url, restHeaders);
const theirs = httpClient(peerUrl, restHeaders);

async function askOurs(): Promise<number> {
  const { body } = await ours.request('POST', '/graphql', JSON.stringify({ query, variables: { first: pageSize } }));
  const { data } = JSON.parse(body) as { data: { resourceProviders: { nodes: unknown[] } } };
  if (data.resourceProviders.nodes.length !== pageSize)
    throw new Error(`${data.resourceProviders.nodes.length} providers instead of ${pageSize}`);
  return body.length;
}

/** The calls of the page. `prefix`: where the API is mounted. */
async function askInCalls(client: HttpClient, prefix: string): Promise<number> {
  await client.request('GET', `${prefix}/`);
  const listed = JSON.parse((await client.request('GET', `${prefix}/resource_providers`)).body) as {
    resource_providers: { uuid: string }[];
  };
  let calls = 2;
  for (const { uuid } of listed.resource_providers.slice(0, pageSize)) {
    for (const part of callsOfProvider) {
      const answer = await client.request('GET', `${prefix}/resource_providers/${uuid}${part}`);
      if (answer.status !== 200) throw new Error(`${uuid}${part}: ${answer.status}`);
      calls++;
    }
  }
  return calls;
}

try {
  await measureTimes(askOurs, 20);
  const before = await measureTimes(askOurs, 20);
  await askInCalls(rest, '/placement');
  const start = performance.now();
  await askInCalls(rest, '/placement');
  const inCalls = performance.now() - start;
  const calls = await askInCalls(theirs, '');
  const upstream = performance.now() - start - inCalls;
  const mine = median([...before, ...(await measureTimes(askOurs, 20))]);
  console.log(
    `${pageSize} providers: upstream's ${calls} calls ${(upstream / 1000).toFixed(1)} s; the same calls of ours ${(inCalls / 1000).toFixed(1)} s  ->  ` +
      `${(upstream / inCalls).toFixed(1)}x; one query ${mine.toFixed(0)} ms  ->  ${(upstream / mine).toFixed(0)}x`,
  );
} finally {
  ours.close();
  rest.close();
  theirs.close();
  await gateway.stop();
}
