// The dashboard in a real browser over 10,000 hosts: the size of the first page, when its map is drawn, the cost of redrawing it, how even the frames are
// while the cloud changes, and whether the page grows over a day, simulated in minutes. Build first (npm run build); needs Chromium (CHROMIUM_PATH).
//   npm run bench:web                WEB_HOSTS=100000 WEB_WIDTH=3840 WEB_HEIGHT=2160 WEB_DAY_HOURS=2 npm run bench:web
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, type CDPSession, chromium, type Page, type WebSocketRoute } from 'playwright-core';
import { openDatabase } from '../src/db/sql/client.ts';
import { startGateway } from './support/gateway.ts';
import { measureTimes, median, percentile } from './support/measure.ts';
import { fillZones } from './support/zones.ts';

const hostCount = Number(process.env.WEB_HOSTS ?? 10_000);
const viewport = { width: Number(process.env.WEB_WIDTH ?? 1440), height: Number(process.env.WEB_HEIGHT ?? 900) };
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const seconds = Number(process.env.BENCH_SECONDS ?? 10);
const dayHours = Number(process.env.WEB_DAY_HOURS ?? 24);
/** Hosts that change twice a second: as many as 2,000 claims a second affect. */
const changedHosts = 939;
/** Changed hosts in each of the 172,800 messages of the day. */
const changedInDay = 20;

/** Records how long each drawing of the map took, and the times between frames. */
const watchDrawing = `
  window.drawings = [];
  new PerformanceObserver((list) => {
    for (const { name, startTime, duration } of list.getEntries()) if (name === 'cloud map') window.drawings.push({ end: startTime + duration, duration });
  }).observe({ type: 'measure', buffered: true });
  window.frames = [];
  (function next(before) {
    requestAnimationFrame((now) => {
      window.frames.push(now - before);
      next(now);
    });
  })(performance.now());`;

interface Drawing {
  readonly end: number;
  readonly duration: number;
}

const milliseconds = (values: readonly number[]) =>
  `${median(values).toFixed(1)} ms, p95 ${percentile(values, 0.95).toFixed(1)} ms (${values.length})`;
const drawings = (page: Page) => page.evaluate('window.drawings') as Promise<Drawing[]>;

async function openPage(browser: Browser): Promise<{ page: Page; session: CDPSession }> {
  const page = await browser.newPage({ viewport, reducedMotion: 'reduce' });
  await page.addInitScript({ content: watchDrawing });
  return { page, session: await page.context().newCDPSession(page) };
}

/** Waits until the map was drawn a number of times. */
async function drawn(page: Page, times: number): Promise<Drawing[]> {
  for (;;) {
    const found = await drawings(page);
    if (found.length >= times) return found;
    await pause(20);
  }
}

