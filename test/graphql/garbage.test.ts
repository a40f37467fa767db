// Examination. A request leaves no garbage that only a full collection frees, and its document takes little more than its text.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('kept-by-requests.ts', import.meta.url));

/** The bytes by which the heap of a process grows. */
async function keptBy(...what: number[]): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', '--import', 'tsx', script, ...what.map(String)]);
  return Number(stdout);
}

test('a young collection frees the scope of a request once its answer is sent', async () => {
  // Ten kilobytes that only the scope of a request references.
  const [requests, numbers] = [2000, 1250];
  expect(await keptBy(requests, numbers)).toBeLessThan((requests * numbers * 8) / 2);
});

test('a document with thousands of comments is kept without its tokens', async () => {
  const [requests, comments] = [600, 5000];
  expect(await keptBy(requests, 0, comments)).toBeLessThan(requests * comments * 2 * 2);
});
