// Examination. The process as operators run it: a separate process, real signals, real exit codes, a real embedded database.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { program } from './support/program.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'placement-main-'));
const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

interface Gateway {
  readonly child: ChildProcess;
  /** Resolves when the process has ended. */
  readonly ended: Promise<{ code: number | null; out: string; err: string }>;
  /** Resolves with the URL when it is printed, and rejects when the process ends before. */
  readonly url: Promise<string>;
}

function run(args: string[], environment: Record<string, string> = {}): Gateway {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: home, PLACEMENT_PORT: '0', ...environment },
  });
  started.push(child);
  let out = '';
  let err = '';
  child.stderr.on('data', (data) => {
    err += data;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out, err }));
  const url = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (data) => {
      out += data;
      const [printed] = /http:\S+(?=\/graphql)/.exec(out) ?? [];
      if (printed) resolve(printed);
    });
    ended.then(() => reject(new Error(`ended before it served: ${err}`)));
  });
  url.catch(() => {});
  return { child, ended, url };
}

const nowhere = 'postgres://u:hunter2@127.0.0.1:1/x';

/** The lines for the person who started it, as opposed to the log. */
const complaints = (err: string) => err.split('\n').filter((line) => line !== '' && !line.startsWith('{'));

describe('the command line', () => {
  test('policy check exits with 0 for allowed, 1 for denied, and 2 for rules that cannot be read', async () => {
    const fileOf = (name: string, rules: string) => {
      writeFileSync(join(home, name), rules);
      return { PLACEMENT_POLICY_FILE: join(home, name) };
    };
    const check = async (flags: string, environment: Record<string, string> = {}) => {
      const { code, err } = await run(`policy check GET /traits --project ops ${flags}`.split(' '), environment).ended;
      return { code, err };
    };
    const broken = fileOf('broken.yaml', 'a:\n');
    const misspelt = fileOf('misspelt.yaml', '"placement:resource_providers:lst": "role:reader"\n');
    const suggested = expect.stringContaining('did you mean placement:resource_providers:list?');
    expect(await check('--roles admin')).toEqual({ code: 0, err: '' });
    expect(await check('--roles reader')).toEqual({ code: 1, err: '' });
    expect(await check('--roles admin', broken)).toEqual({
      code: 2,
      err: expect.stringContaining(`${broken.PLACEMENT_POLICY_FILE}:1: the rule a is empty`),
    });
    expect(await check('--roles admin', misspelt)).toEqual({ code: 0, err: suggested });
    expect(await check('--roles admin --policy-unknown-rules refuse', misspelt)).toEqual({ code: 2, err: suggested });
  });

  test('tells its version', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(await run(['--version']).ended).toMatchObject({ code: 0, out: `${version}\n`, err: '' });
  });

  test('helps with the commands and all settings', async () => {
    const { code, out } = await run(['--help']).ended;
    expect(code).toBe(0);
    for (const word of ['serve', 'migrate', 'DATABASE_URL, --database-url <url>', 'PLACEMENT_PORT, --port <number>', '8778']) {
      expect(out).toContain(word);
    }
  });

  test.each([
    [['--colour', 'blue'], {}, "unknown option '--colour'"],
    [['serve', '--prot', '1'], {}, "unknown option '--prot'"],
    [['frobnicate'], {}, 'too many arguments'],
    [['--port', 'http'], {}, '--port="http" must be a whole number from 0 to 65535'],
    [[], { PLACEMENT_AUTH: 'keystone' }, 'PLACEMENT_AUTH=keystone needs PLACEMENT_KEYSTONE_AUTH_URL'],
    [['token', 'list'], {}, 'this command needs PLACEMENT_TOKENS_FILE or --tokens-file'],
    [['token', 'add', '--user', 'a', '--role', 'admin'], {}, "required option '--expires <when>' not specified"],
    [['token', 'add', '--user', 'a', '--role', 'Admin', '--expires', 'never'], {}, "option '--role <role>' argument 'Admin' is invalid"],
    [['--host', '0.0.0.0'], {}, 'is refused with PLACEMENT_AUTH=noauth'],
    [['import', 'http://127.0.0.1:1'], { DATABASE_URL: nowhere }, 'import needs --token, OS_TOKEN in the environment, or the service user'],
    [
      ['import', 'http://127.0.0.1:1'],
      { DATABASE_URL: nowhere, PLACEMENT_KEYSTONE_AUTH_URL: 'http://127.0.0.1:1', PLACEMENT_KEYSTONE_USERNAME: 'placement' },
      'which is incomplete: PLACEMENT_AUTH=keystone needs PLACEMENT_KEYSTONE_PASSWORD',
    ],
    [['audit'], { DATABASE_MIGRATION_URL: nowhere }, 'DATABASE_MIGRATION_URL without DATABASE_URL is for migrate only'],
    [
      ['migrate', '--wait', 'long'],
      { DATABASE_URL: nowhere },
      '--wait="long" must be a whole number of seconds from 0 to 86400, or forever',
    ],
  ])('does not understand %j with %j, says so and ends with 2', async (args, environment, message) => {
    const { code, out, err } = await run(args, environment).ended;
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
    expect(err).not.toMatch(/^ {4}at /m);
  });

  test('migrates by DATABASE_MIGRATION_URL alone, and starts no other database', async () => {
    const { code, err } = await run(['migrate'], { DATABASE_MIGRATION_URL: nowhere }).ended;
    expect([code, complaints(err)]).toEqual([1, [expect.stringMatching(/^placement-gateway: .*ECONNREFUSED 127\.0\.0\.1:1/)]]);
  });

  test.each(['127.0.0.1', 'localhost'])(
    'fails in one line without a stack when no database answers at %s, and keeps its password',
    async (host) => {
      const { code, err } = await run(['migrate'], { DATABASE_URL: `postgres://u:hunter2@${host}:1/x` }).ended;
      expect(code).toBe(1);
      expect(complaints(err)).toEqual([expect.stringMatching(/^placement-gateway: .*ECONNREFUSED 127\.0\.0\.1:1/)]);
      expect(err).not.toContain('hunter2');
    },
  );
});

