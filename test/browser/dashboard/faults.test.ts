// The dashboard while something fails below it: sessions of the database that are killed, a gateway that is killed, a database that is away, a proxy that
// answers instead, chunks of another version. What is shown afterwards is what the database holds.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import type { Page, Route } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/db/sql/client.ts';
import { startServer } from '../../../src/listener/server.ts';
import { createLogger } from '../../../src/logs/process-log.ts';
import { readSettings } from '../../../src/settings/settings.ts';
import { socketOf } from '../../support/database.ts';
import { layFailingWire } from '../../support/failing-wire.ts';
import { program } from '../../support/program.ts';
import { useDemoGateway } from './demo-gateway.ts';

const demo = useDemoGateway();
const live = (page: Page) => page.getByRole('button', { name: '● live' });
const lost = (page: Page) => page.getByText(/lost since \d\d:\d\d:\d\d/);

const processes: ChildProcess[] = [];
afterAll(() => {
  for (const child of processes) child.kill('SIGKILL');
});

/** A port that nobody listens at. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return String(typeof address === 'object' ? address?.port : '');
}

/** A gateway as a process of its own, which listens when this resolves. */
async function serve(port: string, databaseUrl: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, 'serve'], {
    env: { PATH: process.env.PATH, HOME: tmpdir(), PLACEMENT_PORT: port, PLACEMENT_LOG_LEVEL: 'fatal', DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  processes.push(child);
  let said = '';
  await new Promise<void>((listens, ended) => {
    child.stdout?.on('data', (bytes) => {
      said += String(bytes);
      if (said.includes('/graphql')) listens();
    });
    child.once('exit', () => ended(new Error(`the gateway ended: ${said}`)));
  });
  return child;
}

async function killHard(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** Claims, some of which are released again, until told to stop; how many were done. What fails meanwhile is not done. */
function writeOn(hosts: readonly string[]): { readonly done: () => number; readonly stop: () => Promise<void> } {
  let [done, isOver] = [0, false];
  const write = async (query: string, input: object) => {
    const response = await fetch(`${demo.url()}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-auth-token': 'admin' },
      body: JSON.stringify({ query, variables: { input } }),
    });
    const { data } = (await response.json()) as { data?: Record<string, { userErrors: object[] } | null> };
    const [payload] = Object.values(data ?? {});
    return payload?.userErrors.length === 0;
  };
  const loop = async (lane: number) => {
    for (let turn = lane; !isOver; turn += 1) {
      const consumer = crypto.randomUUID();
      const allocations = [
        { resourceProvider: hosts[(turn * 7) % hosts.length], resources: [{ resourceClass: 'VCPU', amount: 1 + (turn % 3) }] },
      ];
      const owner = { project: 'load', user: 'load', consumerType: 'INSTANCE' };
      const isClaimed = await write(
        'mutation ($input: ReplaceAllocationsInput!) { replaceAllocations(input: $input) { userErrors { code } } }',
        { consumers: [{ consumer, expect: { isNew: true }, ...owner, hold: { allocations } }] },
      ).catch(() => false);
      if (!isClaimed) continue;
      done += 1;
      if (turn % 3 === 0)
        await write('mutation ($input: ReleaseAllocationsInput!) { releaseAllocations(input: $input) { userErrors { code } } }', {
          consumers: [{ consumer, expect: { generation: 1 } }],
        }).catch(() => false);
    }
  };
  const lanes = [0, 1, 2].map(loop);
  return {
    done: () => done,
    stop: async () => {
      isOver = true;
      await Promise.all(lanes);
    },
  };
}

interface Sum {
  readonly name: string;
  readonly used: number;
  readonly capacity: number;
}

/** What the database holds of a class: by root, over its tree. */
const sumsOf = (resourceClass: string) => demo.db().sql<Sum[]>`
  select root.name, sum(i.used)::int as used, sum(i.capacity)::int as capacity
  from inventories i join resource_providers p on p.id = i.resource_provider_id join resource_providers root on root.id = p.root_provider_id
    join resource_classes c on c.id = i.resource_class_id
  where c.name = ${resourceClass} group by root.name order by root.name`;

const words = ({ used, capacity }: Omit<Sum, 'name'>) => `${used.toLocaleString('en')} of ${capacity.toLocaleString('en')}`;

/** The numbers of a class in every row of the table of hosts: as it would be saved. */
async function hostsShown(page: Page, resourceClass: string): Promise<Sum[]> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'hosts as JSON' }).click()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  const rows = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, number | string | null>[];
  return rows
    .map((row) => ({
      name: String(row.name),
      used: Number(row[`${resourceClass} used`]),
      capacity: Number(row[`${resourceClass} capacity`]),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

test('sessions killed and the gateway killed under load: afterwards the map, the hosts, the totals and the tree show what the database has', async () => {
  const wire = await layFailingWire(socketOf(demo.target()));
  const databaseUrl = 'url' in wire.target ? wire.target.url : '';
  const port = await freePort();
  const first = await serve(port, databaseUrl);
  const origin = `http://127.0.0.1:${port}`;
  const host = 'az1-rack09-node01';
  const map = (await demo.open('/', { origin })).page;
  const table = (await demo.open('/hosts', { origin })).page;
  const tree = (await demo.open(`/providers/${host}`, { origin })).page;
  const pages = [map, table, tree];
  for (const page of pages) await live(page).waitFor();
  const { resourceProviders } = await demo.ask(
    '{ resourceProviders(first: 300, filter: { resourceClasses: "VCPU", nameStartsWith: "az1-" }) { nodes { uuid } } }',
  );
  const before = await sumsOf('VCPU');
  const load = writeOn(resourceProviders.nodes.map(({ uuid }: { uuid: string }) => uuid));
  try {
    await expect.poll(load.done).toBeGreaterThan(20);
    await demo.own()`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'placement-gateway' and datname = current_database()`;
    const killedAt = load.done();
    await expect.poll(load.done).toBeGreaterThan(killedAt + 20);
    for (const page of pages) await live(page).waitFor();
    await killHard(first);
    for (const page of pages) await lost(page).waitFor();
    const lostAt = load.done();
    await expect.poll(load.done).toBeGreaterThan(lostAt + 20);
    await serve(port, databaseUrl);
    for (const page of pages) await live(page).waitFor({ timeout: 60_000 });
  } finally {
    await load.stop();
  }

  const held = await sumsOf('VCPU');
  expect(held).not.toEqual(before);
  await expect.poll(() => hostsShown(table, 'VCPU')).toEqual(held);
  await expect.poll(() => hostsShown(table, 'MEMORY_MB')).toEqual(await sumsOf('MEMORY_MB'));
  for (const resourceClass of ['VCPU', 'MEMORY_MB', 'PCPU']) {
    const sums = await sumsOf(resourceClass);
    const total = {
      used: sums.reduce((sum, { used }) => sum + used, 0),
      capacity: sums.reduce((sum, { capacity }) => sum + capacity, 0),
    };
    await map
      .getByRole('region', { name: /^Capacity/ })
      .getByRole('img', { name: new RegExp(`^${resourceClass}: .* ${words(total)}, `) })
      .waitFor();
  }
  // Host after host of the zone that was written to, by keys: no question is asked for it.
  const chosen = map.locator('#map-host');
  await map.getByRole('listbox').focus();
  await map.keyboard.press('Home');
  for (const sum of held.filter(({ name }) => name.startsWith('az1-'))) {
    await expect.poll(() => chosen.textContent()).toMatch(new RegExp(`^${sum.name}: .* ${words(sum)}`));
    await map.keyboard.press('ArrowRight');
  }
  const inTree = await demo.db().sql<Sum[]>`
    select p.name, i.used::int, i.capacity::int from inventories i join resource_providers p on p.id = i.resource_provider_id
      join resource_providers root on root.id = p.root_provider_id join resource_classes c on c.id = i.resource_class_id
    where root.name = ${host} and c.name = 'VCPU'`;
  for (const one of inTree) {
    await tree
      .getByRole('listitem')
      .filter({ has: tree.getByText(one.name, { exact: true }) })
      .getByRole('img', { name: new RegExp(`^VCPU: .* ${words(one)}, `) })
      .waitFor();
  }
  for (const page of pages) await page.close();
  await wire.close();
});

test('an unreachable database leaves the old numbers in view with their time, and they are updated when it is back', async () => {
  const wire = await layFailingWire(socketOf(demo.target()));
  const { log } = createLogger({ level: 'fatal' });
  const db = openDatabase(wire.target);
  const gateway = await startServer({ settings: readSettings({ PLACEMENT_PORT: '0' }).settings, db, log });
  const { page } = await demo.open('/', { origin: gateway.url });
  const shown = page.getByRole('button', { name: /^VCPU/ });
  await shown.waitFor();
  wire.failAt(0, 'close');
  wire.cut();
  const old = page.getByText(/^As of \d\d:\d\d:\d\d\. The database is not available at the moment\.$/);
  // As if its window were looked at again: then what is older than some seconds is asked again.
  await expect
    .poll(
      async () => {
        await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
        return old.count();
      },
      { timeout: 60_000, interval: 500 },
    )
    .toBe(1);
  expect(await shown.isVisible()).toBe(true);
  await lost(page).waitFor();
  await expect.poll(() => page.title()).toMatch(/^\(!\) /);
  // Also after another page, of which nothing is known. The gateway itself answers all the time, on its socket too.
  await page.getByRole('link', { name: 'Projects' }).click();
  await page.getByRole('heading', { name: 'The gateway cannot answer this now' }).waitFor();
  await page.goBack();
  await old.waitFor();
  await expect.poll(() => page.title()).toMatch(/^\(!\) Overview/);
  wire.mend();
  await old.waitFor({ state: 'detached', timeout: 60_000 });
  await expect.poll(() => page.title(), { timeout: 60_000 }).toMatch(/^Overview/);
  await page.close();
  await gateway.close();
  await db.close();
  await wire.close();
});

describe('an answer in place of the gateway', () => {
  test.each([
    ['an error page of a proxy', { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }],
    ['a page of a proxy that asks to sign in', { status: 200, contentType: 'text/html', body: '<form>Sign in</form>' }],
  ])('%s counts as a lost gateway, and nothing of it is shown', async (_name, answer) => {
    const { page } = await demo.open('/projects');
    await page.getByRole('link', { name: 'video', exact: true }).waitFor();
    await page.route('**/graphql', (route) => route.fulfill(answer));
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.getByRole('heading', { name: 'The gateway does not answer' }).waitFor();
    expect(await page.locator('body').innerText()).not.toMatch(/Bad gateway|Sign in/);
    // Before the gateway is back: the page tries by itself, too, and then the button would go.
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.unroute('**/graphql');
    await page
      .getByText('2,000 consumers')
      .or(page.getByText(/^[\d,]+ consumers$/))
      .first()
      .waitFor();
  });
});

describe('the chunk of a page that is opened for the first time', () => {
  const chunk = /\/assets\/events-[^/]+\.js$/;

  /** The hosts, with the chunk of the history, or another file of it, answered so from the beginning. Then the history is opened. */
  async function openWithout(answer: (route: Route) => Promise<void>, file = chunk): Promise<Page> {
    const { page } = await demo.open('/explorer');
    await page.route(file, answer);
    await page.goto(`${demo.url()}/hosts`);
    await page.getByText('200 hosts').first().waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    return page;
  }

  test('is gone after an upgrade: then the page offers to reload', async () => {
    const page = await openWithout((route) => route.fulfill({ status: 404, contentType: 'application/json', body: '{}' }));
    await page.getByText('The gateway now runs another version.').waitFor();
    await page.unroute(chunk);
    await page.getByRole('main').getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
  });

  test.each([
    ['the gateway cannot be reached', (route: Route) => route.abort('connectionrefused')],
    ['a proxy answers for it', (route: Route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' })],
  ])('is missing while %s, and when that is over, the page appears by itself in a new document', async (_name, answer) => {
    const page = await openWithout(answer);
    await page.getByRole('heading', { name: 'The gateway cannot be reached' }).waitFor();
    await lost(page).waitFor();
    expect(await page.getByText('another version').count()).toBe(0);
    await page.unroute(chunk);
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
    await lost(page).waitFor({ state: 'detached' });
  });

  test('comes with its styles, even if only these were missing at first', async () => {
    const styles = /\/assets\/news-bar-[^/]+\.css$/;
    const page = await openWithout((route) => route.abort('connectionrefused'), styles);
    await page.getByRole('heading', { name: 'The gateway cannot be reached' }).waitFor();
    await page.unroute(styles);
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
    expect(
      await page.evaluate('[...document.styleSheets].some(({ href, cssRules }) => href?.includes("/news-bar-") && cssRules.length > 0)'),
    ).toBe(true);
  });

  test('is missing in a new document, too: then the page offers to reload, instead of doing so again and again', async () => {
    const page = await openWithout((route) => (route.request().method() === 'HEAD' ? route.continue() : route.abort('connectionrefused')));
    let documents = 0;
    page.on('domcontentloaded', () => {
      documents += 1;
    });
    await page.getByRole('heading', { name: 'This page cannot be shown' }).waitFor();
    expect([documents, await lost(page).count()]).toEqual([1, 0]);
    await page.unroute(chunk);
    await page.getByRole('main').getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
    expect(documents).toBe(2);
  });
});

test('a page whose gateway does not say how to sign in asks again, and appears by itself', async () => {
  const { page } = await demo.open('/explorer');
  await page.route('**/session', (route) => route.abort('connectionrefused'));
  await page.goto(`${demo.url()}/hosts`);
  await page.getByText('The gateway cannot be reached, trying again').waitFor();
  await page.unroute('**/session');
  await page.getByText('200 hosts').first().waitFor();
});

test('the pages are loaded while the first one is idle, so that each opens while the gateway is away', async () => {
  const { page, requests } = await demo.open('/projects');
  await expect
    .poll(() => requests.filter((url) => /\/assets\/(hosts|fit|consumers|events|provider|search|bridge)-[^/]+\.js$/.test(url)).length)
    .toBe(7);
  await page.waitForLoadState('networkidle');
  await page.route(/\/(assets|graphql)/, (route) => route.abort('connectionrefused'));
  for (const [key, heading] of [
    ['h', 'Hosts'],
    ['c', 'Consumers'],
    ['e', 'History'],
  ] as const) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  }
  await page.getByRole('heading', { name: 'The gateway does not answer' }).first().waitFor();
});
