// The process: its commands, settings, signals and exit codes (0 success, 1 failure, 2 usage error). The only reader of process.env. Opens the
// database for a command, and closes everything in reverse order.
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import type { Logger } from 'pino';
import { PolicyFault } from './auth/policy/effective.ts';
import { readPolicy } from './auth/policy/open.ts';
import { runAudit } from './commands/audit.ts';
import { loadDemo } from './commands/demo.ts';
import { runImport } from './commands/import.ts';
import { type CheckFlags, checkPolicy, PolicyQuestionFault, showPolicy } from './commands/policy.ts';
import { runPruneEvents } from './commands/prune-events.ts';
import { runStatus } from './commands/status.ts';
import { addToken, listTokens, revokeToken, tokenOptions } from './commands/token.ts';
import { type MigrateOptions, migrate } from './db/schema/migrate.ts';
import { addressOf } from './db/sql/address.ts';
import { type DatabaseTarget, type Db, openDatabase } from './db/sql/client.ts';
import { createLogger } from './logging.ts';
import { rehearseSearches } from './operations/candidates/rehearsal.ts';
import { forestOf } from './operations/forest/forest.ts';
import { deleteExpired, findLedgerProblems } from './operations/ledger/housekeeping.ts';
import { startEmbeddedPostgres } from './postgres/launcher.ts';
import { startServer } from './server.ts';
import { effectiveSettings, readSettings, type Settings, SettingsError, settingDescriptions, settingsTable } from './settings.ts';
import { exampleQueries } from './ui/explorer/queries.ts';

const exitCodes = { done: 0, failed: 1, usage: 2 } as const;
const housekeepingPause = 10 * 60 * 1000;
/** Milliseconds between two background reads: after changes, and after none. */
const forestPause = { busy: 100, quiet: 1000 } as const;

/** Everything to close before the process exits, latest first. */
const closers: (() => Promise<void>)[] = [];
let ending: Promise<never> | undefined;
let isEnding = false;
let showsStacks = false;

/** The context of every command. */
interface Process {
  readonly settings: Settings;
  readonly log: Logger;
  /** Writes a line to standard output. */
  readonly print: (line: string) => void;
}

