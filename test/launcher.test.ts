// bin/placement-gateway, which `npm start` and the installed command run, with a stand-in for the program that reports how it was started.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'placement launcher-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const program = `
  process.on('SIGTERM', () => process.exit(7));
  console.log(JSON.stringify({ pid: process.pid, options: process.execArgv, args: process.argv.slice(2) }));
  setInterval(() => {}, 1000);
`;
for (const directory of ['installed/bin', 'installed/dist', 'links']) mkdirSync(join(home, directory), { recursive: true });
copyFileSync(join(root, 'bin/placement-gateway'), join(home, 'installed/bin/placement-gateway'));
writeFileSync(join(home, 'installed/dist/main.js'), program);
symlinkSync('../installed/bin/placement-gateway', join(home, 'links/relative'));
symlinkSync(join(home, 'links/relative'), join(home, 'links/absolute'));

test.each(['installed/bin/placement-gateway', 'links/relative', 'links/absolute'])(
  'started as %s it is Node itself, with the options, the arguments and the signals',
  async (path) => {
    const child = spawn(join(home, path), ['serve', '--port', '0', 'two words'], {
      env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(child.stdout, 'data');
    expect(JSON.parse(String(line))).toEqual({
      pid: child.pid,
      options: [
        '--enable-source-maps',
        '--max-semi-space-size=32',
        '--no-allocation-site-pretenuring',
        '--heap-growing-percent=100',
        '--expose-gc',
      ],
      args: ['serve', '--port', '0', 'two words'],
    });
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([7, null]);
  },
);

test('npm start and the command that npm installs are the same', () => {
  const { bin, files, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect([bin['placement-gateway'], scripts.start]).toEqual(['bin/placement-gateway', 'bin/placement-gateway']);
  expect(files).toContain('bin');
});
