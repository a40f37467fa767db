// `completion`: a script that completes commands and flags in a shell, generated from the commands.
import type { Command } from 'commander';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** A command, and what may follow it. */
interface Place {
  /** The words after the name of the program; empty for the program itself. */
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly meaning: string }[];
}

function placesOf(command: Command, path: readonly string[] = []): Place[] {
  const children = command.commands.map((child) => ({ word: child.name(), meaning: child.description() }));
  const flags = command.options.flatMap(({ long, description, hidden }) => (long && !hidden ? [{ word: long, meaning: description }] : []));
  const own = { path: path.join(' '), words: [...children, ...flags, { word: '--help', meaning: 'help with this command' }] };
  return [own, ...command.commands.flatMap((child) => placesOf(child, [...path, child.name()]))];
}

const program = 'placement-gateway';
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The script for a shell. Where no word of ours fits, the shell completes files. */
export function completionScript(command: Command, shell: Shell): string {
  const places = placesOf(command);
  if (shell === 'fish') return fishScript(places);
  const cases = places.map(({ path, words }) => `    ${quoted(path)}) words=${quoted(words.map(({ word }) => word).join(' '))} ;;`);
  const script = `# Completion of ${program} for bash; in zsh with bashcompinit.
_placement_gateway() {
  local path='' word words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) case " ${places.map(({ path }) => path.replaceAll(' ', '_')).join(' ')} " in *" \${path:+\${path// /_}_}$word "*) path="\${path:+$path }$word" ;; esac ;; esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _placement_gateway ${program}
`;
  return shell === 'bash' ? script : `autoload -U +X compinit bashcompinit && compinit && bashcompinit\n${script}`;
}

function fishScript(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, words }) => {
    const names = path.split(' ').filter((word) => word !== '');
    const condition =
      names.length === 0 ? '__fish_use_subcommand' : names.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
    return words.map(({ word, meaning }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c ${program} -n ${quoted(condition)} ${what} -d ${quoted(meaning)}`;
    });
  });
  return `# Completion of ${program} for fish.\n${lines.join('\n')}\n`;
}
