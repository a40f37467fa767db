// A real Keystone (Debian's python3-keystone, on SQLite, with fernet tokens) in a directory of its own, that can be stopped, frozen and started again.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export const adminPassword = 'pass-of-admin';
const packages = 'python3-keystone uwsgi-core uwsgi-plugin-python3 python3-openstackclient python3-osc-placement';

type Json = Readonly<Record<string, unknown>>;
/** What a token is for: a project by id, or one of the other scopes. */
export type Scope = { readonly project: string } | 'domain' | 'system' | 'unscoped';

export class RealKeystone {
  readonly directory = mkdtempSync(join(tmpdir(), 'placement-keystone-'));
  url = '';
  #port = 0;
  #server: ChildProcess | undefined;
  #admin = '';

  /** Creates its database and starts it. Rejects with advice where it is not installed. */
  async create(): Promise<void> {
    if (!existsSync('/usr/bin/keystone-manage') || !existsSync('/usr/bin/uwsgi')) {
      throw new Error(`these tests need a Keystone: on Debian, apt-get install --no-install-recommends ${packages}`);
    }
    this.#port = await freePort();
    this.url = `http://127.0.0.1:${this.#port}/v3`;
    for (const name of ['keys', 'credentials']) mkdirSync(join(this.directory, name), { mode: 0o700 });
    this.configure({});
    const account = ['--keystone-user', idOf('-un'), '--keystone-group', idOf('-gn')];
    this.#manage('fernet_setup', ...account);
    this.#manage('credential_setup', ...account);
    this.#manage('db_sync');
    // Otherwise requests that write at the same time end without an answer: the database is locked.
    const walMode = `import sqlite3; sqlite3.connect('${this.directory}/keystone.sqlite').execute('pragma journal_mode=wal')`;
    execFileSync('/usr/bin/python3', ['-c', walMode]);
    const urls = ['public', 'internal', 'admin'].flatMap((name) => [`--bootstrap-${name}-url`, this.url]);
    this.#manage('bootstrap', '--bootstrap-password', adminPassword, '--bootstrap-region-id', 'RegionOne', ...urls);
    await this.start();
  }

  /** For the next start. */
  configure({ tokenSeconds = 3600, model = 'flat' }: { tokenSeconds?: number; model?: 'flat' | 'strict_two_level' }): void {
    const conf = {
      database: { connection: `sqlite:///${this.directory}/keystone.sqlite` },
      token: { provider: 'fernet', expiration: tokenSeconds },
      fernet_tokens: { key_repository: join(this.directory, 'keys') },
      fernet_receipts: { key_repository: join(this.directory, 'keys') },
      credential: { key_repository: join(this.directory, 'credentials') },
      identity: { password_hash_rounds: 4 },
      unified_limit: { enforcement_model: model },
    };
    const sections = Object.entries(conf).map(([name, values]) => [`[${name}]`, ...Object.entries(values).map((pair) => pair.join(' = '))]);
    writeFileSync(join(this.directory, 'keystone.conf'), `${sections.flat().join('\n')}\n`);
    const code = 'from keystone.server.wsgi import initialize_public_application as make\napplication = make()\n';
    writeFileSync(join(this.directory, 'app.py'), code);
  }

  #manage(...command: string[]): void {
    execFileSync('keystone-manage', ['--config-file', join(this.directory, 'keystone.conf'), ...command], { stdio: 'ignore' });
  }

  /** A process group of its own, so that all its workers can be stopped at once. */
  async start(): Promise<void> {
    const flags = ['--http-keepalive', '--master', '--enable-threads', '--lazy-apps', '--disable-logging', '--die-on-term'];
    this.#server = spawn(
      'uwsgi',
      [
        '--plugins',
        'http,python3',
        '--http',
        `127.0.0.1:${this.#port}`,
        ...flags,
        '--processes',
        '2',
        '--wsgi-file',
        join(this.directory, 'app.py'),
      ],
      {
        detached: true,
        stdio: 'ignore',
        env: { ...process.env, OS_KEYSTONE_CONFIG_FILES: 'keystone.conf', OS_KEYSTONE_CONFIG_DIR: this.directory },
      },
    );
    for (let tries = 0; tries < 240; tries++) {
      const answer = await fetch(this.url, { headers: json }).catch(() => null);
      if (answer?.ok) return;
      await pause(250);
    }
    throw new Error('Keystone does not answer');
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (!server || server.exitCode !== null) return;
    this.signal('SIGCONT');
    this.signal('SIGKILL');
    await once(server, 'exit');
  }

  /** SIGSTOP lets it accept connections and answer nothing; SIGCONT lets it go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
    if (this.#server?.pid !== undefined) process.kill(-this.#server.pid, signal);
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** The token of a user of the domain `default`. */
  async token(name: string, scope: Scope, password = `pass-of-${name}`): Promise<string> {
    const domain = { id: 'default' };
    const scopes = { domain: { domain }, system: { system: { all: true } }, unscoped: 'unscoped' };
    const identity = { methods: ['password'], password: { user: { name, domain, password } } };
    return this.logIn({ identity, scope: typeof scope === 'string' ? scopes[scope] : { project: { id: scope.project } } });
  }

  async logIn(auth: Json): Promise<string> {
    const answer = await fetch(`${this.url}/auth/tokens`, { method: 'POST', headers: json, body: JSON.stringify({ auth }) });
    const token = answer.headers.get('x-subject-token');
    if (token === null) throw new Error(`the log-in was answered with ${answer.status}: ${await answer.text()}`);
    return token;
  }

  /** A call of its API as the administrator, or with another token. */
  async call(method: string, path: string, body?: Json, headers: Record<string, string> = {}): Promise<Json> {
    const ask = () => {
      const all = { ...json, 'x-auth-token': this.#admin, ...headers };
      return fetch(this.url + path, { method, headers: all, ...(body && { body: JSON.stringify(body) }) });
    };
    let answer = await ask();
    if (answer.status === 401) {
      this.#admin = await this.token('admin', 'system', adminPassword);
      answer = await ask();
    }
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Json);
  }

  /** Makes something, such as a `user`, and returns its id. */
  async make(noun: string, attributes: Json): Promise<string> {
    const made = (await this.call('POST', `/${noun}s`, { [noun]: attributes })) as Record<string, { id: string }>;
    return made[noun]?.id ?? '';
  }
}

/** A connection for each request: none is left over from before a restart. */
const json = { 'content-type': 'application/json', connection: 'close' };
const idOf = (flag: string) => execFileSync('id', [flag]).toString().trim();

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}
