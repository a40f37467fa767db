// What all commands share: the settings as flags, an example in the help, --json, and how they end.
import type { Command } from 'commander';
import { openProgress, type Progress } from '../commands/phases/progress.ts';
import { closeAtEnd, end, exitCodes } from '../process/ending.ts';
import type { Started } from '../process/opening.ts';
import { settingDescriptions } from '../settings/settings.ts';

/** The process as commands know it. */
export interface Process {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads the settings and opens the log. */
  prepare(options: Readonly<Record<string, unknown>>): Started;
}

/** The context of a command. */
export interface Running extends Started {
  readonly progress: Progress;
  /** The flags that are not settings. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly args: readonly string[];
}

/** The outcome of a command. */
export interface Outcome {
  /** The whole answer, which --json prints. */
  readonly report: unknown;
  /** Why the command failed although it has a report; for standard error. */
  readonly failure?: string | undefined;
  /** Only if it is another than that of success or failure. */
  readonly exitCode?: number | undefined;
}

export interface CommandDescription {
  readonly description: string;
  /** A command line without the name of the program, and what it prints. */
  readonly example: string;
  /** A command without an outcome runs until it is stopped, and has no --json. */
  readonly action: (running: Running) => Promise<Outcome | undefined>;
  readonly isDefault?: boolean;
}

/** Adds a command with all settings as hidden flags: the program's help lists them once. */
export function addCommand(
  ours: Process,
  parent: Command,
  name: string,
  { description, example, action, isDefault = false }: CommandDescription,
): Command {
  const command = parent.command(name, { isDefault }).description(description).allowExcessArguments(false);
  for (const { flag, argument, meaning } of settingDescriptions) {
    command.addOption(command.createOption(`--${flag} <${argument}>`, meaning).hideHelp());
  }
  if (!isDefault) command.option('--json', 'print the answer as JSON, and everything else on standard error');
  command.addHelpText('after', `\nExample:\n\n  $ placement-gateway ${example.replaceAll('\n', '\n  ')}`);
  return command.action(async () => {
    const flags = command.opts<Record<string, unknown>>();
    const asJson = flags.json === true;
    const started = ours.prepare(flags);
    const progress = openProgress(process.stderr);
    closeAtEnd(async () => progress.clear());
    const print = (line: string) => {
      progress.clear();
      if (asJson) process.stderr.write(`${line}\n`);
      else started.print(line);
    };
    const outcome = await action({ ...started, print, progress, flags, args: command.args });
    if (!outcome) return;
    progress.clear();
    if (asJson) started.print(JSON.stringify(outcome.report, null, 2));
    if (outcome.failure !== undefined) throw new Error(outcome.failure);
    await end(outcome.exitCode ?? exitCodes.done);
  });
}
