// The commands of the database: its tables, its health, what it keeps, and the ledger of events.
import type { Command } from 'commander';
import { runAudit } from '../commands/audit.ts';
import { runDatabaseHealth } from '../commands/database-health.ts';
import { runMigratePlan } from '../commands/migrate-plan.ts';
import { runPruneEvents } from '../commands/prune-events.ts';
import { runStatus, statusExitCodes } from '../commands/status.ts';
import { runUsage } from '../commands/usage.ts';
import { readRelease } from '../db/schema/release.ts';
import { openForWholeTables } from '../db/sql/client.ts';
import { exitCodes, printError } from '../process/ending.ts';
import { findDatabase, findDatabaseToMigrate, migrateFor, openMigrated, openPools, openServed, usualPatience } from '../process/opening.ts';
import { SettingsError } from '../settings/settings.ts';
import { addCommand, type Outcome, type Process, type Running } from './command.ts';

export function addMigrate(ours: Process, program: Command): void {
  addCommand(ours, program, 'migrate', {
    description: 'migrate the database to this version and exit',
    example: 'migrate --plan --database-migration-url postgres://placement_owner@db/placement',
    action: async (running) => {
      const patience = patienceOf(running.flags.wait);
      const target = await findDatabaseToMigrate(running);
      if (running.flags.plan === true) return { report: await runMigratePlan(openPools(running.settings, target), running.print) };
      await migrateFor(running, target, { patience });
      running.print('The database is up to date.');
      return { report: { version: readRelease().version } };
    },
  })
    .option('--plan', 'only show which migrations would run, and which tables each would lock')
    .option(
      '--wait <seconds>',
      `how long it may wait for others, or forever; then it exits with ${exitCodes.waited}. The default is ${usualPatience / 1000}`,
    );
}

/** In milliseconds. */
function patienceOf(wait: unknown): number {
  if (wait === undefined) return usualPatience;
  if (wait === 'forever') return Number.POSITIVE_INFINITY;
  const seconds = typeof wait === 'string' && /^\d{1,5}$/.test(wait) ? Number(wait) : Number.NaN;
  if (!(seconds <= 86_400))
    throw new SettingsError([`--wait=${JSON.stringify(wait)} must be a whole number of seconds from 0 to 86400, or forever`]);
  return seconds * 1000;
}

export function addAudit(ours: Process, program: Command): void {
  addCommand(ours, program, 'audit', {
    description: 'recompute what the database keeps and replay the events; a difference is a failure',
    example: 'audit --fix\nuse of inventories: no differences\n…\nno differences',
    action: async (running) => {
      const report = await runAudit(await openMigrated(running, openForWholeTables), running.print, { fix: running.flags.fix === true });
      return { report, failure: report.differences > 0 ? `${report.differences} differences` : undefined };
    },
  }).option('--fix', 'correct what follows from other rows: the use of inventories, roots, and consumers that hold nothing');
}

export function addUsage(ours: Process, program: Command): void {
  addCommand(ours, program, 'usage', {
    description: 'add up what each project held over a period, in amounts times hours, from the events',
    example: 'usage --from 2026-11-01 --to 2026-12-01 --csv\nproject,consumer_type,resource_class,amount_seconds,amount_hours\n…',
    action: async ({ flags: { from, to, project, csv }, ...running }) => {
      const period = { from: momentIn('from', from), until: momentIn('to', to ?? new Date().toISOString()) };
      if (period.until < period.from) throw new SettingsError(['--to is before --from']);
      const projects = Array.isArray(project) ? (project as string[]) : null;
      const { progress, print } = running;
      return {
        report: await runUsage(
          await openMigrated(running, openForWholeTables),
          { ...period, projects },
          { asCsv: csv === true, print, progress },
        ),
      };
    },
  })
    .requiredOption('--from <moment>', 'the beginning: a day (midnight UTC), or a moment such as 2026-11-01T00:00:00+01:00')
    .option('--to <moment>', 'the end, which does not belong to the period; the default is now')
    .option('--project <id>', 'only this project; may be repeated', (id: string, others: string[] = []) => [...others, id])
    .option('--csv', 'print CSV (RFC 4180) with exact sums in seconds');
}

/** In UTC. */
function momentIn(flag: string, text: unknown): string {
  const moment =
    typeof text === 'string' && /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
      ? Date.parse(text)
      : Number.NaN;
  const day = String(text).slice(0, 'yyyy-mm-dd'.length);
  // JavaScript parses 30 February as 2 March.
  if (Number.isNaN(moment) || new Date(day).toISOString().slice(0, day.length) !== day) {
    throw new SettingsError([
      `--${flag}=${JSON.stringify(text)} must be a day such as 2026-11-01, or a moment such as 2026-11-01T00:00:00Z`,
    ]);
  }
  return new Date(moment).toISOString();
}

export function addStatus(ours: Process, program: Command): void {
  addCommand(ours, program, 'status', {
    description: 'check whether this release can serve from the database, and show its state',
    example: 'status --json',
    action: statusOf,
  }).addHelpText(
    'after',
    '\nExits like `placement-status upgrade check`: 0 if all is well, 1 for a warning, 2 for a failure, 255 if the check was impossible.',
  );
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

export function addDatabaseCommands(ours: Process, program: Command): void {
  const database = program.command('db').description('the database');
  addCommand(ours, database, 'health', {
    description:
      'advise on version, connections, autovacuum, dead rows, bloat, transactions and indexes; exits with 1 if there is any advice',
    example: 'db health\nautovacuum: autovacuum is off, so tables only grow: set it to on and reload the server',
    action: async (running) => {
      const { readConnections, writeConnections } = running.settings;
      const { db } = await openServed(running);
      const advice = await runDatabaseHealth(db, running.print, { wanted: readConnections + writeConnections });
      return { report: advice, exitCode: advice.length > 0 ? exitCodes.failed : exitCodes.done };
    },
  });
}

export function addEventCommands(ours: Process, program: Command): void {
  const events = program.command('events').description('the ledger of events');
  addCommand(ours, events, 'prune', {
    description: 'drop old events, in whole chunks, and exit',
    example: 'events prune --older-than 90 --dry-run',
    action: prune,
  })
    .option('--older-than <days>', 'the age that all events of a chunk must have; the default is PLACEMENT_EVENT_RETENTION_DAYS')
    .option('--dry-run', 'only show what would be dropped');
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
