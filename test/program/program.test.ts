// The commands as their help tells of them.
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../../src/program/program.ts';

const program = createProgram({
  environment: {},
  prepare: () => {
    throw new Error('nothing is started here');
  },
});

/** All commands that do something, with their full names. */
function commandsBelow(command: Command, path: readonly string[] = []): (readonly [name: string, command: Command])[] {
  return command.commands.flatMap((child) => {
    const names = [...path, child.name()];
    return child.commands.length > 0 ? commandsBelow(child, names) : [[names.join(' '), child] as const];
  });
}

function helpOf(command: Command): string {
  const written: string[] = [];
  command.configureOutput({ writeOut: (text) => void written.push(text) }).outputHelp();
  return written.join('');
}

test.each(commandsBelow(program))('%s has an example of itself in its help, and answers in JSON unless it serves', (name, command) => {
  const help = helpOf(command);
  expect(help).toContain(`$ placement-gateway ${name}`);
  expect(help.includes('--json')).toBe(name !== 'serve');
  const [, example = ''] = /\$ placement-gateway (.*)/.exec(help) ?? [];
  const flags = [...example.matchAll(/ (--[a-z-]+)/g)].map(([, flag]) => flag);
  expect(command.options.map(({ long }) => long)).toEqual(expect.arrayContaining(flags));
});
