// Writes the list of all packages that are installed with the gateway (SBOM, as CycloneDX) to the given file, or to standard output. npm makes it from the lock
// without development dependencies: from the whole lock, it would leave out packages that development shares.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { productionLock, readLock } from './production-packages.ts';

const scratch = await mkdtemp(join(tmpdir(), 'placement-sbom-'));
try {
  const { devDependencies: _, ...manifest } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
  // npm names the subject of the list after the directory.
  const directory = join(scratch, manifest.name);
  await mkdir(directory);
  await writeFile(join(directory, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(directory, 'package-lock.json'), JSON.stringify(productionLock(await readLock())));
  const { stdout } = await promisify(execFile)(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'],
    { cwd: directory, maxBuffer: 64 * 1024 * 1024 },
  );
  const [, , file] = process.argv;
  if (file) await writeFile(file, stdout);
  else process.stdout.write(stdout);
} finally {
  await rm(scratch, { recursive: true });
}
