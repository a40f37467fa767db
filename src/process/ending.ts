// How the process ends: it closes everything that is open, what was opened last first, and exits. Knows no command.
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { WaitedInVain } from '../db/schema/waiting.ts';
import { HistoryRefusal, Refusal } from '../domain/errors.ts';
import { SettingsError } from '../settings/settings.ts';

/** `waited`: nothing is wrong but that others were in the way for too long (EX_TEMPFAIL of sysexits). */
export const exitCodes = { done: 0, failed: 1, usage: 2, waited: 75 } as const;

const closers: (() => Promise<void>)[] = [];
let ending: Promise<never> | undefined;
let hasBegun = false;
let showsStacks = false;

/** Before the process exits, it calls these functions, the last one first. */
export function closeAtEnd(close: () => Promise<void>): void {
  closers.push(close);
}

export function isEnding(): boolean {
  return hasBegun;
}

/** Closes everything and exits. Safe to call again. */
export function end(exitCode: number): Promise<never> {
  hasBegun = true;
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

/**
 * SIGTERM and SIGINT close everything; a second one exits at once. An uncaught error ends the process, because its state is unknown; but not a rejection that says
 * something about a request, such as the error of a field whose answer another error has already ended.
 */
export function endOnSignals(log: Logger): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (hasBegun) process.exit(exitCodes.failed);
      log.info({ signal }, 'stopping');
      void end(exitCodes.done);
    });
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (err: unknown) => {
      if (event === 'unhandledRejection' && isOfField(err)) return log.warn({ err }, 'a field of an answer that had ended failed, too');
      if (event === 'unhandledRejection' && isOfRequest(err)) return log.error({ err }, 'a bug: nobody handled an error of a request');
      log.fatal({ err }, 'the process ends because of an uncaught error');
      void end(exitCodes.failed);
    });
  }
}

/** Only graphql-js gives an error the path of a field. It drops the other fields of a list in which one fails at once. */
function isOfField(error: unknown): boolean {
  return error instanceof GraphQLError && error.path !== undefined;
}

function isOfRequest(error: unknown): boolean {
  return error instanceof GraphQLError || error instanceof Refusal || error instanceof HistoryRefusal;
}

export function showStacks(): void {
  showsStacks = true;
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof SettingsError) return exitCodes.usage;
  return error instanceof WaitedInVain ? exitCodes.waited : exitCodes.failed;
}

/** Prints the error in one line. */
export function printError(error: unknown): void {
  process.stderr.write(`placement-gateway: ${messageOf(error).replaceAll('\n', ' ')}\n`);
  if (showsStacks && error instanceof Error) process.stderr.write(`${error.stack}\n`);
}

function messageOf(error: unknown): string {
  // Thrown when none of several addresses of a name answers; it has no message of its own.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