describe('the command token', () => {
  // Each run of the program takes seconds while other tests run.
  test('prints a new token alone on standard output, and revokes it by the id that list shows', async () => {
    const environment = { PLACEMENT_TOKENS_FILE: join(home, 'tokens.json') };
    const added = await run(['token', 'add', '--user', 'nova', '--role', 'admin', '--expires', '90d'], environment).ended;
    expect(added).toMatchObject({ code: 0, out: expect.stringMatching(/^pgw_[\w-]{43}\n$/) });
    expect(added.err).not.toContain(added.out.trim());
    const { out } = await run(['token', 'list'], environment).ended;
    const [id = ''] = out.split('\n')[1]?.split(' ') ?? [];
    expect(added.err).toContain(id);
    const asJson = await run(['token', 'list', '--json'], environment).ended;
    expect(JSON.parse(asJson.out)).toMatchObject([{ id, user: 'nova' }]);
    expect(await run(['token', 'revoke', id], environment).ended).toMatchObject({ code: 0, out: 'The token was revoked.\n' });
    expect(await run(['token', 'revoke', id], environment).ended).toMatchObject({ code: 1, out: '' });
  });
});

describe('a gateway with an embedded database', () => {
  const dataDirectory = join(home, 'data');
  const environment = { PLACEMENT_DATA_DIR: dataDirectory, PLACEMENT_PROT: '1' };

  test('serves, keeps a second one out, and stops in order on SIGTERM', async () => {
    const gateway = run([], environment);
    const url = await gateway.url;
    const service = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ __typename }"}',
    });
    expect(await service.json()).toEqual({ data: { __typename: 'Query' } });
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready' });

    const second = await run(['migrate'], environment).ended;
    expect(second.code).toBe(1);
    expect(complaints(second.err)).toHaveLength(1);

    gateway.child.kill('SIGTERM');
    const { code, out, err } = await gateway.ended;
    expect(code).toBe(0);
    expect(out).toContain(`${url}/explorer`);
    const log = err
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    expect(log).toContainEqual(expect.objectContaining({ level: 'warn', msg: expect.stringContaining('did you mean PLACEMENT_PORT?') }));
    expect(log).toContainEqual(
      expect.objectContaining({
        msg: 'starting',
        settings: expect.objectContaining({ PLACEMENT_DATA_DIR: dataDirectory, PLACEMENT_PORT: 0 }),
      }),
    );

    // What is left is a database that anyone may start again.
    expect(await run(['migrate'], environment).ended).toMatchObject({ code: 0, out: 'The database is up to date.\n' });
  });

  test('serves on when fields of an answer fail after another one has ended it', async () => {
    const gateway = run([], { ...environment, PLACEMENT_LOG_LEVEL: 'debug' });
    const url = await gateway.url;
    const ask = async (query: string, variables: object = {}): Promise<unknown> => {
      const headers = { 'content-type': 'application/json', 'x-auth-token': 'admin' };
      return (await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })).json();
    };
    const root = '11111111-0000-4000-8000-000000000001';
    const created = await ask(
      `mutation ($root: UUID!) {
        root: createResourceProvider(input: {uuid: $root, name: "root"}) { userErrors { message } }
        child: createResourceProvider(input: {name: "child", parent: $root}) { userErrors { message } }
        other: createResourceProvider(input: {name: "other"}) { userErrors { message } }
      }`,
      { root },
    );
    expect(created).toEqual({ data: { root: { userErrors: [] }, child: { userErrors: [] }, other: { userErrors: [] } } });
    // The root of the first provider is read; that of the second is the provider itself, so that its field fails at once.
    const failing = `query ($skips: Boolean = true) {
      resourceProviders(filter: {names: ["child", "other"]}, first: 2) { nodes { root { name @skip(if: $skips) } } }
    }`;
    expect(await ask(failing, { skips: null })).toMatchObject({
      data: null,
      errors: [{ path: ['resourceProviders', 'nodes', 1, 'root'] }],
    });
    expect(await ask('{ resourceProviders(first: 1) { nodes { name } } }')).toEqual({
      data: { resourceProviders: { nodes: [{ name: 'child' }] } },
    });
    gateway.child.kill('SIGTERM');
    const { code, err } = await gateway.ended;
    expect(code).toBe(0);
    expect(err).toContain('a field of an answer that had ended failed, too');
  });

  test('ends at once on a second signal', async () => {
    const gateway = run(['serve'], environment);
    const url = await gateway.url;
    // A request that never ends delays the shutdown of the first signal.
    const request = new AbortController();
    const endless = fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-auth-token': 'admin' },
      body: new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{')) }),
      signal: request.signal,
      ...{ duplex: 'half' },
    }).catch(() => 'cut off');
    await expect.poll(() => fetch(`${url}/healthz`).then(({ status }) => status)).toBe(200);
    gateway.child.kill('SIGINT');
    await expect
      .poll(() =>
        fetch(`${url}/healthz`).then(
          ({ status }) => status,
          () => 'closed',
        ),
      )
      .not.toBe(200);
    gateway.child.kill('SIGINT');
    expect((await gateway.ended).code).toBe(1);
    request.abort();
    expect(await endless).toBe('cut off');
    // The database that it left behind is found, and stopped in order.
    expect((await run(['migrate'], environment).ended).code).toBe(0);
  });
});
