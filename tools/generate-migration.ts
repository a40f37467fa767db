// Writes the migration for changes of src/db/schema/schema.ts, without the schema name that drizzle-kit puts before the tables of foreign keys.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
execFileSync('node_modules/.bin/drizzle-kit', ['generate', '--config', 'tools/drizzle.config.ts', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
for (const file of readdirSync(`${root}drizzle`).filter((name) => name.endsWith('.sql'))) {
  const text = readFileSync(`${root}drizzle/${file}`, 'utf8');
  writeFileSync(`${root}drizzle/${file}`, text.replaceAll('"public".', ''));
}
