// README and the tours of docs/ are true: their GraphQL documents are sent in order to a gateway with the demo cloud, those for Nova to one with an empty
// ledger, and the answers contain what the pages show. Tokens are abbreviated there ("c1.W1si…"); the answers supply the full ones.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../src/listener/server.ts';
import { createLogger } from '../src/logs/process-log.ts';
import type { Json } from '../src/nova/objects/forms/fields.ts';
import { readSettings } from '../src/settings/settings.ts';
import { useDatabase } from './support/database.ts';
import { useDemo } from './support/demo.ts';
import { blocksOf, holds, within } from './support/documents.ts';
import { exampleNamed } from './support/examples.ts';

const demo = useDemo();
const empty = useDatabase();
const blocksIn = (page: string) => blocksOf(readFileSync(new URL(`../${page}`, import.meta.url), 'utf8'));
let servers: readonly RunningServer[];

beforeAll(async () => {
  const { settings } = readSettings({ PLACEMENT_PORT: '0' });
  const { log } = createLogger({ level: 'error', write: () => {} });
  servers = await Promise.all([demo, empty].map(({ db }) => startServer({ settings, db, log })));
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function send(query: string, server = servers[0]): Promise<Record<string, Json>> {
  const response = await fetch(`${server?.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-token': 'admin' },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = (await response.json()) as { data?: Record<string, Json>; errors?: Json };
  expect({ query, errors }).toEqual({ query, errors: undefined });
  return data ?? {};
}

test.each([
  ['README.md', 3, 0],
  ['docs/queries.md', 3, 0],
  ['docs/nova.md', 6, 1],
])('every document of %s runs as written, and answers what the page says', async (page, least, index) => {
  const tokens = new Map<string, string>();
  const seen: Json[] = [];
  let ran = 0;
  const server = servers[index];
  for (const { language, text } of blocksIn(page)) {
    if (language === 'json') {
      const said = JSON.parse(text) as Json;
      const answer = seen.at(-1) ?? null;
      const places = [answer, ...(JSON.stringify(said).includes('nearestMisses') ? [await send(exampleNamed('no-valid-host').text)] : [])];
      const found = places.some((place) => [...within(place)].some((value) => holds(said, value, tokens)));
      expect(found ? said : { said, answered: places.at(-1) }).toEqual(said);
      continue;
    }
    const query = text.replace(/c1\.\w+…/g, (short) => tokens.get(short) ?? short);
    const data = await send(query, server);
    // As the page asks: reports of hosts and services are sent for cn2 and cn3, too.
    if (/^mutation Report(Version)? /.test(text))
      for (const host of ['cn2', 'cn3']) await send(text.replaceAll('"cn1"', `"${host}"`), server);
    seen.push(data);
    for (const value of within(data)) {
      if (typeof value === 'object' && value !== null && 'userErrors' in value)
        expect({ query, ...value }).toMatchObject({ userErrors: [] });
    }
    ran++;
  }
  expect(ran).toBeGreaterThanOrEqual(least);
});

test('the page of hosts knows the processors of every host, of those too whose cells have them', async () => {
  const hypervisors = blocksIn('docs/queries.md').find(({ text }) => text.startsWith('query Hypervisors '))?.text ?? '';
  const { resourceProviders } = (await send(hypervisors)) as {
    resourceProviders: { nodes: { uuid: string; vcpu: { capacity: number } | null }[] };
  };
  const { inCells } = (await send(
    `{ inCells: resourceProviders(filter: { isRoot: false, resourceClasses: "VCPU" }) { nodes { root { uuid } } } }`,
  )) as {
    inCells: { nodes: { root: { uuid: string } }[] };
  };
  const withCells = new Set(inCells.nodes.map(({ root }) => root.uuid));
  const shown = resourceProviders.nodes.filter(({ uuid }) => withCells.has(uuid));
  expect(shown.length).toBeGreaterThan(0);
  expect(resourceProviders.nodes.filter(({ vcpu }) => !vcpu?.capacity)).toEqual([]);
});
