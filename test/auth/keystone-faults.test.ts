// The gateway and a fake Keystone that fails on demand: the gateway's own token, and how failures are handled.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { authority } from '../support/certificates.ts';
import { type FakeKeystone, startFakeKeystone, validations } from '../support/fake-keystone.ts';
import { ask, fake, open, openWith, told, useFakeKeystone } from '../support/fake-keystone-callers.ts';

useFakeKeystone();

describe("the gateway's own token", () => {
  test('is obtained with a password, or with an application credential', async () => {
    await open({ PLACEMENT_KEYSTONE_PROJECT_DOMAIN_ID: 'default' });
    expect(JSON.parse(fake.keystone.logIns[0] ?? '')).toEqual({
      auth: {
        identity: {
          methods: ['password'],
          password: { user: { name: 'placement', domain: { name: 'Default' }, password: fake.keystone.password } },
        },
        scope: { project: { name: 'service', domain: { id: 'default' } } },
      },
    });
    const authentication = await openWith({
      PLACEMENT_AUTH: 'keystone',
      PLACEMENT_KEYSTONE_AUTH_URL: `${fake.keystone.url}/v3/`,
      PLACEMENT_KEYSTONE_APPLICATION_CREDENTIAL_ID: 'id',
      PLACEMENT_KEYSTONE_APPLICATION_CREDENTIAL_SECRET: fake.keystone.password,
    });
    expect(await ask(authentication, 'good')).not.toBeNull();
    expect(JSON.parse(fake.keystone.logIns[1] ?? '')).toEqual({
      auth: { identity: { methods: ['application_credential'], application_credential: { id: 'id', secret: fake.keystone.password } } },
    });
  });

  test('is renewed at half its lifetime, and no request waits for it', async () => {
    fake.keystone.life = 2;
    const authentication = await open({ PLACEMENT_KEYSTONE_TOKEN_CACHE_TIME: '0' });
    await ask(authentication, 'good');
    expect(fake.keystone.logIns).toHaveLength(1);
    await pause(1050);
    await ask(authentication, 'good');
    await expect.poll(() => fake.keystone.logIns.length).toBe(2);
    expect(fake.keystone.asked.at(-1)).toContain('auth/tokens');
    await ask(authentication, 'good');
    expect(fake.keystone.logIns).toHaveLength(2);
  });

  test('is replaced when Keystone has revoked it, once for all requests that notice', async () => {
    const authentication = await open({ PLACEMENT_KEYSTONE_TOKEN_CACHE_TIME: '0' });
    fake.keystone.tokens.set('other', {}).set('third', {});
    await ask(authentication, 'good');
    fake.keystone.revokeOwn();
    const asked = await Promise.all(['good', 'other', 'third'].map((token) => ask(authentication, token)));
    expect(asked).not.toContain(null);
    expect(fake.keystone.logIns).toHaveLength(2);
  });

  test('is obtained with the password that its file holds now', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'placement-keystone-'));
    const path = join(directory, 'password');
    writeFileSync(path, `${fake.keystone.password}\n`);
    const authentication = await open({ PLACEMENT_KEYSTONE_PASSWORD: '', PLACEMENT_KEYSTONE_PASSWORD_FILE: path });
    expect(await ask(authentication, 'good')).not.toBeNull();
    fake.keystone.password = 'another';
    writeFileSync(path, 'another');
    fake.keystone.revokeOwn();
    fake.keystone.tokens.set('later', {});
    expect(await ask(authentication, 'later')).not.toBeNull();
    rmSync(directory, { recursive: true });
  });

  test('is not requested repeatedly with a wrong password: Keystone may lock the account', async () => {
    fake.keystone.password = 'another';
    const authentication = await open();
    for (let time = 0; time < 5; time++) await expect(ask(authentication, `token-${time}`)).rejects.toThrow('temporarily unavailable');
    expect(fake.keystone.logIns).toHaveLength(1);
    expect(told).toEqual([
      'Keystone cannot validate tokens: it refused the log-in of the service user: check its name, password, domain and project; those validated before stay valid for now, and all others get 503',
    ]);
  });
});

