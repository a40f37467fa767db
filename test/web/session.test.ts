// How the pages get a token: which ways there are, and signing in at a Keystone that is fake, through the whole listener.
import { fastify } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../src/listener/server.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { SignInThrottle } from '../../src/web/sign-in-throttle.ts';
import { web } from '../../src/web/web.ts';
import { type FakeKeystone, inSeconds, settingsFor, startFakeKeystone } from '../support/fake-keystone.ts';
import { database, lines, log, schema, server, useListener } from '../support/listener.ts';

useListener();

const password = 'correct horse';
const form = { user: 'ann', domain: 'Default', password, passcode: null, project: 'web', projectDomain: 'Default' };

let keystone: FakeKeystone;
let gateway: RunningServer;

async function startGateway(more: Record<string, string> = {}): Promise<RunningServer> {
  const { settings } = readSettings(settingsFor(keystone, more));
  return startServer({ settings, db: database.db, log, schema });
}

beforeEach(async () => {
  keystone = await startFakeKeystone();
  keystone.onLogIn = (_request, response) => {
    const body = keystone.logIns.at(-1) ?? '';
    if (!body.includes('"ann"')) return false;
    if (!body.includes(JSON.stringify(password))) response.writeHead(401).end(JSON.stringify({ error: { message: body } }));
    else {
      const token = { expires_at: inSeconds(60), user: { name: 'ann' }, project: { name: 'web' }, roles: [{ name: 'reader' }] };
      response.writeHead(201, { 'x-subject-token': 'a-token-of-ann' }).end(JSON.stringify({ token }));
    }
    return true;
  };
  gateway = await startGateway();
});
afterEach(async () => {
  await gateway.close();
  await keystone.close();
});

