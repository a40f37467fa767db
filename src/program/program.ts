// The commands: what each is called, takes, says in its help and answers.
import { readFileSync } from 'node:fs';
import { Argument, Command } from 'commander';
import { runAudit } from '../commands/audit.ts';
import { runBench } from '../commands/bench.ts';
import { completionScript, type Shell, shells } from '../commands/completion.ts';
import { runDatabaseHealth } from '../commands/database-health.ts';
import { loadDemo } from '../commands/demo.ts';
import { runExport } from '../commands/export.ts';
import { runImport } from '../commands/import.ts';
import { importFile } from '../commands/import-file.ts';
import { runMigratePlan } from '../commands/migrate-plan.ts';
import { runPruneEvents } from '../commands/prune-events.ts';
import { total } from '../commands/state/format.ts';
import { runStatus, statusExitCodes } from '../commands/status.ts';
import { reasonNotToServe } from '../db/schema/database-version.ts';
import { readRelease } from '../db/schema/release.ts';
import { openForWholeTables } from '../db/sql/client.ts';
import { exitCodes, printError } from '../process/ending.ts';
import { findDatabase, openMigrated, openPools } from '../process/opening.ts';
import { serve } from '../serving/serve.ts';
import { SettingsError, settingsTable } from '../settings/settings.ts';
import { addPolicyCommands, addTokenCommands } from './access-commands.ts';
import { addCommand, type Outcome, type Process, type Running } from './command.ts';

