// A repository of its own with the sources as they are here, changes that are not committed included, to make releases of.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export const git = (directory: string, ...args: string[]) => execFileSync('git', args, { cwd: directory, encoding: 'utf8' }).trim();

/** The version to release in the copies: after all others. */
export const version = '9.9.9';

export function copySources(directory: string): void {
  for (const path of git(root, 'ls-files', '--cached', '--others', '--exclude-standard').split('\n')) {
    if (!existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    cpSync(join(root, path), join(directory, path));
  }
  // The pages are built again only if they differ.
  if (existsSync(join(root, 'dist/pages'))) cpSync(join(root, 'dist/pages'), join(directory, 'dist/pages'), { recursive: true });
  const changelog = join(directory, 'CHANGELOG.md');
  const section = `## ${version} (unreleased)\n\n### Packages\n\n- A release of the tests.\n\n`;
  writeFileSync(changelog, readFileSync(changelog, 'utf8').replace(/^(?=## )/m, section));
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  git(directory, 'init', '--quiet');
  writeFileSync(join(directory, '.git/info/exclude'), 'node_modules\n');
  git(directory, 'config', 'user.name', 'Tester');
  git(directory, 'config', 'user.email', 'tester@example.org');
  git(directory, 'add', '--all');
  git(directory, 'commit', '--quiet', '--message', 'Sources');
}
