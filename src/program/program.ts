// The command line: the program and its commands, in the order of the help.
import { readFileSync } from 'node:fs';
import { Argument, Command } from 'commander';
import { runBench } from '../commands/bench.ts';
import { completionScript, type Shell, shells } from '../commands/completion.ts';
import { SettingsError, settingsTable } from '../settings/settings.ts';
import { addPolicyCommands, addTokenCommands } from './access-commands.ts';
import { addBridgeCommands } from './bridge-commands.ts';
import { addCommand, type Outcome, type Process, type Running } from './command.ts';
import { addAudit, addDatabaseCommands, addEventCommands, addMigrate, addStatus, addUsage } from './database-commands.ts';
import { addDemo, addExport, addImport } from './state-commands.ts';

const additions = [
  ...[addServe, addMigrate, addDemo, addExport, addImport, addAudit, addUsage, addStatus, addBench],
  ...[addDatabaseCommands, addBridgeCommands, addTokenCommands, addPolicyCommands, addEventCommands, addCompletion],
];

export function createProgram(ours: Process): Command {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
  const program = new Command('placement-gateway')
    .description('Placement and resource inventory as a GraphQL API over Postgres.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(--help lists the commands and settings)')
    .addHelpText('afterAll', `\nSettings, each as a variable or as a flag of any command:\n${settingsTable()}`);
  for (const add of additions) add(ours, program);
  return program;
}

function addServe(ours: Process, program: Command): void {
  addCommand(ours, program, 'serve', {
    description: 'serve the API (the default command)',
    example: 'serve --demo --port 8778',
    action: async (running) => {
      // Loading the API takes three quarters of the time in which the other commands start.
      const { serve } = await import('../serving/serve.ts');
      await serve(running, { demo: running.flags.demo === true });
      return undefined;
    },
    isDefault: true,
  }).option('--demo', 'load the demo cloud first, if there are no providers yet');
}

function addBench(ours: Process, program: Command): void {
  addCommand(ours, program, 'bench', {
    description: 'measure this machine in a minute and compare it with known figures; uses a temporary database, never the configured one',
    example: 'bench\nsearches for candidates (REST): 4408.6 a second (median 1.5 ms, p99 5.3 ms), 0.98 of the known 4500\n…',
    action: (running) => bench(ours, running),
  }).option(
    '--beside',
    'use a temporary schema beside the configured one (DATABASE_URL), and drop it at the end; the bench then shares that server with others',
  );
}

async function bench(ours: Process, { settings, flags, print, progress }: Running): Promise<Outcome> {
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

function addCompletion(_ours: Process, program: Command): void {
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
}
