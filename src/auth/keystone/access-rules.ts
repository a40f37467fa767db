// Access rules of application credentials: which requests a restricted token may make. Users write them, so matching must take no more time than in proportion
// to the lengths of rule and path, which a regular expression would not guarantee.

/** An access rule in Keystone's form. */
export interface AccessRule {
  readonly service: string;
  readonly method: string;
  /** `{name}` and `*` match one part of the path, `**` matches anything, and all else matches itself. */
  readonly path: string;
}

/** The type of this service in catalogs and rules. */
const ourService = 'placement';

/** Longer than any path of the APIs. */
const maxPathLength = 1024;

/** Whether one of the rules allows a request; `path` includes the mount, but not the query. */
export function allowedByRules(rules: readonly AccessRule[], method: string, path: string): boolean {
  if (path.length > maxPathLength) return false;
  return rules.some((rule) => rule.service === ourService && rule.method === method && matches(rule.path, path));
}

const part = /[^/]/;
/** A step of a pattern: a character, one or more characters other than a slash, or anything. */
type Step = { readonly character: string } | 'part' | 'anything';

function stepsOf(pattern: string): Step[] {
  return [...pattern.matchAll(/\{[^}]*\}|\*\*|./gsu)].map(([text]) => {
    if (text === '**') return 'anything';
    return text === '*' || (text.length > 1 && text.startsWith('{')) ? 'part' : { character: text };
  });
}

function matches(pattern: string, path: string): boolean {
  const steps = stepsOf(pattern);
  /** At each index: whether that many steps match what was read so far. */
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

/** Lets `anything` match nothing. */
function skipEmpty(steps: readonly Step[], reached: boolean[]): void {
  for (const [index, step] of steps.entries()) if (step === 'anything' && reached[index]) reached[index + 1] = true;
}