function signIn(body: object = form, headers: Record<string, string> = {}, { url } = gateway): Promise<Response> {
  return fetch(`${url}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, ...headers },
    body: JSON.stringify(body),
  });
}

/** The log-ins of people; the gateway's own come at any moment. */
const signIns = () => keystone.logIns.filter((body) => body.includes('"ann"'));

async function messageOf(response: Response): Promise<string> {
  const { errors } = (await response.json()) as { errors: { message: string }[] };
  return errors[0]?.message ?? '';
}

describe('GET /session', () => {
  test('gives the token that everyone may use if there is no sign-in', async () => {
    const response = await fetch(`${server.url}/session`);
    expect(await response.json()).toEqual({ methods: ['noauth'], token: 'admin', defaultDomain: null });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('says that passwords are accepted, and gives no token', async () => {
    expect(await (await fetch(`${gateway.url}/session`)).json()).toEqual({ methods: ['keystone'], token: null, defaultDomain: 'Default' });
  });

  test('does not mention passwords if they are switched off', async () => {
    const closed = await startGateway({ PLACEMENT_KEYSTONE_SIGN_IN: 'off' });
    expect(await (await fetch(`${closed.url}/session`)).json()).toMatchObject({ defaultDomain: null });
    expect((await signIn(form, {}, closed)).status).toBe(404);
    await closed.close();
  });

  test('answers only our own pages', async () => {
    expect((await fetch(`${server.url}/session`, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
  });
});

describe('POST /session', () => {
  test('answers with the token from Keystone, which nothing stores', async () => {
    const response = await signIn();
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(await response.json()).toMatchObject({ token: 'a-token-of-ann', user: 'ann', project: 'web', roles: ['reader'] });
    expect(JSON.parse(signIns().at(-1) ?? '')).toEqual({
      auth: {
        identity: { methods: ['password'], password: { user: { name: 'ann', domain: { name: 'Default' }, password } } },
        scope: { project: { name: 'web', domain: { name: 'Default' } } },
      },
    });
  });

  test('sends the one-time code as a second method, and no scope without a project', async () => {
    await signIn({ ...form, passcode: '123456', project: null });
    expect(JSON.parse(signIns().at(-1) ?? '').auth).toEqual({
      identity: {
        methods: ['password', 'totp'],
        password: { user: { name: 'ann', domain: { name: 'Default' }, password } },
        totp: { user: { name: 'ann', domain: { name: 'Default' }, passcode: '123456' } },
      },
    });
  });

  test('refuses a wrong password without the words of Keystone, and stops asking it after five', async () => {
    for (let attempt = 0; attempt < 5; attempt++) {
      const response = await signIn({ ...form, password: 'wrong' });
      expect(response.status).toBe(401);
      expect(await messageOf(response)).toBe('Keystone refuses this user, password or project.');
    }
    const before = signIns().length;
    const blocked = await signIn();
    expect(blocked.status).toBe(429);
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(signIns()).toHaveLength(before);
  });

  test.each([
    ['of another site', { origin: 'http://evil.example' }],
    ['that another page made a browser send', { 'sec-fetch-site': 'cross-site' }],
    ['of a neighbour on the same site', { 'sec-fetch-site': 'same-site' }],
  ])('refuses a form %s before it asks Keystone', async (_what, headers) => {
    const before = signIns().length;
    expect((await signIn(form, headers)).status).toBe(403);
    expect(signIns()).toHaveLength(before);
  });

  test('names what is missing in a form, and accepts only JSON', async () => {
    const incomplete = await signIn({ user: 'ann', password });
    expect(incomplete.status).toBe(400);
    expect(await messageOf(incomplete)).toContain('domain, projectDomain');
    const wrongType = await fetch(`${gateway.url}/session`, {
      method: 'POST',
      headers: { origin: gateway.url },
      body: new URLSearchParams({ user: 'ann' }),
    });
    expect(wrongType.status).toBe(415);
  });

  test('says that Keystone is unavailable if it is down, and counts that as no failed attempt', async () => {
    await keystone.close();
    for (let attempt = 0; attempt < 6; attempt++) expect((await signIn()).status).toBe(503);
  });

  test('logs neither names nor passwords', async () => {
    await signIn();
    await signIn({ ...form, password: 'wrong' });
    keystone.onLogIn = (_request, response) => {
      response.writeHead(500).end(signIns().at(-1));
      return true;
    };
    await signIn();
    expect(lines.length).toBeGreaterThan(0);
    expect(JSON.stringify(lines)).not.toMatch(/\bann\b|correct horse|wrong|a-token/);
  });
});

describe('passwords from other machines', () => {
  const elsewhere = '::ffff:192.0.2.1';

  test.each([
    ['local', 403],
    ['anywhere', 200],
  ])('are answered where they are taken from %s with %i', async (where, status) => {
    const app = fastify();
    const { settings } = readSettings(settingsFor(keystone, { PLACEMENT_KEYSTONE_SIGN_IN: where }));
    await app.register(web, { settings, log: { warn() {} }, readJson() {}, whyRefused: () => null });
    const answer = await app.inject({
      method: 'POST',
      url: '/session',
      remoteAddress: elsewhere,
      headers: { 'sec-fetch-site': 'same-origin' },
      payload: form,
    });
    expect(answer.statusCode).toBe(status);
    await app.close();
  });
});

describe('the throttle', () => {
  test('forgets a failure after a minute, and counts users and addresses separately', () => {
    let now = 0;
    const throttle = new SignInThrottle(() => now);
    for (let attempt = 0; attempt < 5; attempt++) throttle.attempt('ann', `192.0.2.${attempt}`);
    expect(throttle.attempt('ann', '192.0.2.9')).toEqual({ waitSeconds: 60 });
    expect(throttle.attempt('bob', '192.0.2.1')).toHaveProperty('withdraw');
    now = 60_001;
    expect(throttle.attempt('ann', '192.0.2.9')).toHaveProperty('withdraw');
  });

  test('counts attempts in progress, so that many at once do not evade it', () => {
    const throttle = new SignInThrottle(() => 0);
    const begun = Array.from({ length: 6 }, () => throttle.attempt('ann', '192.0.2.1'));
    expect(begun.filter((attempt) => 'withdraw' in attempt)).toHaveLength(5);
    const [first] = begun;
    if (first && 'withdraw' in first) first.withdraw();
    expect(throttle.attempt('ann', '192.0.2.1')).toHaveProperty('withdraw');
  });

  test('remembers a bounded number', () => {
    const throttle = new SignInThrottle(() => 0);
    for (let attempt = 0; attempt < 5; attempt++) throttle.attempt('ann', '192.0.2.1');
    for (let user = 0; user < 10_000; user++) throttle.attempt(`user ${user}`, `address ${user}`);
    expect(throttle.attempt('ann', '192.0.2.1')).toHaveProperty('withdraw');
  });
});
