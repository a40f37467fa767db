// A process that tries for the lock of a directory when told to, and lives on: see lock.test.ts.
import { takeLock } from '../../src/postgres/lock.ts';

process.on('message', () => {
  try {
    takeLock(process.argv[2] ?? '');
    process.send?.('held');
  } catch {
    process.send?.('refused');
  }
});
process.send?.('ready');
