// The program, for tests that run it as processes: it is built, because from its sources it takes twice as long to start. Vitest's globalSetup brings it up to date.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

export const program = `${root}dist/main.js`;

export default function build(): void {
  execFileSync(`${root}node_modules/.bin/tsc`, ['-p', 'src'], { cwd: root, stdio: 'inherit' });
}
