// The completion scripts, tested in the shells.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { completionScript, shells } from '../../src/commands/completion.ts';
import { createProgram } from '../../src/program/program.ts';

const program = createProgram({
  environment: {},
  prepare: () => {
    throw new Error('nothing is started here');
  },
});

/** The words that bash offers after these, the last of which is being typed. */
function offered(...words: string[]): string[] {
  const script = `${completionScript(program, 'bash')}
    COMP_WORDS=(placement-gateway "$@"); COMP_CWORD=$#; _placement_gateway; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
}

test.each<[words: string[], all: string[]]>([
  [['ex'], ['export']],
  [['to'], ['token']],
  [
    ['token', ''],
    ['add', 'list', 'revoke', '--help'],
  ],
  [['events', 'prune', '--ol'], ['--older-than']],
  [['--port', '1', 'db', 'he'], ['health']],
  [
    ['import', '--'],
    ['--json', '--token', '--catch-up', '--no-verify', '--resume', '--help'],
  ],
  [['import', 'export', '--cat'], ['--catch-up']],
])('in bash, after %j', (words, all) => {
  expect(offered(...words)).toEqual(all);
});

test.each(shells)('%s gets every command, and no setting', (shell) => {
  const script = completionScript(program, shell);
  for (const word of ['serve', 'migrate', 'completion', 'revoke', 'prune', 'health', 'catch-up']) expect(script).toContain(word);
  expect(script).not.toContain('database-url');
});
