// A check for developers: the migrations in drizzle/ match schema.ts, every database will apply them, and gateways of the last release can work beside
// them. Works offline: drizzle-kit compares the tables with its own last snapshot. Never reads a database.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRelease } from '../src/db/schema/release.ts';
import { latestRelease } from './contract-changes.ts';
import { type ReleasedDatabase, upgradeFaults } from './release-of-database.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const migrations = join(root, 'drizzle');

interface JournalEntry {
  readonly tag: string;
  /** Milliseconds since 1970. */
  readonly when: number;
}

const scratch = mkdtempSync(join(tmpdir(), 'placement-migrations-'));
try {
  const faults = [...journalFaults(), ...chainFaults(), ...pendingChanges(scratch), ...upgradeFaults(readRelease(), releasedDatabase())];
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** The database of the last release; null before the first. */
function releasedDatabase(): ReleasedDatabase | null {
  const released = latestRelease(readdirSync(join(root, 'releases')));
  return released === null
    ? null
    : (JSON.parse(readFileSync(join(root, `releases/${released}/database.json`), 'utf8')) as ReleasedDatabase);
}

/** A database applies only migrations newer than its last one: it would silently skip one that was merged late with an older time. */
function journalFaults(): string[] {
  const { entries } = JSON.parse(readFileSync(join(migrations, 'meta/_journal.json'), 'utf8')) as { entries: JournalEntry[] };
  const faults = entries.flatMap(({ tag, when }, index) => {
    const previous = entries[index - 1];
    return previous && previous.when >= when
      ? [`drizzle/meta/_journal.json: ${tag} is not newer than ${previous.tag}. Delete it and generate it again.`]
      : [];
  });
  const listed = new Set(entries.map(({ tag }) => `${tag}.sql`));
  const stray = readdirSync(migrations).filter((file) => file.endsWith('.sql') && !listed.has(file));
  return [...faults, ...stray.map((file) => `drizzle/${file} is not in the journal: no database would apply it.`)];
}

function chainFaults(): string[] {
  const { ok, output } = drizzleKit('check', '--dialect', 'postgresql', '--out', relative(root, migrations));
  return ok ? [] : [`drizzle-kit check failed:\n${output}`];
}

/** What `drizzle-kit generate` would add now, determined in a copy. */
function pendingChanges(copy: string): string[] {
  cpSync(migrations, copy, { recursive: true });
  const { ok, output } = drizzleKit(
    'generate',
    '--dialect',
    'postgresql',
    '--schema',
    './src/db/schema/schema.ts',
    '--out',
    relative(root, copy),
  );
  const known = new Set(readdirSync(migrations));
  const added = readdirSync(copy).filter((file) => !known.has(file));
  const advice = 'src/db/schema/schema.ts has changes without a migration. Run `npm run generate:migration`';
  if (added.length > 0) return added.map((file) => `${advice}; it would write:\n${readFileSync(join(copy, file), 'utf8')}`);
  // It also exits with 0 if it wanted to ask whether something was renamed but had no terminal.
  return ok && output.includes('No schema changes') ? [] : [`${advice}. drizzle-kit says:\n${output}`];
}

function drizzleKit(...args: string[]): { ok: boolean; output: string } {
  const { status, error, stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules/drizzle-kit/bin.cjs'), ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { ok: status === 0, output: error ? error.message : `${stdout}${stderr}` };
}
