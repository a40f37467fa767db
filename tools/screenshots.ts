// Takes pictures of all pages: at the widths of a phone, a desk and a wall, light and dark, of the demo cloud, of 10,000 and 100,000 hosts, an empty ledger and
// a lost connection. Writes them into the given directory; a second argument limits them to names that begin with it. With --readme, writes those of README
// into docs/images instead. Needs Chromium (CHROMIUM_PATH).
//   npm run screenshots -- /tmp/pictures
//   npm run screenshots -- /tmp/pictures demo-hosts
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { startDatabase } from '../bench/support/database.ts';
import { fillZones } from '../bench/support/zones.ts';
import { loadDemo } from '../src/commands/demo.ts';
import { migrate } from '../src/db/schema/migrate.ts';
import { type Db, openDatabase } from '../src/db/sql/client.ts';
import { startServer } from '../src/listener/server.ts';
import { createLogger } from '../src/logs/process-log.ts';
import { readSettings } from '../src/settings/settings.ts';

interface Picture {
  readonly name: string;
  readonly path: string;
  /** Words that the page shows only once it has its answer. */
  readonly words: string;
  readonly width: number;
  readonly height: number;
  readonly scheme: 'light' | 'dark';
  /** Whether the gateway has stopped when the picture is taken. */
  readonly isLost?: boolean;
  /** The operation of the explorer to run. */
  readonly runs?: string;
}

const sizes = [
  [390, 844],
  [1440, 900],
  [3840, 2160],
] as const;

function everySize(name: string, path: string, words: string, isLost = false): Picture[] {
  return sizes.flatMap(([width, height]) =>
    (['light', 'dark'] as const).map((scheme) => ({ name: `${name}-${width}-${scheme}`, path, words, width, height, scheme, isLost })),
  );
}

const desk = { width: 1280, height: 800, scheme: 'light' } as const;

const clouds: readonly {
  readonly fill: (db: Db) => Promise<void>;
  readonly pictures: readonly Picture[];
  readonly readme: readonly Picture[];
}[] = [
  {
    fill: async (db) => {
      await loadDemo(db, () => {});
    },
    pictures: [
      ...everySize('demo', '/', 'Fullest by VCPU'),
      ...everySize('demo-hosts', '/hosts?sort=-VCPU.use', 'az1-rack02-node05'),
      ...everySize('demo-provider', '/providers/az1-rack09-node01', 'az1-rack09-node01_numa0'),
      ...everySize('demo-provider-consumers', '/providers/az1-rack09-node01?tab=consumers', 'az1-rack09-node01'),
      ...everySize('demo-provider-history', '/providers/az1-rack09-node01?tab=history', 'apply provider tree'),
      ...everySize('demo-fit', '/fit?r=VCPU:4,VGPU:9', 'VGPU'),
      ...everySize('demo-fits', '/fit?r=VCPU:4,MEMORY_MB:8192', 'claimed one after another'),
      ...everySize('demo-consumers', '/consumers', '2,000 consumers'),
      ...everySize('demo-projects', '/projects', '12 projects hold'),
      ...everySize('demo-project', '/projects/video', 'Use by user'),
      ...everySize('demo-events', '/events', 'replace allocations'),
      ...everySize('demo-search', '/search?q=az1-rack09', 'az1-rack09-node01'),
      ...everySize('demo-explorer', '/explorer', 'query Hypervisors'),
      ...everySize('demo-lost', '/', 'Fullest by VCPU', true),
    ],
    readme: [
      { ...desk, name: 'provider', path: '/providers/az1-rack09-node01', words: 'az1-rack09-node01_numa0' },
      { ...desk, name: 'fit', path: '/fit?r=VCPU:4,VGPU:9', words: 'VGPU' },
      { ...desk, name: 'explorer', path: '/explorer', words: '"totalCount"', runs: 'Hypervisors' },
    ],
  },
  {
    fill: (db) => fillZones(db, { zones: 4, racks: 25, hosts: 100 }),
    pictures: [
      ...everySize('large', '/', 'Fullest by VCPU'),
      { ...desk, name: 'large-zone', path: '/?in=az2', words: 'Fullest by VCPU' },
      { ...desk, name: 'large-rack', path: '/?in=az2&in=az2-rack04', words: 'Fullest by VCPU' },
      ...everySize('large-wall', '/?wall=1', 'Leave the wall'),
      ...everySize('large-hosts', '/hosts?sort=-VCPU.use', 'az1-rack01'),
    ],
    readme: [
      { ...desk, name: 'overview', path: '/', words: 'Fullest by VCPU' },
      { ...desk, name: 'overview-dark', path: '/?in=az2', words: 'Fullest by VCPU', scheme: 'dark' },
    ],
  },
  {
    fill: (db) => fillZones(db, { zones: 4, racks: 25, hosts: 1000 }),
    pictures: everySize('huge-wall', '/?wall=1', 'Leave the wall').filter(({ width }) => width > desk.width),
    readme: [],
  },
  { fill: async () => {}, pictures: everySize('empty', '/', 'The ledger is empty'), readme: [] },
];

const { values, positionals } = parseArgs({ options: { readme: { type: 'boolean', default: false } }, allowPositionals: true });
const [named, start = ''] = positionals;
const directory = values.readme ? 'docs/images' : named;
if (directory === undefined) throw new Error('name the directory for the pictures, or give --readme');
mkdirSync(directory, { recursive: true });

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  for (const { fill, pictures, readme } of clouds) {
    const wanted = (values.readme ? readme : pictures).filter(({ name }) => name.startsWith(start));
    if (wanted.length > 0) await takeAll(browser, fill, wanted, directory);
  }
} finally {
  await browser.close();
}

async function takeAll(browser: Browser, fill: (db: Db) => Promise<void>, pictures: readonly Picture[], directory: string): Promise<void> {
  const database = await startDatabase({ durability: 'none' });
  await migrate(database.target);
  const { log } = createLogger({ level: 'error' });
  const db = openDatabase(database.target);
  await fill(db);
  const gateway = await startServer({ settings: readSettings({ PLACEMENT_PORT: '0' }).settings, db, log });
  const pages: [page: Page, picture: Picture][] = [];
  try {
    for (const picture of pictures) {
      const page = await open(browser, gateway.url, picture);
      if (picture.isLost) pages.push([page, picture]);
      else await take(page, picture, directory);
    }
  } finally {
    await gateway.close();
    for (const [page, picture] of pages) {
      await page.getByText('lost since').first().waitFor();
      await take(page, picture, directory);
    }
    await db.close();
    await database.stop();
  }
}

async function open(browser: Browser, origin: string, { path, words, width, height, scheme, runs }: Picture): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme, reducedMotion: 'reduce' });
  await page.goto(`${origin}${path}`);
  if (runs !== undefined) {
    await page.getByRole('tab', { name: runs }).waitFor();
    await page.getByRole('button', { name: /Execute query/ }).click();
  }
  await page.getByText(words).filter({ visible: true }).first().waitFor();
  await page.getByText('Loading …').first().waitFor({ state: 'detached' });
  return page;
}

async function take(page: Page, { name, width }: Picture, directory: string): Promise<void> {
  // The map is drawn in the next frame.
  await page.waitForTimeout(300);
  await page.screenshot({ path: `${directory}/${name}.png`, fullPage: width < 700 });
  await page.close();
}
