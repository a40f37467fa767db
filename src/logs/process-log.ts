// How the process logs: one JSON object a line, or lines for a person when the log goes to a terminal.
// Writes to standard error, so that what a command answers on standard output stays clean. Tokens are removed wherever they appear.
import { destination, type Logger, pino } from 'pino';
import type { Settings } from '../settings/settings.ts';

export interface LoggingOptions {
  readonly level: Settings['logLevel'];
  /** Lines for a person instead of JSON. Default false. */
  readonly forTerminal?: boolean;
  /** The number of the process, where several write to the same place. */
  readonly worker?: number;
  /** Gets each line, with its end. Default: standard error. */
  readonly write?: (line: string) => void;
}

/** A logger, and a function that flushes its last lines before the process ends. */
export function createLogger({ level, forTerminal = false, worker, write }: LoggingOptions): { log: Logger; flush(): void } {
  // A system call for many lines, not for each: a busy gateway writes a thousand in a second.
  // Of several processes none may write into the line of another: so much a pipe takes in one piece.
  const stderr = destination(forTerminal ? 2 : { dest: 2, sync: false, minLength: 2048, periodicFlush: 200, maxWrite: 4096 });
  const writeLine = write ?? ((line: string) => stderr.write(line));
  const log = pino(
    {
      level,
      base: worker === undefined ? null : { worker },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: ['*["x-auth-token"]', '*.token', '*.authorization'], censor: '***' },
    },
    forTerminal ? { write: (line) => writeLine(lineForTerminal(line)) } : write ? { write } : stderr,
  );
  return { log, flush: () => stderr.flushSync() };
}

/** `12:00:00 info  message key=value …` */
function lineForTerminal(line: string): string {
  const { level, time, msg = '', err, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const details = Object.entries(rest).map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const stack = (err as { stack?: string } | undefined)?.stack;
  const words = [String(time).slice(11, 19), String(level).padEnd(5), msg, ...details].join(' ');
  return `${printable(words)}\n${stack ? `${printable(stack, '\n')}\n` : ''}`;
}

/** Names come from callers: control characters that could move a terminal's cursor are not printed. */
function printable(text: string, kept = ''): string {
  return text.replace(/\p{Cc}/gu, (character) => (kept.includes(character) ? character : '\uFFFD'));
}
