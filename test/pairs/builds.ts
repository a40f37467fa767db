// Builds the two releases that meet: the last one, from the commit that made it, and the one that follows it. Vitest's globalSetup.
// Until there is a release, the present sources stand for it. What follows is the present sources, and more of everything that a release may change.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { latestRelease } from '../../tools/contract-changes.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The directories of two builds. */
    builds: { last: string; next: string };
  }
}

const root = fileURLToPath(new URL('../../', import.meta.url));

export default function build(project: TestProject): () => void {
  const home = mkdtempSync(join(tmpdir(), 'placement-pairs-'));
  const last = join(home, 'last');
  const next = join(home, 'next');
  const released = latestRelease(readdirSync(join(root, 'releases')));
  if (released === null) copyPresent(last);
  else checkOut(commitOf(released), last);
  compile(last);
  copyPresent(next);
  compile(next);
  addWhatIsAllowed(next);
  project.provide('builds', { last, next });
  return () => rmSync(home, { recursive: true, force: true });
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 }).trim();

/** The commit that stored the promises of a release is the release. */
function commitOf(version: string): string {
  const [commit] = git('log', '--diff-filter=A', '--format=%H', '--', `releases/${version}/database.json`).split('\n');
  if (!commit) throw new Error(`the history has no commit that made release ${version}: is the clone shallow?`);
  return commit;
}

function checkOut(commit: string, directory: string): void {
  mkdirSync(directory);
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 256 * 2 ** 20 });
  execFileSync('tar', ['--extract', '--directory', directory], { input: archive });
  if (packagesOf(directory) === packagesOf(root)) linkPackages(directory);
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: directory, stdio: 'inherit' });
}

/** The packages that a build needs, as they are locked. */
function packagesOf(directory: string): string {
  const { packages } = JSON.parse(readFileSync(join(directory, 'package-lock.json'), 'utf8')) as { packages: Record<string, object> };
  const drivesBrowsers = 'node_modules/playwright-core';
  return JSON.stringify(Object.entries(packages).filter(([path]) => path !== '' && path !== drivesBrowsers));
}

/** With changes that are not committed. */
function copyPresent(directory: string): void {
  for (const path of git('ls-files', '--cached', '--others', '--exclude-standard').split('\n')) {
    if (!existsSync(join(root, path)) || /^(test|docs|bench)\//.test(path)) continue;
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    cpSync(join(root, path), join(directory, path));
  }
  linkPackages(directory);
}

function linkPackages(directory: string): void {
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
}

/** Without the pages, which take longest to build. */
function compile(directory: string): void {
  execFileSync(process.execPath, ['tools/generate-types.mjs'], { cwd: directory, stdio: 'inherit' });
  execFileSync(join(directory, 'node_modules/.bin/tsc'), ['-p', 'src'], { cwd: directory, stdio: 'inherit' });
}

/** Columns, a field more in answers, in what is kept and in events, and a form of a request beside the older one. */
function addWhatIsAllowed(directory: string): void {
  const edit = (path: string, change: (text: string) => string) => {
    const file = join(directory, path);
    const [before, after] = [readFileSync(file, 'utf8'), change(readFileSync(file, 'utf8'))];
    if (before === after) throw new Error(`nothing to change in ${path}`);
    writeFileSync(file, after);
  };
  writeFileSync(
    join(directory, 'drizzle/9999_later.sql'),
    'ALTER TABLE "inventories" ADD COLUMN "note" text;--> statement-breakpoint\nALTER TABLE "consumers" ADD COLUMN "note" text DEFAULT \'none\' NOT NULL;\n',
  );
  edit('drizzle/meta/_journal.json', (text) => {
    const journal = JSON.parse(text) as { entries: object[] };
    return JSON.stringify({
      ...journal,
      entries: [...journal.entries, { idx: 9999, version: '7', when: Date.now(), tag: '9999_later', breakpoints: true }],
    });
  });
  edit('drizzle/version.json', (text) => {
    const version = JSON.parse(text) as { version: number };
    return JSON.stringify({ ...version, version: version.version + 1, digest: 'later' });
  });
  edit('src/db/writes/functions/apply_write.sql', (text) => text.replace(`'{"form": 1}'`, `'{"form": 1, "more": true}'`));
  edit('src/db/writes/functions/claim_together.sql', (text) =>
    text
      .replace("'eventIds', event_ids,", "'eventIds', event_ids, 'more', true,")
      .replace("jsonb_build_object('consumers', part.changes,", "jsonb_build_object('more', true, 'consumers', part.changes,"),
  );
  edit('src/db/writes/steps/known_parts.sql', (text) =>
    text.replace("json_build_object('consumers', consumer.changes,", "json_build_object('more', true, 'consumers', consumer.changes,"),
  );
  edit('dist/db/writes/operations.js', (text) =>
    text.replace("event: 'CREATE_TRAIT',", "event: 'CREATE_TRAIT', form: 2, olderForms: { 1: 'create_trait' },"),
  );
}
