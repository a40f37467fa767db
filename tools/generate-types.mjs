// Makes the modules that are not in version control: the types that resolvers are checked against, the documents of the dashboard, and its addresses. Does
// nothing if they were made from the same sources. Compares contents, not times: those of a fresh clone are arbitrary.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = join(root, 'dist/.types-made-from');
const filesIn = (directory) =>
  readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' }).map((name) => `${directory}/${name}`);

/** A module and everything that it imports, directly or not, types aside. */
function modulesOf(name, known = new Set()) {
  if (known.has(name)) return known;
  known.add(name);
  const imports = readFileSync(join(root, name), 'utf8').matchAll(/^import (?!type )[^;]*?'(\.[^']+)';/gm);
  for (const [, path] of imports) modulesOf(join(dirname(name), path), known);
  return known;
}

const documents = filesIn('src/ui/dashboard').filter((name) => name.endsWith('.graphql'));
const modules = documents.filter((name) => !name.endsWith('/fragments.graphql')).map((name) => name.replace(/\.graphql$/, '.generated.ts'));
const sources = [
  ...filesIn('src/graphql/schema').filter((name) => name.endsWith('.graphql')),
  ...documents,
  ...modulesOf('tools/codegen.ts'),
  ...['src/ui/dashboard/shell/pages.ts', 'package-lock.json'],
].sort();
const hash = createHash('sha256');
for (const name of sources)
  hash
    .update(name)
    .update('\0')
    .update(readFileSync(join(root, name)))
    .update('\0');
const source = hash.digest('hex');

const isFresh =
  existsSync(stamp) &&
  readFileSync(stamp, 'utf8') === source &&
  ['src/graphql/schema.generated.ts', 'src/web/dashboard-pages.generated.ts', ...modules].every((name) => existsSync(join(root, name)));
if (!isFresh) {
  execFileSync(process.execPath, ['--import', 'tsx', join(root, 'tools/codegen.ts'), '--types'], { cwd: root, stdio: 'inherit' });
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stamp, source);
}
