// The packages of an installation for use: those of package-lock.json that are not for development only.
import { readFile } from 'node:fs/promises';

interface LockedPackage {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

export interface Lock {
  readonly name: string;
  readonly version: string;
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** False for a package for another operating system or processor, which npm leaves out. */
  readonly isForThisMachine: boolean;
}

export async function readLock(): Promise<Lock> {
  return JSON.parse(await readFile(new URL('../package-lock.json', import.meta.url), 'utf8')) as Lock;
}

/** The lock without packages for development only: a complete lock by which npm installs the same packages for use. */
export function productionLock(lock: Lock): Lock {
  const { '': root, ...others } = lock.packages;
  if (!root) throw new Error('package-lock.json has no root package.');
  const { devDependencies: _, ...rootForUse } = root;
  return { ...lock, packages: { '': rootForUse, ...Object.fromEntries(Object.entries(others).filter(([, { dev }]) => !dev)) } };
}

/** The lock of these direct dependencies with all their own dependencies. */
export function lockBelow(lock: Lock, names: readonly string[]): Lock {
  const found = new Map<string, LockedPackage>();
  const open = names.map((name) => `node_modules/${name}`);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const locked = lock.packages[path];
    if (!locked || found.has(path)) continue;
    found.set(path, locked);
    for (const name of Object.keys(locked.dependencies ?? {})) open.push(resolvedFrom(lock, path, name));
  }
  return { ...lock, packages: Object.fromEntries(found) };
}

/** Where Node finds a package that another one imports: beside it, or beside one of its enclosing packages. */
function resolvedFrom({ packages }: Lock, path: string, name: string): string {
  for (let around = path; ; around = around.slice(0, Math.max(around.lastIndexOf('/node_modules/'), 0))) {
    const candidate = `${around}${around && '/'}node_modules/${name}`;
    if (candidate in packages || around === '') return candidate;
  }
}

/** One package for each name and version, sorted by name. */
export function packagesOf({ packages }: Lock): InstalledPackage[] {
  const listed = Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version, license = 'unknown', os, cpu }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      license,
      isForThisMachine: (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true),
    }));
  const byKey = new Map(listed.map((one) => [`${one.name}@${one.version}`, one]));
  return [...byKey.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
