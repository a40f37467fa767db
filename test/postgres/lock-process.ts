// A process that, when told to, tries for the lock of every directory in a directory, says which it got, and lives on: see lock.test.ts.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { takeLock } from '../../src/postgres/lock.ts';

const parent = process.argv[2] ?? '';

process.on('message', () => {
  const held = readdirSync(parent).filter((name) => {
    try {
      takeLock(join(parent, name));
      return true;
    } catch {
      return false;
    }
  });
  process.send?.(held);
});
process.send?.('ready');