async function measureFirstPage(browser: Browser): Promise<void> {
  const times: number[] = [];
  let [bytes, operations, paint] = [0, 0, 0];
  for (let round = 0; round <= rounds; round++) {
    const { page, session } = await openPage(browser);
    const kinds = new Map<string, string>();
    [bytes, operations] = [0, 0];
    await session.send('Network.enable');
    session.on('Network.responseReceived', ({ requestId, type, response }) => {
      kinds.set(requestId, type);
      if (response.url === `${gateway.url}/graphql`) operations += 1;
    });
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (kinds.get(requestId) !== 'Fetch') bytes += encodedDataLength;
    });
    await page.goto(`${gateway.url}/`);
    const [first] = await drawn(page, 1);
    await page.waitForLoadState('networkidle');
    paint = (await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime`)) as number;
    // The first page load warms the gateway and the disk.
    if (round > 0) times.push(first?.end ?? Number.NaN);
    await page.context().close();
  }
  console.log(
    `first page: ${(bytes / 1024).toFixed(1)} KiB on the wire without answers, ${operations} questions; first paint ${paint.toFixed(0)} ms; ` +
      `map drawn ${milliseconds(times)} after the navigation (goal 600)`,
  );
}

/** Redraws the whole map: another theme changes every pixel. */
async function measureRedraw(page: Page): Promise<void> {
  const before = (await drawings(page)).length;
  for (let turn = 0; turn < 4 * rounds; turn++) {
    await page.emulateMedia({ colorScheme: turn % 2 === 0 ? 'dark' : 'light' });
    await drawn(page, before + turn + 1);
  }
  const durations = (await drawings(page)).slice(before).map(({ duration }) => duration);
  console.log(`redraw of the whole map: ${milliseconds(durations)} (goal 16)`);
}

async function measureLive(page: Page): Promise<void> {
  await page.getByText('● live').waitFor();
  await page.evaluate('window.drawings.length = 0, window.frames.length = 0');
  const began = performance.now();
  const times = await measureTimes(async () => {
    await changeHosts();
    await pause(450);
  }, seconds * 2);
  const elapsed = performance.now() - began;
  const frames = (await page.evaluate('window.frames')) as number[];
  const redraws = (await drawings(page)).map(({ duration }) => duration);
  console.log(
    `${changedHosts} hosts changed ${((times.length / elapsed) * 1000).toFixed(1)} times a second: redraw ${milliseconds(redraws)} (goal 16); ` +
      `frames ${milliseconds(frames)}, longest ${Math.max(...frames).toFixed(0)} ms`,
  );
}

/** Writes that bypass the gateway, so that it spends time only on the measured work. */
async function changeHosts(): Promise<void> {
  await db.writes`
    with chosen as (select id from resource_providers order by random() limit ${changedHosts}),
    changed as (update inventories set used = (used + 1) % 256 where resource_class_id = 0 and resource_provider_id in (select id from chosen))
    select mark_changed(array(select id from chosen))`;
}

interface Sent {
  readonly id: string;
  readonly type: string;
  readonly payload: {
    readonly data?: { readonly cloudMapChanges?: { names: string[]; classes: { used: number[] }[] }; readonly events?: object };
  };
}

/** A day of messages, with the page's own clock. */
async function measureDay(browser: Browser): Promise<void> {
  // Without the recorder of drawings, which keeps everything it records.
  const page = await browser.newPage({ viewport, reducedMotion: 'reduce' });
  const session = await page.context().newCDPSession(page);
  await page.clock.install();
  let socket: WebSocketRoute | null = null;
  const samples: { map?: Sent; events?: Sent } = {};
  await page.routeWebSocket(/\/graphql$/, (route) => {
    socket = route;
    const server = route.connectToServer();
    server.onMessage((text) => {
      const sent = JSON.parse(String(text)) as Sent;
      if (sent.payload?.data?.cloudMapChanges?.names.length) samples.map = sent;
      if (sent.payload?.data?.events) samples.events = sent;
      route.send(text);
    });
  });
  await page.goto(`${gateway.url}/`);
  while (!samples.map) {
    await changeHosts();
    await page.clock.runFor(1000);
    await pause(200);
  }
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
    return { megabytes: usedSize / 1e6, nodes, listeners: jsEventListeners };
  };
  await session.send('HeapProfiler.enable');
  const { map } = samples;
  const change = map.payload.data?.cloudMapChanges;
  const cut = <T>(column: readonly T[], from: number) => column.slice(from, from + changedInDay);
  const grown: Awaited<ReturnType<typeof heap>>[] = [];
  for (let hour = 0; hour <= dayHours; hour++) {
    grown.push(await heap());
    for (let minute = 0; minute < 60 && hour < dayHours; minute++) {
      for (let message = 0; message < 120; message++) {
        const from = (message * changedInDay) % Math.max(1, (change?.names.length ?? 0) - changedInDay);
        const part = Object.fromEntries(
          Object.entries(change ?? {}).map(([key, value]) => [
            key,
            key === 'names' || key === 'flags' ? cut(value as unknown[], from) : value,
          ]),
        );
        const classes = (change?.classes ?? []).map((one) =>
          Object.fromEntries(
            Object.entries(one).map(([key, value]) => [
              key,
              Array.isArray(value) ? cut(value, from).map((number) => number + (minute % 2)) : value,
            ]),
          ),
        );
        (socket as WebSocketRoute | null)?.send(JSON.stringify({ ...map, payload: { data: { cloudMapChanges: { ...part, classes } } } }));
      }
      if (samples.events) (socket as WebSocketRoute | null)?.send(JSON.stringify(samples.events));
      await page.clock.runFor(60_000);
    }
  }
  const [first, last] = [grown[1], grown.at(-1)];
  console.log(
    `${dayHours} hours in view, ${dayHours * 7200} messages: heap ${grown.map(({ megabytes }) => megabytes.toFixed(1)).join(' ')} MB; ` +
      `nodes ${first?.nodes} → ${last?.nodes}, listeners ${first?.listeners} → ${last?.listeners}`,
  );
}

const gateway = await startGateway();
const db = openDatabase(gateway.database, { writeConnections: gateway.writeConnections });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  await fillZones(db, { zones: 4, racks: 25, hosts: hostCount / 100 });
  await measureFirstPage(browser);
  const { page } = await openPage(browser);
  await page.goto(`${gateway.url}/`);
  await drawn(page, 1);
  await page.waitForLoadState('networkidle');
  await measureRedraw(page);
  await measureLive(page);
  await page.close();
  if (dayHours > 0) await measureDay(browser);
} finally {
  await browser.close();
  await db.close();
  await gateway.stop();
}