function createProgram(): Command {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  const program = new Command('placement-gateway')
    .description('Placement and resource inventory as a GraphQL API over Postgres.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(--help lists the commands and settings)')
    .addHelpText('afterAll', `\nSettings, each as a variable or as a flag of any command:\n${settingsTable()}`);

  addCommand(program, 'serve', 'serve the API (what happens without a command)', serve, { isDefault: true }).option(
    '--demo',
    'load the demo cloud first, if there are no providers yet',
  );
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
    const { upToDate } = await runStatus(openPools(started, await findDatabase(started)), started.print, started.settings);
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

type Action = (started: Process, options: Record<string, unknown>, args: string[]) => Promise<void>;

async function importAll(started: Process, { token }: Record<string, unknown>, [url = '']: string[]): Promise<void> {
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

function tokensFileOf({ settings: { tokensFile } }: Process): string {
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

async function prune(started: Process, { olderThan, dryRun }: Record<string, unknown>): Promise<void> {
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

function prepare(options: Record<string, unknown>): Process {
  const flags: Partial<Record<keyof Settings, string>> = {};
  for (const { key, flag } of settingDescriptions) {
    const value = options[flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
    if (typeof value === 'string') flags[key] = value;
  }
  const { settings, warnings } = readSettings(process.env, flags);
  showsStacks = settings.logLevel === 'debug' || settings.logLevel === 'trace';
  const { log, flush } = createLogger({ level: settings.logLevel, forTerminal: process.stderr.isTTY });
  closers.push(async () => flush());
  endOnSignals(log);
  for (const warning of warnings) log.warn(warning);
  return { settings, log, print: (line) => process.stdout.write(`${line}\n`) };
}

async function serve(started: Process, { demo }: Record<string, unknown>): Promise<void> {
  const { settings, log, print } = started;
  log.info({ settings: effectiveSettings(settings) }, 'starting');
  if (!settings.auth.includes('static') && settings.tokensFile !== null) {
    log.warn(`PLACEMENT_TOKENS_FILE has no effect with PLACEMENT_AUTH=${settings.auth.join()}: add static to it`);
  }
  const target = await findDatabase(started);
  const db = openPools(started, target);
  // It can be asked from the beginning why it does not serve yet: a migration may have to wait for hours.
  let starting: string | null = 'starting: the database is not migrated yet';
  const server = await startServer({ settings, db, log, whyStarting: () => starting });
  closers.push(server.close);
  // Without a file, hanging up ends the process as ever.
  if (!['off', 'stderr'].includes(settings.auditLog)) process.on('SIGHUP', server.reopenAuditLog);
  await Promise.all([migrateFor(started, target, { waitForOwner: true }), rehearseSearches()]);
  if (demo === true) await loadDemo(db, (line) => log.info(line));
  starting = null;
  scheduleHousekeeping(db, settings, log);
  keepForestUpToDate(db, log);
  log.info({ url: server.url }, 'listening');
  print(`\nplacement-gateway serves ${server.url}/graphql`);
  print(`Look at it at ${server.url}/ or explore it at ${server.url}/explorer\n`);
  if (demo === true) {
    print('Three queries to begin with, the first tabs of the explorer (or POST them to /graphql with the header X-Auth-Token: admin):\n');
    for (const { query } of exampleQueries) print(`${query}\n`);
  }
}

/** The configured database, migrated, with its pools; closed when the process exits. */
async function openMigrated(started: Process): Promise<Db> {
  const target = await findDatabase(started);
  await migrateFor(started, target);
  return openPools(started, target);
}

async function migrateFor(
  { settings, log }: Process,
  target: DatabaseTarget,
  options: Pick<MigrateOptions, 'waitForOwner'> = {},
): Promise<void> {
  const { databaseMigrationUrl: url, databaseSchema: schema } = settings;
  const owner = url === null ? target : { url, schema };
  await migrate(target, { ...options, owner, report: (line) => log.info(line), warn: (line) => log.warn(line) });
}

function openPools({ settings: { readConnections, writeConnections } }: Pick<Process, 'settings'>, target: DatabaseTarget): Db {
  const db = openDatabase(target, { readConnections, writeConnections });
  closers.push(db.close);
  return db;
}

async function findDatabase({ settings, log }: Pick<Process, 'settings' | 'log'>): Promise<DatabaseTarget> {
  const { databaseUrl: url, databasePasswordFile: passwordFile, databaseSchema: schema } = settings;
  if (url === null) return { ...(await startDatabase(settings, log)), schema };
  if (addressOf(url).isExposed) log.warn('connections to the database are not encrypted: add sslmode=verify-full to DATABASE_URL');
  return { url, schema, ...(passwordFile !== null && { passwordFile }) };
}

/** Prunes old data periodically; a failed round is logged, and the next one tries again. */
function scheduleHousekeeping(db: Db, { eventRetentionDays }: Settings, log: Logger): void {
  const keepHouse = async () => {
    const deleted = await deleteExpired(db, { eventRetentionDays });
    if (deleted.eventChunks > 0) log.info({ chunks: deleted.eventChunks }, 'old events dropped');
    log.debug({ deleted }, 'housekeeping');
    for (const problem of await findLedgerProblems(db, eventRetentionDays)) log.warn(problem);
  };
  const round = () => {
    keepHouse().catch((err: unknown) => log.warn({ err }, 'housekeeping failed'));
  };
  const timer = setInterval(round, housekeepingPause);
  closers.push(async () => clearInterval(timer));
}

/** Reads the forest now and its changes continuously, so that neither the first search nor one after a quiet period has to wait for a large read. */
function keepForestUpToDate(db: Db, log: Logger): void {
  const keeper = forestOf(db);
  keeper.report = (line) => log.info(line);
  let timer: NodeJS.Timeout;
  const refresh = async () => {
    const known = keeper.changeCount;
    await keeper.current().catch((err: unknown) => log.debug({ err }, 'reading ahead of the next search failed'));
    timer = setTimeout(refresh, keeper.changeCount === known ? forestPause.quiet : forestPause.busy).unref();
  };
  timer = setTimeout(refresh, 0);
  closers.push(async () => clearTimeout(timer));
}

async function startDatabase({ dataDirectory }: Settings, log: Logger): Promise<DatabaseTarget> {
  const database = await startEmbeddedPostgres({ dataDirectory, report: (line) => log.info(line) });
  closers.push(database.stop);
  database.onExit(() => {
    if (isEnding) return;
    log.fatal('the embedded database is gone');
    void end(exitCodes.failed);
  });
  return database.target;
}

/** SIGTERM and SIGINT close everything; a second one exits at once. An uncaught error ends the process, because its state is unknown. */
function endOnSignals(log: Logger): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isEnding) process.exit(exitCodes.failed);
      log.info({ signal }, 'stopping');
      void end(exitCodes.done);
    });
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (err: unknown) => {
      log.fatal({ err }, 'the process ends because of an uncaught error');
      void end(exitCodes.failed);
    });
  }
}

/** Closes everything, latest first, and exits. Safe to call again. */
function end(exitCode: number): Promise<never> {
  isEnding = true;
  ending ??= (async () => {
    let code = exitCode;
    for (const close of closers.toReversed()) {
      await close().catch((error: unknown) => {
        code = exitCodes.failed;
        printError(error);
      });
    }
    process.exit(code);
  })();
  return ending;
}

/** Prints the error in one line. */
function printError(error: unknown): void {
  process.stderr.write(`placement-gateway: ${messageOf(error).replaceAll('\n', ' ')}\n`);
  if (showsStacks && error instanceof Error) process.stderr.write(`${error.stack}\n`);
}

function messageOf(error: unknown): string {
  // Thrown when none of several addresses of a name answers; it has no message of its own.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}

try {
  await createProgram().parseAsync();
} catch (error) {
  // Commander has already printed a message.
  if (error instanceof CommanderError) await end(error.exitCode === 0 ? exitCodes.done : exitCodes.usage);
  printError(error);
  await end(error instanceof SettingsError ? exitCodes.usage : exitCodes.failed);
}
