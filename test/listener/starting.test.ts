// Examination. A gateway that waits for its database to be migrated: it can be asked why, and answers nothing else.
import { expect, test } from 'vitest';
import { startServer } from '../../src/listener/server.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { database, log, schema, useListener } from '../support/listener.ts';

useListener();

test('a gateway that is starting is alive but not ready, and refuses requests in the form of each API; then it serves', async () => {
  let starting: string | null = 'starting: the database is not migrated yet';
  const { settings } = readSettings({ PLACEMENT_PORT: '0' });
  const server = await startServer({ settings, db: database.db, log, schema, whyStarting: () => starting });
  try {
    const headers = { 'x-auth-token': 'admin', 'content-type': 'application/json', 'openstack-api-version': 'placement 1.39' };
    const ask = () => fetch(`${server.url}/graphql`, { method: 'POST', headers, body: '{"query":"{ hello }"}' });
    const list = () => fetch(`${server.url}/placement/traits`, { headers });
    const ready = () => fetch(`${server.url}/readyz`);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(await (await ready()).json()).toMatchObject({ status: 'not ready', reason: `gateway: ${starting}` });
    const [answer, listed] = [await ask(), await list()];
    expect([answer.status, listed.status]).toEqual([503, 503]);
    expect([answer.headers.get('retry-after'), listed.headers.get('retry-after')]).toEqual(['1', '1']);
    expect(await answer.json()).toMatchObject({
      errors: [{ message: expect.stringContaining('is starting'), extensions: { code: 'UNAVAILABLE', retry: 'LATER' } }],
    });
    expect(await listed.json()).toMatchObject({ errors: [{ status: 503, title: 'Service Unavailable' }] });
    starting = null;
    expect([(await ready()).status, (await ask()).status, (await list()).status]).toEqual([200, 200, 200]);
  } finally {
    await server.close();
  }
});
