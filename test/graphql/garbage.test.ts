// Examination. A request leaves no garbage that only a full collection frees.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('kept-by-requests.ts', import.meta.url));
const requests = 2000;
/** Ten kilobytes that only the scope of a request references. */
const numbers = 1250;

test('a young collection frees the scope of a request once its answer is sent', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', '--import', 'tsx', script, `${requests}`, `${numbers}`]);
  expect(Number(stdout)).toBeLessThan((requests * numbers * 8) / 2);
});
