// The client of another Placement: where it is, its version, and tokens that end.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openOwnTokens } from '../../../src/auth/keystone/own-token.ts';
import { openPlacement, type TokenSource } from '../../../src/bridge/placement/client.ts';
import { readSettings } from '../../../src/settings/settings.ts';
import { type FakeKeystone, settingsFor, startFakeKeystone } from '../../support/fake-keystone.ts';
import { type FakePlacement, startFakePlacement, token } from '../../support/fake-placement.ts';
import { smallCloud } from '../../support/small-placement.ts';

let placement: FakePlacement;
const start = async (elsewhere?: { status: number; body: object }) => {
  placement = await startFakePlacement(smallCloud(), elsewhere);
};
afterEach(() => placement.close());

const open = (url: string, source: TokenSource = async () => token) => openPlacement({ url, token: source, concurrency: 4 });
const readTraits = async (source?: TokenSource) =>
  (await open(placement.url, source)).get('/traits', z.object({ traits: z.array(z.string()) }));

describe('a Placement', () => {
  test('is found at the URL as given, without a look elsewhere', async () => {
    await start();
    expect((await open(`${placement.url}/`)).url).toBe(placement.url);
    expect(placement.paths).toEqual(['/']);
  });

  test.each([
    ['nothing', 404, {}],
    ['the versions of another service', 300, { versions: { values: [{ id: 'v3.14' }] } }],
    ['another document', 200, { versions: [{ id: 'v2.1', version: '2.96', min_version: '2.1' }] }],
  ])('is found at /placement if there is %s at the root', async (_what, status, body) => {
    await start({ status, body });
    const client = await open(placement.url);
    expect(client.url).toBe(`${placement.url}/placement`);
    expect(await client.get('/traits', z.object({ traits: z.array(z.string()) }))).not.toBeNull();
  });

  test('that is at neither place is reported with both', async () => {
    await start();
    await expect(open(`${placement.url}/identity/`)).rejects.toThrow(
      `there is no Placement at ${placement.url}/identity or ${placement.url}/identity/placement`,
    );
  });

  test('that refuses to answer at both places is reported with the answer', async () => {
    await start({ status: 503, body: {} });
    await expect(open(`${placement.url}/identity`)).rejects.toThrow(`${placement.url}/identity/ answered 503`);
  });
});

describe('the microversion', () => {
  beforeEach(() => start());

  test.each([
    ['1.28', '1.28'],
    ['1.38', '1.38'],
    ['1.39', '1.39'],
    ['1.40', '1.39'],
  ])('of a Placement that offers up to %s is %s', async (offered, used) => {
    placement.cloud.version = offered;
    expect((await open(placement.url)).microversion).toBe(used);
    expect(await readTraits()).not.toBeNull();
  });

  test('must be one that shows the generations of consumers', async () => {
    placement.cloud.version = '1.27';
    await expect(open(placement.url)).rejects.toThrow(
      `the Placement at ${placement.url} is too old: it offers 1.27, at least 1.28 is needed`,
    );
  });
});

describe('the token of the service user', () => {
  let keystone: FakeKeystone;
  const tokens = (more = {}) => openOwnTokens(readSettings({ ...settingsFor(keystone), ...more }).settings);
  beforeEach(async () => {
    await start();
    keystone = await startFakeKeystone();
    placement.cloud.accepts = (sent) => sent.startsWith('own-');
  });
  afterEach(() => keystone.close());

  test('is used for all requests while it lasts', async () => {
    const source = await tokens();
    expect(await readTraits(source)).not.toBeNull();
    expect(await readTraits(source)).not.toBeNull();
    expect(keystone.logIns).toHaveLength(1);
  });

  test('that has expired is replaced before it is sent', async () => {
    keystone.life = 0;
    const source = await tokens();
    await readTraits(source);
    placement.cloud.accepts = (sent) => sent === 'own-2';
    expect(await readTraits(source)).not.toBeNull();
    expect(placement.paths.filter((path) => path === '/traits')).toHaveLength(2);
  });

  test('that is refused is replaced once for all requests that met the refusal', async () => {
    const client = await open(placement.url, await tokens());
    placement.cloud.accepts = (sent) => sent === 'own-2';
    const answers = await Promise.all([1, 2, 3, 4].map(() => client.get('/traits', z.object({ traits: z.array(z.string()) }))));
    expect(answers.every((answer) => answer !== null)).toBe(true);
    expect(keystone.logIns).toHaveLength(2);
  });

  test('that is refused again ends the work', async () => {
    placement.cloud.accepts = () => false;
    await expect(readTraits(await tokens())).rejects.toThrow('does not accept the token (401)');
    expect(placement.paths.filter((path) => path === '/traits')).toHaveLength(2);
  });

  test('that Keystone does not give is reported as its fault', async () => {
    keystone.password = 'another';
    await expect(readTraits(await tokens())).rejects.toThrow('Keystone: it refused the log-in of the service user');
  });

  test('may be that of an application credential', async () => {
    keystone.password = 's3cret-of-the-credential';
    const { settings } = readSettings({
      PLACEMENT_KEYSTONE_AUTH_URL: keystone.url,
      PLACEMENT_KEYSTONE_APPLICATION_CREDENTIAL_ID: 'c',
      PLACEMENT_KEYSTONE_APPLICATION_CREDENTIAL_SECRET: 's3cret-of-the-credential',
    });
    expect(await readTraits(await openOwnTokens(settings))).not.toBeNull();
    expect(keystone.logIns[0]).toContain('application_credential');
  });
});

test('a given token that is refused is not sent again', async () => {
  await start();
  placement.cloud.accepts = () => false;
  await expect(readTraits()).rejects.toThrow('does not accept the token (401)');
  expect(placement.paths.filter((path) => path === '/traits')).toHaveLength(1);
});
