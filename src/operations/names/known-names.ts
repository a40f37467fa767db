// Names of classes and traits in arguments that select rows: refused when they do not exist, because a typo would otherwise look like an empty
// result. Standard names always exist and need no statement.
import { type Problem, problemOf, Refusal } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { standardResourceClasses } from '../../domain/standard-resource-classes.ts';
import { standardTraits } from '../../domain/standard-traits.ts';
import { maxNameLength } from '../../domain/text.ts';
import { InputCheck } from '../request/input.ts';
import type { Loaded } from '../request/keyed-loaders.ts';
import type { RequestScope } from '../scope/scope.ts';

type NamedNoun = 'resourceClass' | 'trait';

const standardNames: Readonly<Record<NamedNoun, ReadonlySet<string>>> = {
  resourceClass: new Set(standardResourceClasses.map(({ name }) => name)),
  trait: new Set(standardTraits),
};

/** Refuses INVALID_INPUT, NOT_FOUND unless the class or trait exists. Synchronous when no statement is needed. */
export function expectName(scope: RequestScope, noun: NamedNoun, name: string, path: Path): Loaded<void> {
  return expectNames(scope, noun, [{ name, path }]);
}

/** The same for a list of classes of limited length. */
export function expectClasses(scope: RequestScope, names: Optional<readonly string[]>, path: Path): Loaded<void> {
  if (!names) return;
  const check = new InputCheck();
  check.size(path, names, 0, limits.classesAsked);
  return expectNames(
    scope,
    'resourceClass',
    names.map((name, index) => ({ name, path: [...path, index] })),
  );
}

interface Named {
  readonly name: string;
  readonly path: Path;
}

/** The same for names at several places in the input. */
export function expectNames({ loaders }: RequestScope, noun: NamedNoun, named: readonly Named[]): Loaded<void> {
  const custom = named.filter(({ name }) => !standardNames[noun].has(name));
  if (custom.length === 0) return;
  const check = new InputCheck();
  for (const { name, path } of custom) check.text(path, name, maxNameLength);
  check.done();
  const loader = noun === 'trait' ? loaders.traitByName : loaders.resourceClassByName;
  return Promise.all(custom.map(({ name }) => loader.load(name))).then((found) => {
    const problems = custom.flatMap(({ name, path }, index): Problem[] =>
      found[index] ? [] : [problemOf({ code: 'NOT_FOUND', details: { noun, key: name } }, path)],
    );
    if (problems.length > 0) throw new Refusal(problems.slice(0, limits.problemsReported));
  });
}

/** Loads a value, which counts only if the names exist, while they are looked for. */
export function loadedIfExpected<Value>(expected: Loaded<void>, load: () => Loaded<Value>): Loaded<Value> {
  if (!(expected instanceof Promise)) return load();
  // If `load` throws, nobody waits for the names any more.
  expected.catch(() => {});
  return Promise.all([load(), expected]).then(([value]) => value);
}