describe('a Keystone', () => {
  type Fault = [words: string, break_: (fake: FakeKeystone) => void, told: string];
  const answers =
    (status: number, body = '{}'): Fault[1] =>
    (fake) => {
      fake.onValidate = (_request, response) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(body);
        return true;
      };
    };
  const statuses = [204, 300, 301, 400, 403, 418, 429, 500, 502, 503].map(
    (status): Fault => [`says ${status}`, answers(status), status === 403 ? 'give it the role service' : `it answered with ${status}`],
  );

  test.each<Fault>([
    ...statuses,
    ['says 401 to every token of ours', answers(401), 'it does not accept the token that it has just given'],
    ['answers no JSON', answers(200, '<html>good</html>'), 'its answer does not describe a token'],
    ['answers JSON without a token', answers(200, '{"good": true}'), 'its answer does not describe a token'],
    ['answers a token without an expiry', answers(200, '{"token": {"user": {"id": "ann"}}}'), 'its answer does not describe a token'],
    [
      'breaks off',
      (fake) => {
        fake.onValidate = (request, response) => {
          response.writeHead(200, { 'content-length': '1000' }).write('{"token": {');
          setTimeout(() => request.socket.destroy(), 20);
          return true;
        };
      },
      'its answer was interrupted',
    ],
    [
      'resets the connection each time',
      (fake) => {
        fake.onValidate = (request) => {
          request.socket.resetAndDestroy();
          return true;
        };
      },
      'it closed the connection',
    ],
    [
      'never answers',
      (fake) => {
        fake.onValidate = () => true;
      },
      'it did not answer in time',
    ],
    [
      'never ends its answer',
      (fake) => {
        fake.onValidate = (_request, response) => {
          response.writeHead(200).write('{');
          return true;
        };
      },
      'it did not answer in time',
    ],
    [
      'answers without end',
      (fake) => {
        fake.onValidate = (_request, response) => {
          response.writeHead(200);
          const more = () => {
            while (response.write('x'.repeat(65_536)));
            response.once('drain', more);
          };
          more();
          return true;
        };
      },
      'it answered with more than 4194304 bytes',
    ],
  ])('that %s is unavailable, which is not reported as a fault of the caller', async (_, breakIt, fault) => {
    const authentication = await open(fault === 'it did not answer in time' ? { PLACEMENT_KEYSTONE_TIMEOUT: '1' } : {});
    fake.keystone.tokens.set('known', {});
    expect(await ask(authentication, 'known')).not.toBeNull();
    breakIt(fake.keystone);
    await expect(ask(authentication, 'good')).rejects.toThrow('The Keystone service is temporarily unavailable.');
    expect(authentication.trouble()).toContain(fault);
    expect(await ask(authentication, 'known')).not.toBeNull();
    fake.keystone.onValidate = () => false;
    expect(await ask(authentication, 'good')).not.toBeNull();
    expect(authentication.trouble()).toBeNull();
    expect(told.filter((line) => line.includes('cannot validate tokens'))).toHaveLength(1);
    expect(told.at(-1)).toBe('Keystone answers again');
  });

  test.each<[words: string, endpoints: FakeKeystone['endpoints'], more: Record<string, string>, told: string]>([
    ['without identity', [], {}, 'its catalog has no internal endpoint of the service identity'],
    [
      'without the region',
      [{ interface: 'internal', region_id: 'RegionTwo', url: 'http://127.0.0.1:1' }],
      { PLACEMENT_KEYSTONE_REGION_NAME: 'RegionOne' },
      'endpoint of the service identity in the region RegionOne',
    ],
    ['with an invalid address', [{ interface: 'internal', region_id: 'RegionOne', url: 'keystone' }], {}, 'has no internal endpoint'],
  ])('with a catalog %s is reported as unavailable', async (_, endpoints, more, fault) => {
    fake.keystone.endpoints = endpoints;
    const authentication = await open(more);
    await expect(ask(authentication, 'good')).rejects.toThrow('temporarily unavailable');
    expect(authentication.trouble()).toContain(fault);
  });

  test('is called at the endpoint of the configured interface and region', async () => {
    fake.keystone.endpoints = [
      { interface: 'internal', region_id: 'RegionTwo', url: `${fake.keystone.url}/internal` },
      { interface: 'public', region_id: 'RegionOne', url: `${fake.keystone.url}/elsewhere` },
      { interface: 'public', region_id: 'RegionTwo', url: `${fake.keystone.url}/identity/` },
    ];
    await ask(await open({ PLACEMENT_KEYSTONE_INTERFACE: 'public', PLACEMENT_KEYSTONE_REGION_NAME: 'RegionTwo' }), 'good');
    expect(validations(fake.keystone)).toEqual(['GET /identity/v3/auth/tokens?nocatalog good']);
  });

  test('whose kept-alive connections are stale, as after a restart, is called again immediately, once', async () => {
    const authentication = await open();
    fake.keystone.tokens.set('other', {}).set('third', {});
    await Promise.all(['good', 'other'].map((token) => ask(authentication, token)));
    fake.keystone.resetIdle();
    expect(await ask(authentication, 'third')).not.toBeNull();
    expect(validations(fake.keystone).filter((line) => line.endsWith('third'))).toHaveLength(2);
    expect(told).toEqual([]);
  });

  test('that is down does not prevent the gateway from starting', async () => {
    const { url } = fake.keystone;
    await fake.keystone.close();
    const authentication = await open();
    await expect(ask(authentication, 'good')).rejects.toThrow('temporarily unavailable');
    expect(await ask(authentication, '')).toBeNull();
    expect(authentication.trouble()).toBe('Keystone: it refused the connection');
    fake.keystone = await startFakeKeystone({ port: Number(new URL(url).port) });
    fake.keystone.tokens.set('good', {});
    expect(await ask(authentication, 'good')).not.toBeNull();
  });

  test('with TLS is verified by the configured authority, or not at all if the settings say so', async () => {
    const tls = await startFakeKeystone({ tls: true });
    tls.tokens.set('good', {});
    const cafile = join(mkdtempSync(join(tmpdir(), 'placement-ca-')), 'ca.pem');
    writeFileSync(cafile, authority);
    const strange = await open({}, tls);
    await expect(ask(strange, 'good')).rejects.toThrow('temporarily unavailable');
    expect(strange.trouble()).toMatch(/^Keystone: its certificate is not accepted \([A-Z_]+\)$/);
    expect(await ask(await open({ PLACEMENT_KEYSTONE_CAFILE: cafile }, tls), 'good')).not.toBeNull();
    expect(await ask(await open({ PLACEMENT_KEYSTONE_INSECURE: 'on' }, tls), 'good')).not.toBeNull();
    expect(told.join()).toContain('PLACEMENT_KEYSTONE_INSECURE=on: anyone on the way');
    await expect(open({ PLACEMENT_KEYSTONE_CAFILE: '/none' }, tls)).rejects.toThrow(
      'PLACEMENT_KEYSTONE_CAFILE="/none" cannot be read (ENOENT)',
    );
    await tls.close();
  });

  test('gets at most 8 requests at once from all addresses until its speed is known; others wait their turn, and excess requests are refused', async () => {
    const waiting: (() => void)[] = [];
    fake.keystone.onValidate = (_request, response) => {
      waiting.push(() => response.writeHead(404).end('{}'));
      return true;
    };
    const authentication = await open();
    const all = Array.from({ length: 1100 }, (_, index) =>
      ask(authentication, `token-${index}`, {}, undefined, `192.0.2.${index % 8}`).then(String, ({ message }) => message as string),
    );
    await expect.poll(() => waiting.length).toBe(8);
    await pause(200);
    expect(waiting).toHaveLength(8);
    fake.keystone.onValidate = () => false;
    for (const answer of waiting) answer();
    const said = await Promise.all(all);
    const count = (words: string) => said.filter((each) => each === words).length;
    expect([count('null'), count('Too many tokens are being validated at the moment.')]).toEqual([1008, 92]);
  });
});
