// Compares schema.graphql with the contract of the last release in releases/, and exits with 1 if CHANGELOG.md does not name a difference that
// clients would notice. With --release it instead stores the current contract, and the parts of the database that gateways rely on, for the version in
// package.json; once only.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { buildSchema } from 'graphql';
import { readRelease } from '../src/db/schema/release.ts';
import { findContractChanges, latestRelease, untoldChanges } from './contract-changes.ts';
import { databaseOf } from './release-of-database.ts';

const root = new URL('../', import.meta.url);
const read = (name: string) => readFile(new URL(name, root), 'utf8');

const contract = await read('schema.graphql');
if (process.argv.includes('--release')) {
  const { version } = JSON.parse(await read('package.json')) as { version: string };
  await mkdir(new URL(`releases/${version}`, root), { recursive: true });
  await writeFile(new URL(`releases/${version}/contract.graphql`, root), contract, { flag: 'wx' });
  await writeFile(new URL(`releases/${version}/database.json`, root), `${JSON.stringify(databaseOf(readRelease()), null, 2)}\n`, {
    flag: 'wx',
  });
  console.log(`releases/${version}/contract.graphql is the contract that the next release is compared with.`);
} else {
  const released = latestRelease(await readdir(new URL('releases/', root)));
  if (released === null) {
    console.log('There is no release to compare the contract with.');
  } else {
    const changes = findContractChanges(buildSchema(await read(`releases/${released}/contract.graphql`)), buildSchema(contract));
    const untold = untoldChanges(changes, await read('CHANGELOG.md'), released);
    for (const { severity, coordinate, description } of untold)
      console.error(`${severity} since ${released}: \`${coordinate}\`: ${description}`);
    if (untold.length > 0) {
      console.error('Revert these changes, or name each in the unreleased section of CHANGELOG.md (releases/README.md says how).');
      process.exitCode = 1;
    }
  }
}
