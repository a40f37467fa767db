// The commands that fill or read a whole database: the demo cloud, exports and imports.
import type { Command } from 'commander';
import { openOwnTokens } from '../auth/keystone/own-token.ts';
import { loadDemo } from '../commands/demo.ts';
import { runExport } from '../commands/export.ts';
import { type ImportOptions, runImport } from '../commands/import.ts';
import { importFile } from '../commands/import-file.ts';
import { total } from '../commands/state/format.ts';
import { openMigrated, openServed } from '../process/opening.ts';
import { keystoneFaults } from '../settings/keystone.ts';
import { type Settings, SettingsError } from '../settings/settings.ts';
import { addCommand, type Outcome, type Process, type Running } from './command.ts';

export function addDemo(ours: Process, program: Command): void {
  addCommand(ours, program, 'demo', {
    description: 'load the demo cloud into a database without providers and exit',
    example: 'demo --size 10000 --database-url postgres://placement@db/trial',
    action: loadCloud,
  }).option('--size <hosts>', 'the number of hosts, in hundreds, each with ten consumers; the default is 200');
}

async function loadCloud(running: Running): Promise<Outcome> {
  const { size = '200' } = running.flags;
  const hosts = Number(size);
  if (!Number.isInteger(hosts / 100) || hosts < 200 || hosts > 100_000) {
    throw new SettingsError([`--size=${JSON.stringify(size)} must be whole hundreds from 200 to 100000`]);
  }
  const { loaded } = await loadDemo(await openMigrated(running), running.print, { hosts, progress: running.progress });
  if (!loaded) throw new Error('the database already has providers: the demo cloud needs an empty one');
  return { report: { loaded, hosts } };
}

export function addExport(ours: Process, program: Command): void {
  addCommand(ours, program, 'export', {
    description: 'write the whole state of one moment to a file that import reads; it contains no events',
    example: 'export placement.ndjson',
    action: exportAll,
  }).argument('<file>', 'the file to write; an existing one is replaced once the new one is complete');
}

async function exportAll(running: Running): Promise<Outcome> {
  const [file = ''] = running.args;
  const { target } = await openServed(running);
  const counts = await runExport(target, file, running.progress);
  running.print(`${total(counts)} objects, of which ${counts.provider} providers and ${counts.consumer} consumers, are in ${file}.`);
  return { report: { file, counts } };
}

export function addImport(ours: Process, program: Command): void {
  addCommand(ours, program, 'import', {
    description: 'import everything from a running OpenStack Placement and compare, or from the file of an export',
    example: 'import https://placement.example --token TOKEN\n$ placement-gateway import placement.ndjson',
    action: async (running) => {
      const [source = ''] = running.args;
      return /^https?:/i.test(source) ? importFromPlacement(ours, running, source) : importFromFile(running, source);
    },
  })
    .argument('<source>', 'the URL of the other Placement, such as http://controller:8778, or a file')
    .option(
      '--token <token>',
      'the X-Auth-Token of an administrator of the other Placement; or the variable OS_TOKEN; the default is a token of the service user of PLACEMENT_KEYSTONE_AUTH_URL',
    )
    .option(
      '--catch-up',
      'after an import: apply what has changed in the other Placement since, deletions included, until nothing changes any more',
    )
    .option('--no-verify', 'skip the comparison of everything at the end')
    .option('--resume', 'continue with a file of which the database already has the beginning');
}

async function importFromPlacement(ours: Process, { flags, ...running }: Running, url: string): Promise<Outcome> {
  if (flags.resume === true) {
    throw new SettingsError(['--resume is for files: repeat an import from a Placement, or run it with --catch-up']);
  }
  const token = await openTokens(ours, running.settings, flags.token);
  const { catchUp, verify } = flags;
  const report = await runImport(await openMigrated(running), {
    url,
    token,
    report: running.print,
    progress: running.progress,
    catchUp: catchUp === true,
    verifies: verify !== false,
  });
  const { providers, consumers, here, written, differences, behind } = report;
  const compared = differences === null ? 'not compared' : `${differences} differences`;
  running.print(
    `${providers} providers and ${consumers} consumers there, ${here.providers} and ${here.consumers} here; ${written} written, ${compared}.`,
  );
  return { report, failure: failureOf(differences ?? 0, behind) };
}

/** A given token, or else those of the gateway's own service user, which are renewed. */
async function openTokens(ours: Process, settings: Settings, flag: unknown): Promise<ImportOptions['token']> {
  const given = typeof flag === 'string' ? flag : ours.environment.OS_TOKEN;
  if (given) return async () => given;
  const faults = keystoneFaults(settings);
  if (faults.length === 0) return openOwnTokens(settings);
  const missing = settings.keystoneAuthUrl === null ? '' : `, which is incomplete: ${faults.join('; ')}`;
  throw new SettingsError([
    `import needs --token, OS_TOKEN in the environment, or the service user of PLACEMENT_KEYSTONE_AUTH_URL${missing}`,
  ]);
}

function failureOf(differences: number, behind: number): string | undefined {
  if (differences > 0) {
    return `the import differs in ${differences} places: correct there what the lines above name, and run it again when the other Placement is quiet`;
  }
  return behind > 0
    ? `${behind} changes there are not here yet: the lines above name them, or the other Placement keeps changing`
    : undefined;
}

async function importFromFile(running: Running, file: string): Promise<Outcome> {
  const db = await openMigrated(running);
  const report = await importFile(db, { file, resume: running.flags.resume === true, progress: running.progress });
  const { counts, resumed } = report;
  running.print(
    `${counts.provider} providers and ${counts.consumer} consumers are imported${resumed > 0 ? `; ${resumed} objects were there already` : ''}.`,
  );
  return { report };
}
