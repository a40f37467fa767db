// Runs before each test file: a failing test reports how to repeat its random numbers. fast-check, which reports its own seed, takes the given one.
import { relative } from 'node:path';
import { afterEach } from 'vitest';
import { areDiceRolled } from './dice.ts';

if (process.env.TEST_SEED !== undefined) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ seed: Number(process.env.TEST_SEED) });
}

afterEach(({ task }) => {
  if (task.result?.state !== 'fail' || !areDiceRolled()) return;
  console.log(`the same dice again: TEST_SEED=${process.env.RUN_SEED} npx vitest run ${relative('.', task.file.filepath)}`);
});
