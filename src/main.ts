// The process: its commands, settings and exit codes (0 success, 1 failure, 2 usage error). The only reader of process.env.
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { PolicyFault } from './auth/policy/effective.ts';
import { readPolicy } from './auth/policy/open.ts';
import { runAudit } from './commands/audit.ts';
import { loadDemo } from './commands/demo.ts';
import { runImport } from './commands/import.ts';
import { type CheckFlags, checkPolicy, PolicyQuestionFault, showPolicy } from './commands/policy.ts';
import { runPruneEvents } from './commands/prune-events.ts';
import { runStatus } from './commands/status.ts';
import { addToken, listTokens, revokeToken, tokenOptions } from './commands/token.ts';
import { createLogger } from './logging.ts';
import { findDatabase, openMigrated, openPools, type Started } from './opening.ts';
import { closeAtEnd, end, endOnSignals, exitCodes, printError, showStacks } from './process-end.ts';
import { serve } from './serve.ts';
import { readSettings, type Settings, SettingsError, settingDescriptions, settingsTable } from './settings.ts';
import { numberVariable } from './workers/messages.ts';

function createProgram(): Command {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  const program = new Command('placement-gateway')
    .description('Placement and resource inventory as a GraphQL API over Postgres.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(--help lists the commands and settings)')
    .addHelpText('afterAll', `\nSettings, each as a variable or as a flag of any command:\n${settingsTable()}`);

  addCommand(
    program,
    'serve',
    'serve the API (what happens without a command)',
    (started, { demo }) => serve(started, { demo: demo === true }),
    { isDefault: true },
  ).option('--demo', 'load the demo cloud first, if there are no providers yet');
  addCommand(program, 'migrate', 'migrate the database to this version and exit', async (started) => {
    await openMigrated(started);
    started.print('The database is up to date.');
  });
  addCommand(program, 'demo', 'load the demo cloud into a database without providers and exit', async (started) => {
    const db = await openMigrated(started);
    const { loaded } = await loadDemo(db, started.print);
    if (!loaded) throw new Error('there are providers already: the demo cloud goes into an empty database only');
  });
  addCommand(program, 'import', 'take over everything from a running OpenStack Placement and compare', importAll)
    .argument('<url>', 'where the other Placement is, such as http://controller:8778')
    .option('--token <token>', 'its X-Auth-Token of an administrator; or the variable OS_TOKEN');
  addCommand(program, 'audit', 'recompute what the database keeps and replay the events; fails on a difference', async (started) => {
    const db = await openMigrated(started);
    const { differences } = await runAudit(db, started.print);
    if (differences > 0) throw new Error(`${differences} differences`);
  });
  addCommand(program, 'status', 'show the state of the database and exit; fails if it must be migrated', async (started) => {
    const { upToDate } = await runStatus(openPools(started.settings, await findDatabase(started)), started.print, started.settings);
    if (!upToDate) throw new Error('the database is not up to date');
  });
  addTokenCommands(program);
  addPolicyCommands(program);
  const events = program.command('events').description('the ledger of events');
  addCommand(events, 'prune', 'drop old events in whole chunks and exit', prune)
    .option('--older-than <days>', 'how old all events of a chunk must be; the default is PLACEMENT_EVENT_RETENTION_DAYS')
    .option('--dry-run', 'only say what would be dropped');
  return program;
}

type Action = (started: Started, options: Record<string, unknown>, args: string[]) => Promise<void>;

async function importAll(started: Started, { token }: Record<string, unknown>, [url = '']: string[]): Promise<void> {
  const given = typeof token === 'string' ? token : process.env.OS_TOKEN;
  if (!given) throw new SettingsError(['import needs --token, or OS_TOKEN in the environment']);
  const db = await openMigrated(started);
  const { providers, consumers, written, differences } = await runImport(db, { url, token: given, report: started.print });
  started.print(`${providers} providers and ${consumers} consumers there; ${written} written, ${differences} differences.`);
  if (differences > 0) throw new Error(`what was imported differs in ${differences} places: run it again when the other side is quiet`);
}

function addTokenCommands(program: Command): void {
  const token = program.command('token').description('add, list or revoke static tokens, in the file PLACEMENT_TOKENS_FILE');
  const add = addCommand(token, 'add', 'add a token and print it; it cannot be shown again', async (started) => {
    const { user, project = null, role: roles, expires: expiresAt } = add.opts<TokenFlags>();
    const { token: created, added } = await addToken(tokensFileOf(started), { user, project, roles, expiresAt });
    // Standard output is the token alone, for scripts.
    process.stderr.write(
      `The token ${added.id} of ${user} was added, with the roles ${roles.join(', ')}; it expires ${expiresAt ?? 'never'}:\n`,
    );
    started.print(created);
  })
    .requiredOption('--user <name>', 'who the token is, as events will say', tokenOptions.name)
    .option('--project <name>', 'its project', tokenOptions.name)
    .requiredOption('--role <role>', 'such as admin, service or reader; can be given several times', tokenOptions.role)
    .requiredOption('--expires <when>', 'days such as 90d, a day or moment such as 2027-01-31, or never', tokenOptions.expiry);
  addCommand(token, 'list', 'show all tokens: id, user, project, roles, created, expires', async (started) => {
    for (const line of await listTokens(tokensFileOf(started))) started.print(line);
  });
  addCommand(token, 'revoke', 'revoke a token; gateways notice within seconds', async (started, _options, [id = '']) => {
    await revokeToken(tokensFileOf(started), id);
    started.print('The token was revoked.');
  }).argument('<id>', 'as list shows it');
}

