// Builds the web pages into dist/ui, unless they were already built from the same sources.
// Compares contents, not times: those of a fresh clone or a restored cache are arbitrary.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const output = join(root, 'dist/ui');
const stamp = join(output, '.built-from');

/** A hash of all inputs of the build. */
function sourceHash() {
  const pages = readdirSync(join(root, 'src/ui'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash('sha256');
  for (const file of [...pages, join(root, 'tools/vite.config.ts'), join(root, 'package-lock.json')]) {
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

async function loadVite() {
  try {
    return await import('vite');
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}

const source = sourceHash();
const fresh = existsSync(join(output, 'index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === source;
if (!fresh) {
  const vite = await loadVite();
  if (vite) {
    // With the NODE_ENV of some callers, such as a test runner, Vite would bundle the development build of React.
    process.env.NODE_ENV = 'production';
    console.log('building the explorer ...');
    // Only Vite's output: the compiler may have put modules of src/ui here. The stamp is written last, so that an interrupted
    // build is never taken for a complete one.
    for (const made of ['.built-from', 'index.html', 'assets']) rmSync(join(output, made), { recursive: true, force: true });
    await vite.build({ configFile: join(root, 'tools/vite.config.ts'), logLevel: 'error' });
    writeFileSync(stamp, source);
  } else {
    console.error('cannot build the explorer: vite is not installed. Run `npm ci` with development dependencies, then `npm run build`.');
    process.exitCode = 1;
  }
}