export function createProgram(ours: Process): Command {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
  const program = new Command('placement-gateway')
    .description('Placement and resource inventory as a GraphQL API over Postgres.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(--help lists the commands and settings)')
    .addHelpText('afterAll', `\nSettings, each as a variable or as a flag of any command:\n${settingsTable()}`);

  addCommand(ours, program, 'serve', {
    description: 'serve the API (what happens without a command)',
    example: 'serve --demo --port 8778',
    action: async (running) => {
      await serve(running, { demo: running.flags.demo === true });
      return undefined;
    },
    isDefault: true,
  }).option('--demo', 'load the demo cloud first, if there are no providers yet');
  addCommand(ours, program, 'migrate', {
    description: 'migrate the database to this version and exit',
    example: 'migrate --plan --database-url postgres://placement_owner@db/placement',
    action: async (running) => {
      if (running.flags.plan === true) {
        return { report: await runMigratePlan(openPools(running.settings, await findDatabase(running)), running.print) };
      }
      await openMigrated(running);
      running.print('The database is up to date.');
      return { report: { version: readRelease().version } };
    },
  }).option('--plan', 'only say which migrations there would be, and which tables each would lock');
  addCommand(ours, program, 'demo', {
    description: 'load the demo cloud into a database without providers and exit',
    example: 'demo --size 10000 --database-url postgres://placement@db/trial',
    action: async (running) => {
      const { size = '200' } = running.flags;
      const hosts = Number(size);
      if (!Number.isInteger(hosts / 100) || hosts < 200 || hosts > 100_000) {
        throw new SettingsError([`--size=${JSON.stringify(size)} must be whole hundreds from 200 to 100000`]);
      }
      const { loaded } = await loadDemo(await openMigrated(running), running.print, { hosts, progress: running.progress });
      if (!loaded) throw new Error('there are providers already: the demo cloud goes into an empty database only');
      return { report: { loaded, hosts } };
    },
  }).option('--size <hosts>', 'how many hosts, in hundreds, each with ten consumers; the default is 200');
  addCommand(ours, program, 'export', {
    description: 'write the whole state, as of one moment, into a file that import reads; it has no events',
    example: 'export placement.ndjson',
    action: exportAll,
  }).argument('<file>', 'the file to write, or to replace when it is whole');
  addCommand(ours, program, 'import', {
    description: 'take over everything from a running OpenStack Placement and compare, or from the file of an export',
    example: 'import https://placement.example --token TOKEN\n$ placement-gateway import placement.ndjson',
    action: importAll,
  })
    .argument('<source>', 'the URL of the other Placement, such as http://controller:8778; or a file')
    .option('--token <token>', 'the X-Auth-Token of an administrator of the other Placement; or the variable OS_TOKEN')
    .option(
      '--catch-up',
      'after an import: follow what has changed in the other Placement since, until nothing has; what has gone there goes here',
    )
    .option('--no-verify', 'do not compare everything in the end')
    .option('--resume', 'go on with a file of which the database has a beginning');
  addCommand(ours, program, 'audit', {
    description: 'recompute what the database keeps and replay the events; fails on a difference',
    example: 'audit --fix\nuse of inventories: no differences\n…\nno differences',
    action: async (running) => {
      const report = await runAudit(await openMigrated(running, openForWholeTables), running.print, { fix: running.flags.fix === true });
      return { report, failure: report.differences > 0 ? `${report.differences} differences` : undefined };
    },
  }).option('--fix', 'put right what follows from other rows: the use of inventories, roots, and consumers that hold nothing');
  addCommand(ours, program, 'status', {
    description: 'check whether this release can serve from the database, and show its state',
    example: 'status --json',
    action: statusOf,
  }).addHelpText(
    'after',
    '\nExits as `placement-status upgrade check`: 0 when all is well, 1 for a warning, 2 for a failure, 255 when it could not be checked.',
  );
  addCommand(ours, program, 'bench', {
    description: 'measure this machine in a minute, beside known figures, on a database that is thrown away; never on the configured one',
    example: 'bench\nsearches for candidates (REST): 4408.6 a second (median 1.5 ms, p99 5.3 ms), 0.98 of the known 4500\n…',
    action: bench,
  }).option(
    '--beside',
    'in a schema of its own beside the configured one (DATABASE_URL), which is dropped at the end: it then shares that server with others',
  );
  const database = program.command('db').description('the database');
  addCommand(ours, database, 'health', {
    description:
      'advise on version, connections, autovacuum, dead rows, bloat, transactions and indexes; exits with 1 when there is advice',
    example: 'db health\nautovacuum: autovacuum is off, so tables only grow: set it to on and reload the server',
    action: async (running) => {
      const { readConnections, writeConnections } = running.settings;
      const db = openPools(running.settings, await findDatabase(running));
      const advice = await runDatabaseHealth(db, running.print, { wanted: readConnections + writeConnections });
      return { report: advice, exitCode: advice.length > 0 ? exitCodes.failed : exitCodes.done };
    },
  });
  addTokenCommands(program, ours);
  addPolicyCommands(program, ours);
  const events = program.command('events').description('the ledger of events');
  addCommand(ours, events, 'prune', {
    description: 'drop old events in whole chunks and exit',
    example: 'events prune --older-than 90 --dry-run',
    action: prune,
  })
    .option('--older-than <days>', 'how old all events of a chunk must be; the default is PLACEMENT_EVENT_RETENTION_DAYS')
    .option('--dry-run', 'only say what would be dropped');
  program
    .command('completion')
    .description('print a script that completes commands and flags in a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .option('--json', 'the script as JSON')
    .addHelpText('after', '\nExample:\n\n  $ placement-gateway completion bash > /etc/bash_completion.d/placement-gateway')
    .action((shell: Shell, { json }: { readonly json?: true }) => {
      const script = completionScript(program, shell);
      process.stdout.write(json ? `${JSON.stringify({ shell, script })}\n` : script);
    });
  return program;

  async function bench({ settings, flags, print, progress }: Running): Promise<Outcome> {
    const { databaseUrl } = settings;
    if (flags.beside === true && databaseUrl === null) throw new SettingsError(['--beside needs DATABASE_URL']);
    const [node = '', main = ''] = process.argv;
    return {
      report: await runBench({
        program: [node, ...process.execArgv, main],
        environment: ours.environment,
        databaseUrl: flags.beside === true ? databaseUrl : null,
        print,
        progress,
      }),
    };
  }

  async function importAll(running: Running): Promise<Outcome> {
    const { flags, args } = running;
    const [source = ''] = args;
    if (!/^https?:/i.test(source)) return importFrom(running, source);
    if (flags.resume === true)
      throw new SettingsError(['--resume is for files: an import from a Placement is just run again, or with --catch-up']);
    const token = typeof flags.token === 'string' ? flags.token : ours.environment.OS_TOKEN;
    if (!token) throw new SettingsError(['import needs --token, or OS_TOKEN in the environment']);
    const { catchUp, verify } = flags;
    const db = await openMigrated(running);
    const report = await runImport(db, {
      url: source,
      token,
      report: running.print,
      progress: running.progress,
      catchUp: catchUp === true,
      verifies: verify !== false,
    });
    const { providers, consumers, written, differences, behind = 0 } = report;
    const compared = differences === null ? 'not compared' : `${differences} differences`;
    running.print(
      `${providers} providers and ${consumers} consumers ${catchUp && differences === null ? 'read' : 'there'}; ${written} written, ${compared}.`,
    );
    return { report, failure: failureOf(differences ?? 0, behind) };
  }
}

function failureOf(differences: number, behind: number): string | undefined {
  if (differences > 0) return `what was imported differs in ${differences} places: run it again when the other side is quiet`;
  return behind > 0 ? `the other side goes on changing: ${behind} changes in the last pass` : undefined;
}

async function statusOf(running: Running): Promise<Outcome> {
  try {
    const status = await runStatus(openPools(running.settings, await findDatabase(running)), running.print, running.settings);
    return { report: status, exitCode: statusExitCodes[status.result] };
  } catch (error) {
    printError(error);
    return { report: { result: 'error' }, exitCode: statusExitCodes.error };
  }
}

async function exportAll(running: Running): Promise<Outcome> {
  const [file = ''] = running.args;
  const target = await findDatabase(running);
  const reason = await reasonNotToServe(openPools(running.settings, target).sql, readRelease());
  if (reason !== null) throw new Error(`${reason}: run migrate`);
  const counts = await runExport(target, file, running.progress);
  running.print(`${total(counts)} objects, of which ${counts.provider} providers and ${counts.consumer} consumers, are in ${file}.`);
  return { report: { file, counts } };
}

async function importFrom(running: Running, file: string): Promise<Outcome> {
  const db = await openMigrated(running);
  const report = await importFile(db, { file, resume: running.flags.resume === true, progress: running.progress });
  const { counts, resumed } = report;
  running.print(
    `${counts.provider} providers and ${counts.consumer} consumers are imported${resumed > 0 ? `; ${resumed} objects were there already` : ''}.`,
  );
  return { report };
}

async function prune({ flags: { olderThan, dryRun }, settings, ...running }: Running): Promise<Outcome> {
  const days = typeof olderThan === 'string' ? Number(olderThan) : settings.eventRetentionDays;
  if (days === null) throw new SettingsError(['events are kept forever: events prune needs --older-than']);
  if (!Number.isInteger(days) || days < 1 || days > 36_500) {
    throw new SettingsError([`--older-than=${JSON.stringify(olderThan)} must be a whole number of days from 1 to 36500`]);
  }
  await runPruneEvents(await openMigrated({ settings, ...running }), { olderThanDays: days, dryRun: dryRun === true }, running.print);
  return { report: { olderThanDays: days, dryRun: dryRun === true } };
}