/** The options of `token add`, as their parsers return them. */
interface TokenFlags {
  readonly user: string;
  readonly project?: string;
  readonly role: readonly string[];
  readonly expires: string | null;
}

function tokensFileOf({ settings: { tokensFile } }: Started): string {
  if (tokensFile === null) throw new SettingsError(['this needs PLACEMENT_TOKENS_FILE or --tokens-file, the file of the tokens']);
  return tokensFile;
}

function addPolicyCommands(program: Command): void {
  const policy = program.command('policy').description('the rules of access: what is in effect, and who may do what');
  addCommand(policy, 'show', 'print the rules in effect: name, check, and where each is from', async ({ settings, print }, { json }) => {
    for (const line of showPolicy(await asUsage(readPolicy(settings)), { asJson: json === true })) print(line);
  }).option('--json', 'as JSON, with what each rule allows and guards');
  addCommand(policy, 'check', 'say whether a caller may do something, and by which rule', async ({ settings, print }, flags, operation) => {
    const { policyEnforceScope: enforcesScope, tokensFile } = settings;
    const rules = await asUsage(readPolicy(settings));
    const answer = await asUsage(checkPolicy(rules, operation, flags as CheckFlags, { enforcesScope, tokensFile }));
    for (const line of answer.lines) print(line);
    if (!answer.isAllowed) await end(exitCodes.failed);
  })
    .argument('[operation...]', 'a method and a path of REST, or a field of GraphQL such as Query.consumers')
    .option('--rule <name>', 'the rule, instead of a method and a path')
    .option('--user <id>', 'the caller')
    .option('--project <id>', 'the project of its token')
    .option('--domain <id>', 'the domain of its token')
    .option('--system', 'its token is for the system')
    .option('--roles <list>', 'its roles, with commas between')
    .option('--token-id <id>', 'a static token instead, by its id')
    .option(
      '--target <name=value>',
      'what is asked about, such as project_id=web-shop; can be given several times',
      (pair: string, before: string[] = []) => [...before, pair],
    )
    .addHelpText(
      'after',
      `
Exits with 0 if it is allowed, with 1 if it is denied, with 2 if the question or the rules cannot be read.

  $ placement-gateway policy check GET '/usages?project_id=blue' --roles reader --project blue
  allowed: placement:usages (default)
    yes rule:admin_or_project_reader_or_service_api (default)
      yes (role:admin or rule:project_reader_api or role:service)
        no  role:admin
        yes rule:project_reader_api (default)
          yes (role:reader and project_id:%(project_id)s)
            yes role:reader
            yes project_id:%(project_id)s
        no  role:service`,
    );
}

/** Rules and questions that cannot be read are a usage error, so that they are not taken for a denial. */
async function asUsage<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((error: unknown) => {
    throw error instanceof PolicyFault || error instanceof PolicyQuestionFault ? new SettingsError([error.message]) : error;
  });
}

async function prune(started: Started, { olderThan, dryRun }: Record<string, unknown>): Promise<void> {
  const days = typeof olderThan === 'string' ? Number(olderThan) : started.settings.eventRetentionDays;
  if (days === null) throw new SettingsError(['events are kept forever: events prune needs --older-than']);
  if (!Number.isInteger(days) || days < 1 || days > 36_500) {
    throw new SettingsError([`--older-than=${JSON.stringify(olderThan)} must be a whole number of days from 1 to 36500`]);
  }
  await runPruneEvents(await openMigrated(started), { olderThanDays: days, dryRun: dryRun === true }, started.print);
}

/** A command with all settings as hidden flags: the program's help lists them once. */
function addCommand(parent: Command, name: string, description: string, action: Action, { isDefault = false } = {}): Command {
  const command = parent.command(name, { isDefault }).description(description).allowExcessArguments(false);
  for (const { flag, argument, meaning } of settingDescriptions) {
    command.addOption(command.createOption(`--${flag} <${argument}>`, meaning).hideHelp());
  }
  return command.action(async () => {
    const options = command.opts<Record<string, unknown>>();
    await action(prepare(options), options, command.args);
    if (name !== 'serve') await end(exitCodes.done);
  });
}

function prepare(options: Record<string, unknown>): Started {
  const flags: Partial<Record<keyof Settings, string>> = {};
  for (const { key, flag } of settingDescriptions) {
    const value = options[flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
    if (typeof value === 'string') flags[key] = value;
  }
  const { settings, warnings } = readSettings(process.env, flags);
  if (settings.logLevel === 'debug' || settings.logLevel === 'trace') showStacks();
  const worker = process.env[numberVariable];
  const { log, flush } = createLogger({
    level: settings.logLevel,
    forTerminal: process.stderr.isTTY,
    ...(worker !== undefined && { worker: Number(worker) }),
  });
  closeAtEnd(async () => flush());
  endOnSignals(log);
  if (worker === undefined) for (const warning of warnings) log.warn(warning);
  return { settings, log, print: (line) => process.stdout.write(`${line}\n`) };
}

try {
  await createProgram().parseAsync();
} catch (error) {
  // Commander has already printed a message.
  if (error instanceof CommanderError) await end(error.exitCode === 0 ? exitCodes.done : exitCodes.usage);
  printError(error);
  await end(error instanceof SettingsError ? exitCodes.usage : exitCodes.failed);
}
