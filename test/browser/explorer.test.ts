// The explorer as its users see it: built pages, a real browser, and the real gateway with the demo cloud.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fastify, { type FastifyInstance } from 'fastify';
import { buildSchema, parse, validate } from 'graphql';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { loadDemo } from '../../src/commands/demo.ts';
import { createLogger } from '../../src/logging.ts';
import { type RunningServer, startServer } from '../../src/server.ts';
import { readSettings } from '../../src/settings.ts';
import { exampleQueries } from '../../src/ui/explorer/queries.ts';
import { type PagesOptions, pages } from '../../src/web/pages.ts';
import { useDatabase } from '../support/database.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const schema = readFileSync(`${root}/schema.graphql`, 'utf8');

/** What a page did that a person would not see. */
interface Observed {
  readonly origin: string;
  readonly page: Page;
  readonly requests: string[];
  readonly failures: string[];
  readonly complaints: string[];
}

const database = useDatabase();
let browser: Browser;
let gateway: RunningServer;
const servers: FastifyInstance[] = [];

beforeAll(async () => {
  await promisify(execFile)(process.execPath, ['src/ui/build-if-stale.mjs'], { cwd: root });
  await loadDemo(database.db, () => {});
  const { log } = createLogger({ level: 'warn' });
  gateway = await startServer({ settings: readSettings({ PLACEMENT_PORT: '0' }).settings, db: database.db, log });
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // A request to any other host fails at once, and is seen to fail.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
});

afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

afterAll(async () => {
  await browser?.close();
  await gateway?.close();
});

/** The explorer alone, as another configuration would serve it: a gateway that suggests no token refuses callers without one. */
async function explorerAlone(options: PagesOptions): Promise<FastifyInstance> {
  const app = fastify();
  servers.push(app);
  app.post('/graphql', (_request, reply) =>
    reply.code(401).send({ errors: [{ message: 'no token', extensions: { code: 'UNAUTHENTICATED' } }] }),
  );
  await app.register(pages, options);
  return app;
}

async function open(origin = gateway.url): Promise<Observed> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const observed: Observed = { origin, page, requests: [], failures: [], complaints: [] };
  page.on('request', (request) => observed.requests.push(request.url()));
  page.on('requestfailed', (request) => observed.failures.push(`${request.url()} ${request.failure()?.errorText}`));
  page.on('response', (response) => {
    if (!response.ok()) observed.failures.push(`${response.url()} ${response.status()}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') observed.complaints.push(message.text());
  });
  page.on('pageerror', (error) => observed.complaints.push(String(error)));
  await page.goto(`${origin}/explorer`);
  await page.locator('.graphiql-query-editor .view-lines').waitFor();
  return observed;
}

/** The text of an editor as the person sees it; Monaco draws blanks as no-break spaces and only the lines in view. */
async function shownIn(page: Page, editor: string): Promise<string> {
  return (await page.locator(`${editor} .view-lines`).innerText()).replaceAll('\u00a0', ' ');
}

async function run(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Execute query' }).click();
}

const response = '.graphiql-response';
const headersEditor = '.graphiql-editor-tool .graphiql-editor:not(.hidden)';

describe('the explorer', () => {
  test('runs its first tab with the suggested token, asks no other host, and nothing fails or complains', async () => {
    const { origin, page, requests, failures, complaints } = await open();
    await run(page);
    await page.locator(response).getByText('"az1-rack01-node01"').waitFor();

    expect(requests.filter((url) => !url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url))).toEqual([]);
    expect(requests.some((url) => url.includes('worker'))).toBe(true);
    expect(failures).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('opens with the example queries as tabs', async () => {
    const { page } = await open();
    const tabs = page.getByRole('tab');
    expect(await tabs.allInnerTexts()).toEqual(exampleQueries.map(({ query }) => /^(?:query|mutation) (\w+)/m.exec(query)?.[1]));
    for (const [index, { query }] of exampleQueries.entries()) {
      await tabs.nth(index).click();
      const [title] = query.split('\n');
      await expect.poll(() => shownIn(page, '.graphiql-query-editor')).toContain(title);
    }
  });

  test('shows the suggested token in the headers editor, also after a reload', async () => {
    const { page } = await open();
    await expect.poll(() => shownIn(page, headersEditor)).toContain('"X-Auth-Token": "admin"');
    // GraphiQL writes its tabs down a moment later, without the headers; only then does a reload read them back.
    await expect.poll(async () => JSON.stringify(await page.context().storageState())).toContain('graphiql:tabState');
    await page.reload();
    await expect.poll(() => shownIn(page, headersEditor)).toContain('"X-Auth-Token": "admin"');
    expect(await page.getByRole('tab').count()).toBe(exampleQueries.length);
  });

  test('opens what a link holds, also beside the tabs of the last time, and sends it only when told to', async () => {
    const { page, requests } = await open();
    await expect.poll(async () => JSON.stringify(await page.context().storageState())).toContain('graphiql:tabState');
    const sent = () => requests.filter((url) => url.endsWith('/graphql')).length;
    const link = new URLSearchParams({
      query: 'query Linked($name: String!) { resourceProvider(name: $name) { name } }',
      variables: '{"name": "az2-rack01-node01"}',
    });
    await page.goto(`${gateway.url}/explorer?${link}`);
    await expect.poll(() => shownIn(page, '.graphiql-query-editor')).toContain('query Linked');
    const before = sent();
    await run(page);
    await page.locator(response).getByText('"az2-rack01-node01"').waitFor();
    expect(sent()).toBe(before + 1);
  });

  test('reaches the schema as documentation', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    const documentation = page.locator('.graphiql-doc-explorer');
    await documentation.getByRole('link', { name: 'Query' }).click();
    await documentation.getByText('resourceProviders', { exact: true }).waitFor();
  });

  test('sends no token when none is suggested, and shows the refusal', async () => {
    const alone = await explorerAlone({ defaultHeaders: null });
    const { page } = await open(await alone.listen({ host: '127.0.0.1', port: 0 }));
    await run(page);
    await page.locator(response).getByText('UNAUTHENTICATED').waitFor();
    expect(await shownIn(page, headersEditor)).not.toContain('X-Auth-Token');
  });
});

test('the example queries are valid for the schema', () => {
  for (const { query } of exampleQueries) expect(validate(buildSchema(schema), parse(query))).toEqual([]);
});
