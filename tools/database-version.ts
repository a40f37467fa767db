// Raises the version in drizzle/version.json if a migration or a write function has changed since the last version.
// With --check it writes nothing and exits with 1 if the version must be raised.
import { writeFileSync } from 'node:fs';
import { readRelease, readVersion } from '../src/db/schema/release.ts';

const given = readVersion();
const { digest } = readRelease();
if (given.digest !== digest) {
  if (process.argv.includes('--check')) {
    console.error('drizzle/version.json does not match the migrations and functions. Run `npm run generate`.');
    process.exitCode = 1;
  } else {
    const raised = { version: given.version + 1, oldestServed: given.oldestServed, digest };
    writeFileSync(new URL('../drizzle/version.json', import.meta.url), `${JSON.stringify(raised, null, 2)}\n`);
  }
}
