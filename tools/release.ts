// Makes a release of the checkout: `npm run release -- 0.1.0 --tests "CI of 1a2b3c4, all passed"`. Dates the section of the changelog, stores the contract, packs,
// lists the packages, writes checksums, commits and tags. Publishes nothing. With --dry-run it only checks, and says what it would do.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

const root = fileURLToPath(new URL('../', import.meta.url));
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false }, tests: { type: 'string' }, to: { type: 'string' } },
});
const [version = ''] = positionals;
const tag = `v${version}`;
const destination = resolve(options.to ?? join(root, '..', `placement-gateway-${version}`));
const promises = `releases/${version}`;

async function run(command: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  return stdout.trim();
}
const read = (path: string) => readFile(join(root, path), 'utf8');
const write = (path: string, text: string) => writeFile(join(root, path), text);

/** The section of the version: its heading and its text. */
function sectionOf(changelog: string): { readonly heading: string; readonly lines: string } | null {
  const heading = `## ${version} (unreleased)\n`;
  const start = changelog.indexOf(heading);
  if (version === '' || start < 0) return null;
  const [lines = ''] = changelog.slice(start + heading.length).split(/^## /m);
  return { heading, lines: lines.trim() };
}

async function findProblems(changelog: string): Promise<string[]> {
  const problems: string[] = [];
  if (!/^\d+\.\d+\.\d+$/.test(version)) problems.push(`name the version, such as 0.1.0, not "${version}"`);
  if ((await run('git', 'status', '--porcelain')) !== '') problems.push('the checkout has changes: commit them first');
  if ((await run('git', 'tag', '--list', tag)) !== '') problems.push(`the tag ${tag} already exists`);
  if ((await readdir(join(root, 'releases'))).includes(version)) problems.push(`${promises} already exists`);
  const section = sectionOf(changelog);
  if (!section) problems.push(`CHANGELOG.md has no section "## ${version} (unreleased)"`);
  else if (!/^- /m.test(section.lines)) problems.push(`the section of ${version} in CHANGELOG.md has no entries`);
  if (!options.tests && !options['dry-run']) problems.push('say with --tests what was run, and how it ended: the tag will record it');
  const there = existsSync(destination) ? await readdir(destination) : [];
  if (there.length > 0) problems.push(`${destination} is not empty`);
  await run('npm', 'run', '--silent', 'check:contract').catch(({ stderr }: { stderr: string }) => problems.push(stderr.trim()));
  return problems;
}

/** Writes the version into both manifests, and the date into the changelog. */
async function dateChangelog(changelog: string, heading: string): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  await write('CHANGELOG.md', changelog.replace(heading, `## ${version} (${day})\n`));
  const manifest = await read('package.json');
  const { version: before } = JSON.parse(manifest) as { version: string };
  if (before === version) return;
  await write('package.json', manifest.replace(`"version": "${before}"`, `"version": "${version}"`));
  const lock = JSON.parse(await read('package-lock.json'));
  lock.version = version;
  lock.packages[''].version = version;
  await write('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
}

async function makeFiles(): Promise<void> {
  await mkdir(destination, { recursive: true });
  console.log(await run('npm', 'run', '--silent', 'pack', '--', destination));
  await run('npm', 'run', '--silent', 'sbom', '--', join(destination, `placement-gateway-${version}.cdx.json`));
  const sums = await Promise.all(
    (await readdir(destination)).sort().map(async (name) => {
      const hash = createHash('sha256').update(await readFile(join(destination, name)));
      return `${hash.digest('hex')}  ${basename(name)}\n`;
    }),
  );
  await writeFile(join(destination, 'SHA256SUMS'), sums.join(''));
}

const changelog = await read('CHANGELOG.md');
const problems = await findProblems(changelog);
const section = sectionOf(changelog);
if (problems.length > 0 || !section) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
} else if (options['dry-run']) {
  console.log(
    `${version} can be released: the section of CHANGELOG.md has ${section.lines.match(/^- /gm)?.length} entries, and ${promises} would be stored. ` +
      `The tag would be ${tag}, and the package, the list of its packages and their checksums would be in ${destination}. Nothing was changed.`,
  );
} else {
  try {
    await dateChangelog(changelog, section.heading);
    await run('npm', 'run', '--silent', 'release:contract');
    await run('npm', 'run', '--silent', 'release:conversation');
    await makeFiles();
  } catch (error) {
    await run('git', 'checkout', '--', '.');
    await rm(join(root, promises), { recursive: true, force: true });
    throw error;
  }
  await run('git', 'add', '--all');
  await run('git', 'commit', '--quiet', '--message', `Release ${version}`);
  await run(
    'git',
    'tag',
    '--annotate',
    '--cleanup',
    'verbatim',
    tag,
    '--message',
    `${version}\n\nTests: ${options.tests}\n\n${section.lines}\n`,
  );
  console.log(
    `${tag} is tagged. In ${destination}: ${(await readdir(destination)).sort().join(', ')}. Push the commit and the tag, and publish the package, when you are ready.`,
  );
}
