// The demo cloud behind a real gateway, with a browser before it, for the tests of pages.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Db } from '../../../src/db/sql/client.ts';
import { type RunningServer, startServer } from '../../../src/listener/server.ts';
import { createLogger } from '../../../src/logs/process-log.ts';
import { readSettings } from '../../../src/settings/settings.ts';
import type { TestDatabase } from '../../support/database.ts';
import { useDemo } from '../../support/demo.ts';
import { type BrowserName, type Observed, observe, startBrowser } from '../observed.ts';

interface DemoGateway {
  readonly url: () => string;
  readonly db: () => Db;
  readonly target: () => TestDatabase['target'];
  /** Not through the gateway's connections. */
  readonly own: () => TestDatabase['own'];
  /** The data that the gateway answers with, by default to anybody; fails the test when there are errors. */
  readonly ask: (query: string, variables?: object, token?: string) => Promise<Record<string, Answered>>;
  /** A page of this gateway, or of another one, in a window of usual height or of the given one. */
  readonly open: (path: string, where?: { readonly origin?: string; readonly height?: number }) => Promise<Observed>;
  /** As if somebody had signed in with the token. */
  readonly openAs: (token: string, path: string) => Promise<Observed>;
}

type Answered = ReturnType<typeof JSON.parse>;

/** Settings beside the port; without any it is a gateway for trials. */
export function useDemoGateway(environment: Readonly<Record<string, string>> = {}, browserName?: BrowserName): DemoGateway {
  const database = useDemo();
  let browser: Browser;
  let gateway: RunningServer;
  beforeAll(async () => {
    browser = await startBrowser(browserName);
    // Faults are part of the tests; bugs are told.
    const { log } = createLogger({ level: 'error' });
    gateway = await startServer({ settings: readSettings({ PLACEMENT_PORT: '0', ...environment }).settings, db: database.db, log });
  });
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });
  return {
    url: () => gateway.url,
    db: () => database.db,
    target: () => database.target,
    own: () => database.own,
    async ask(query, variables = {}, token = 'admin') {
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-auth-token': token },
        body: JSON.stringify({ query, variables }),
      });
      const { data, errors } = (await response.json()) as { data: Record<string, Answered>; errors?: unknown };
      expect(errors).toBeUndefined();
      return data;
    },
    async open(path, { origin = gateway.url, height } = {}) {
      const observed = await observe(browser, origin, height === undefined ? {} : { height });
      await observed.page.goto(`${origin}${path}`);
      return observed;
    },
    async openAs(token, path) {
      const observed = await observe(browser, gateway.url);
      const session = JSON.stringify({ token, expiresAt: null, user: null, project: null });
      await observed.page.addInitScript({ content: `sessionStorage.setItem('placement.session', ${JSON.stringify(session)})` });
      await observed.page.goto(`${gateway.url}${path}`);
      return observed;
    },
  };
}
