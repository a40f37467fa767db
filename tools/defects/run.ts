// `npm run defects [-- WORD…]`: plants each defect (with one of these words in its name or file) alone in a copy of the tree, and runs its tests there. Without a defect
// they must pass, with it one must fail. Exits with 1 if a defect is missed, or is stale because its text is not there any more.
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { core } from './core.ts';
import { type Defect, planted } from './defect.ts';
import { ofReservations } from './reservations.ts';
import { ofSharedCalls } from './shared-calls.ts';
import { surfaces } from './surfaces.ts';

/** What vitest reports, as far as it is read. */
interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'placement-defects-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true, maxRetries: 5 }));
let running: ChildProcess | undefined;
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isStopped = true;
    // With the gateways and databases that the tests have started.
    if (running?.pid !== undefined) process.kill(-running.pid, 'SIGINT');
  });
}

/** Runs test files in the copy until one test fails. Returns the name of that test; null if all passed. Throws if they could not run. */
async function failureIn(tests: readonly string[]): Promise<string | null> {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--reporter=json', `--outputFile=${report}`, ...tests];
  const output: Buffer[] = [];
  const status = await new Promise<number | null>((resolve) => {
    running = spawn(process.execPath, vitest, { cwd: copy, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }).on('close', resolve);
    running.stdout?.on('data', (bytes: Buffer) => output.push(bytes));
    running.stderr?.on('data', (bytes: Buffer) => output.push(bytes));
  });
  if (isStopped) throw new Error('stopped');
  const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const failed = testResults.flatMap(({ assertionResults }) => assertionResults).find((test) => test.status === 'failed');
  if (failed) return failed.fullName;
  if (status === 0 && numPassedTests > 0) return null;
  throw new Error(`the tests did not run: ${testResults.find(({ message }) => message)?.message ?? Buffer.concat(output).toString()}`);
}

/** What became of a planted defect, in a line; true if it was caught. */
async function plant(defect: Defect): Promise<readonly [isCaught: boolean, words: string]> {
  const file = join(copy, defect.file);
  const sound = readFileSync(file, 'utf8');
  const changed = planted(sound, defect);
  if (changed === null) return [false, 'STALE'];
  try {
    writeFileSync(file, changed);
    const failed = await failureIn(defect.tests);
    return failed === null ? [false, 'MISSED'] : [true, `caught by "${failed}"`];
  } finally {
    writeFileSync(file, sound);
  }
}

const left = new Set(['node_modules', '.git']);
cpSync(root, copy, { recursive: true, filter: (path) => !left.has(basename(path)) });
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

const [, , ...words] = process.argv;
const isChosen = ({ name, file }: Defect) => words.length === 0 || words.some((word) => name.includes(word) || file.includes(word));
const chosen = [...core, ...ofReservations, ...ofSharedCalls, ...surfaces].filter(isChosen);
if (chosen.length === 0) throw new Error(`no defect has ${words.join(' or ')} in its name or file`);
const unfit = await failureIn([...new Set(chosen.flatMap(({ tests }) => tests))]);
if (unfit !== null) throw new Error(`without a defect, this test fails: ${unfit}`);
let caught = 0;
for (const defect of chosen) {
  const [isCaught, words] = await plant(defect);
  if (isCaught) caught += 1;
  console.log(`${defect.file}: ${defect.name}: ${words}`);
}
console.log(`${caught} of ${chosen.length} caught`);
process.exitCode = caught === chosen.length ? 0 : 1;
