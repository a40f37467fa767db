// Examination. The command `import URL` as an operator runs it: with the tokens of the gateway's service user, to its last line and exit code.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { socketOf } from '../support/database.ts';
import { type FailingWire, layFailingWire } from '../support/failing-wire.ts';
import { type FakeKeystone, settingsFor, startFakeKeystone } from '../support/fake-keystone.ts';
import { program } from '../support/program.ts';
import { cell, host, useImport } from '../support/small-placement.ts';

const importing = useImport();
let wire: FailingWire;
let keystone: FakeKeystone;
beforeEach(async () => {
  wire = await layFailingWire(socketOf(importing.database.target));
  keystone = await startFakeKeystone();
  importing.placement.cloud.accepts = (sent) => sent.startsWith('own-');
});
afterEach(async () => {
  await keystone.close();
  await wire.close();
});

async function runImport(environment: Readonly<Record<string, string>>) {
  const DATABASE_URL = 'url' in wire.target ? wire.target.url : '';
  const env = { PATH: process.env.PATH, HOME: tmpdir(), DATABASE_URL, ...environment };
  const child = spawn(process.execPath, [program, 'import', importing.placement.url], { env });
  let [out, err] = ['', ''];
  child.stdout.on('data', (data) => {
    out += data;
  });
  child.stderr.on('data', (data) => {
    err += data;
  });
  const [code] = await once(child, 'close');
  return { code, out, err };
}

test('import takes the tokens of the service user, says where it reads and counts both sides', async () => {
  const { code, out, err } = await runImport(settingsFor(keystone));
  expect(code, err).toBe(0);
  expect(out).toContain(`reading ${importing.placement.url} with microversion 1.39\n`);
  expect(out).toMatch(/4 providers and 2 consumers there, 4 and 2 here; 9 written, 0 differences\.\n$/);
});

test('import fails if the other Placement has something that cannot be imported', async () => {
  for (const provider of importing.placement.cloud.providers) if (provider.uuid === host) provider.parent = cell;
  const { code, out, err } = await runImport(settingsFor(keystone));
  expect(code).toBe(1);
  expect(out).toMatch(/4 providers and 2 consumers there, 1 and 0 here; \d+ written, 6 differences\.\n$/);
  expect(err).toContain('the import differs in 6 places: correct there what the lines above name');
});
