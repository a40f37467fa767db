// Builds the web pages into dist/pages, with compressed copies beside the files, unless they were already built from the same sources.
// Compares contents, not times: those of a fresh clone or a restored cache are arbitrary.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const root = fileURLToPath(new URL('../..', import.meta.url));
const output = join(root, 'dist/pages');
const stamp = join(output, '.built-from');
const pages = ['dashboard', 'explorer'];

function filesIn(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** A hash of all inputs of the build. */
function sourceHash() {
  const sources = filesIn(join(root, 'src/ui')).sort();
  const hash = createHash('sha256');
  for (const file of [...sources, join(root, 'tools/vite.config.ts'), join(root, 'package-lock.json')]) {
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

/** Bytes beyond which the last few per cent are not worth the minutes they take, as for the editor of the explorer. */
const large = 1024 * 1024;

/** Writes compressed copies, which the gateway sends as they are. */
async function compress(file) {
  const content = readFileSync(file);
  const quality = content.length > large ? 6 : constants.BROTLI_MAX_QUALITY;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, { params }));
  writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
}

const source = sourceHash();
const isFresh =
  existsSync(stamp) && readFileSync(stamp, 'utf8') === source && pages.every((page) => existsSync(join(output, page, 'index.html')));
if (!isFresh) {
  const vite = await loadVite();
  if (vite) {
    // With the NODE_ENV of some callers, such as a test runner, Vite would bundle the development build of React.
    process.env.NODE_ENV = 'production';
    console.log('building the web pages ...');
    // The stamp is written last, so that an interrupted build is never taken for a complete one.
    rmSync(output, { recursive: true, force: true });
    for (const page of pages) {
      await vite.build({ configFile: join(root, 'tools/vite.config.ts'), mode: page, logLevel: 'error' });
      for (const file of filesIn(join(output, page))) await compress(file);
    }
    writeFileSync(stamp, source);
  } else {
    console.error('cannot build the web pages: vite is not installed. Run `npm ci` with development dependencies, then `npm run build`.');
    process.exitCode = 1;
  }
}
