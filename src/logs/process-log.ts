// The log of the process: one JSON object a line, or lines for a person if it goes to a terminal. It goes to standard error, so that standard output has
// nothing but the answer of a command. Tokens are removed wherever they appear.
import { destination, type Logger, pino } from 'pino';
import type { Settings } from '../settings/settings.ts';

export interface LoggingOptions {
  readonly level: Settings['logLevel'];
  /** Lines for a person instead of JSON. Default false. */
  readonly forTerminal?: boolean;
  /** The number of the process, if several write to the same place. */
  readonly worker?: number;
  /** Gets each line, with its end. Default: standard error. */
  readonly write?: (line: string) => void;
}

/** A logger, and a function that flushes its last lines before the process ends. */
export function createLogger({ level, forTerminal = false, worker, write }: LoggingOptions): { log: Logger; flush(): void } {
  // One system call for many lines: a busy gateway writes a thousand lines in a second. A pipe takes `maxWrite` bytes in one piece, so that no process
  // writes into a line of another.
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

/** Callers choose names, and control characters in them could move the cursor of a terminal: they are replaced. */
function printable(text: string, kept = ''): string {
  return text.replace(/\p{Cc}/gu, (character) => (kept.includes(character) ? character : '\uFFFD'));
}
