// An OpenStack Placement to import from: the GETs of REST 1.28 to 1.39 over a few objects that a test may change at any time. A stand-in for a foreign
// service and its faults: a refused token, an unavailable answer, a provider that was deleted.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface FakeProvider {
  uuid: string;
  name: string;
  parent: string | null;
  generation: number;
  inventories: Record<string, Record<string, number>>;
  traits: string[];
  aggregates: string[];
}

interface FakeConsumer {
  uuid: string;
  generation: number;
  project: string;
  user: string;
  type: string;
  /** Amounts by class by provider. */
  holds: Record<string, Record<string, number>>;
}

export interface FakeCloud {
  version: string;
  resourceClasses: string[];
  traits: string[];
  providers: FakeProvider[];
  consumers: FakeConsumer[];
  /** Uuids of providers that are in the list, but are deleted when read. */
  gone: Set<string>;
  /** Uuids of consumers that providers list, but of which nothing can be read. */
  unreadable: Set<string>;
  /** Uuids of consumers without a row: only usages show them, as upstream's do. */
  unlisted: Set<string>;
  /** The number of further requests that get 503. */
  failures: number;
  /** The number of further requests that are answered before all get 503. */
  lifetime: number;
  /** Decides whether a token is good. */
  accepts: (token: string) => boolean;
}

export interface FakePlacement {
  readonly url: string;
  readonly cloud: FakeCloud;
  /** The paths requested so far. */
  readonly paths: string[];
  close(): Promise<void>;
}

export const token = 'let-me-in';

/** Starts it on a free port of the loopback. With `elsewhere`, it is served below /placement, and `elsewhere` is the answer at the root. */
export async function startFakePlacement(cloud: FakeCloud, elsewhere?: { status: number; body: object }): Promise<FakePlacement> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    paths.push(url);
    if (elsewhere && !url.startsWith('/placement/')) return send(response, elsewhere.status, elsewhere.body);
    const path = elsewhere ? url.slice('/placement'.length) : url;
    if (path === '/') {
      return send(response, 200, { versions: [{ id: 'v1.0', min_version: '1.0', max_version: cloud.version, status: 'CURRENT' }] });
    }
    if (!cloud.accepts(String(request.headers['x-auth-token']))) return send(response, 401, { message: 'who are you' });
    const minor = minorOf(String(request.headers['openstack-api-version']));
    if (!(minor >= 28 && minor <= minorOf(cloud.version))) return send(response, 406, {});
    if (cloud.failures-- > 0 || cloud.lifetime-- <= 0) return send(response, 503, {});
    const answer = answerTo(cloud, path, minor);
    return answer ? send(response, 200, answer) : send(response, 404, { errors: [{ status: 404 }] });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    cloud,
    paths,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const minorOf = (version: string) => Number(/^(?:placement )?1\.(\d+)$/.exec(version)?.[1]);

function answerTo(cloud: FakeCloud, path: string, minor: number): object | null {
  const [, noun = '', uuid = '', part = ''] = path.split('/');
  switch (noun) {
    case 'resource_classes':
      return { resource_classes: cloud.resourceClasses.map((name) => ({ name, links: [] })) };
    case 'traits':
      return { traits: cloud.traits };
    case 'allocations':
      if (cloud.unreadable.has(uuid)) return { allocations: {} };
      return consumerAnswer(
        cloud.consumers.find((consumer) => consumer.uuid === uuid),
        minor,
      );
    case 'resource_providers':
      if (uuid === '')
        return { resource_providers: cloud.providers.map((provider) => ({ ...provider, parent_provider_uuid: provider.parent })) };
      return providerAnswer(cloud, uuid, part);
    default:
      return null;
  }
}

function consumerAnswer(consumer: FakeConsumer | undefined, minor: number): object {
  if (!consumer) return { allocations: {} };
  return {
    allocations: Object.fromEntries(
      Object.entries(consumer.holds).map(([provider, resources]) => [provider, { generation: 1, resources }]),
    ),
    project_id: consumer.project,
    user_id: consumer.user,
    consumer_generation: consumer.generation,
    ...(minor >= 38 && { consumer_type: consumer.type }),
  };
}

function providerAnswer(cloud: FakeCloud, uuid: string, part: string): object | null {
  const provider = cloud.providers.find((one) => one.uuid === uuid);
  if (!provider || cloud.gone.has(uuid)) return null;
  const { generation: resource_provider_generation, inventories, traits, aggregates } = provider;
  const holders = cloud.consumers.filter(({ holds }) => holds[uuid]);
  const listed = holders.filter((holder) => !cloud.unlisted.has(holder.uuid));
  const usage = (resourceClass: string) => holders.reduce((sum, { holds }) => sum + (holds[uuid]?.[resourceClass] ?? 0), 0);
  const answers: Record<string, object> = {
    inventories: { inventories },
    traits: { traits },
    aggregates: { aggregates },
    usages: { usages: Object.fromEntries(Object.keys(inventories).map((resourceClass) => [resourceClass, usage(resourceClass)])) },
    allocations: { allocations: Object.fromEntries(listed.map((holder) => [holder.uuid, { resources: holder.holds[uuid] }])) },
  };
  return { ...answers[part], resource_provider_generation };
}
