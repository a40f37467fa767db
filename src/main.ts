// The process: its settings and exit codes (process/ending.ts). No other file reads process.env.
import { CommanderError } from 'commander';
import { createLogger } from './logs/process-log.ts';
import { closeAtEnd, end, endOnSignals, exitCodeOf, exitCodes, printError, showStacks } from './process/ending.ts';
import type { Started } from './process/opening.ts';
import { createProgram } from './program/program.ts';
import { readSettings, type Settings, settingDescriptions } from './settings/settings.ts';
import { numberVariable } from './workers/messages.ts';

function prepare(options: Readonly<Record<string, unknown>>): Started {
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
  await createProgram({ environment: process.env, prepare }).parseAsync();
} catch (error) {
  // Commander has already printed a message.
  if (error instanceof CommanderError) await end(error.exitCode === 0 ? exitCodes.done : exitCodes.usage);
  printError(error);
  await end(exitCodeOf(error));
}
