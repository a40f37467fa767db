// Access rules of application credentials: which requests a restricted token may make. Their users write them, so matching takes time in proportion
// to the lengths of rule and path, whatever they are; a regular expression would not.

/** As Keystone has it. */
export interface AccessRule {
  readonly service: string;
  readonly method: string;
  /** `{name}` and `*` are one part of the path, `**` is anything; all else stands for itself. */
  readonly path: string;
}

/** The type of this service in catalogs and rules. */
const ourService = 'placement';

/** Longer than any path of the APIs. */
const maxPathLength = 1024;

/** Whether one of the rules allows a request; `path` is whole, with the mount, and without the query. */
export function allowedByRules(rules: readonly AccessRule[], method: string, path: string): boolean {
  if (path.length > maxPathLength) return false;
  return rules.some((rule) => rule.service === ourService && rule.method === method && matches(rule.path, path));
}

const part = /[^/]/;
/** A step of a pattern: a character, at least one of what is not a slash, or anything. */
type Step = { readonly character: string } | 'part' | 'anything';

function stepsOf(pattern: string): Step[] {
  return [...pattern.matchAll(/\{[^}]*\}|\*\*|./gsu)].map(([text]) => {
    if (text === '**') return 'anything';
    return text === '*' || (text.length > 1 && text.startsWith('{')) ? 'part' : { character: text };
  });
}

function matches(pattern: string, path: string): boolean {
  const steps = stepsOf(pattern);
  /** Whether the first steps, as many as the index says, match what was read so far. */
  let reached = steps.map(() => false);
  reached.unshift(true);
  skipEmpty(steps, reached);
  for (const character of path) {
    const next = reached.map(() => false);
    for (const [index, step] of steps.entries()) {
      if (step === 'anything') next[index + 1] = reached[index + 1] === true || reached[index] === true;
      else if (step === 'part') next[index + 1] = part.test(character) && (reached[index + 1] === true || reached[index] === true);
      else next[index + 1] = step.character === character && reached[index] === true;
    }
    reached = next;
    skipEmpty(steps, reached);
  }
  return reached[steps.length] === true;
}

/** `anything` may be nothing. */
function skipEmpty(steps: readonly Step[], reached: boolean[]): void {
  for (const [index, step] of steps.entries()) if (step === 'anything' && reached[index]) reached[index + 1] = true;
}
