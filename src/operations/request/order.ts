// Parses orders of lists: a few keys, most important first, each at most once. Knows no list.
import type { Optional, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { Scope } from '../../domain/provider.ts';
import { InputCheck } from './input.ts';

/** A sort key as given by a caller; most lists have keys with only a field and a direction. */
export interface OrderKeyInput<Field extends string> {
  readonly field: Field;
  readonly direction?: Optional<'ASC' | 'DESC'>;
  readonly resourceClass?: Optional<string>;
  /** For lists that can be ordered by several classes together. */
  readonly weights?: Optional<readonly ClassWeightInput[]>;
  readonly scope?: Optional<Scope>;
  readonly consumerType?: Optional<string>;
}

export interface ClassWeightInput {
  readonly resourceClass: string;
  readonly weight: number;
}

export interface OrderKey<Field extends string = string> {
  readonly field: Field;
  readonly descending: boolean;
  /** Null when the field does not concern a class. */
  readonly resourceClass: string | null;
  readonly scope: Scope;
  /** Null for all types, and when the field does not concern consumers. */
  readonly consumerType: string | null;
  /** Its path in the input. */
  readonly path: Path;
}

/**
 * The keys of an order, `otherwise` when there are none; exactly those with a field in `ofClass` concern a class; those in `ofTree` may concern a tree, those in
 * `ofConsumers` a type of consumers. Refuses INVALID_INPUT for too many keys, and for duplicates.
 */
export function parseOrder<Field extends string>(
  orderBy: Optional<readonly OrderKeyInput<Field>[]>,
  otherwise: Field,
  ofClass: ReadonlySet<Field> = new Set(),
  ofTree: ReadonlySet<Field> = ofClass,
  ofConsumers: ReadonlySet<Field> = new Set(),
): readonly OrderKey<Field>[] {
  const check = new InputCheck();
  const keys = checkOrder(check, ['orderBy'], orderBy?.length ? orderBy : [{ field: otherwise }], ofClass, ofTree, ofConsumers);
  check.done();
  return keys;
}

/** The keys of an order at `at`, as parseOrder returns them; problems are added to `check`. */
export function checkOrder<Field extends string>(
  check: InputCheck,
  at: Path,
  orderBy: readonly OrderKeyInput<Field>[],
  ofClass: ReadonlySet<Field>,
  ofTree: ReadonlySet<Field> = ofClass,
  ofConsumers: ReadonlySet<Field> = new Set(),
): readonly OrderKey<Field>[] {
  check.size(at, orderBy, 0, limits.orderKeys);
  const keys = orderBy.map(({ field, direction, resourceClass, weights, scope, consumerType = null }, index) => {
    const path = [...at, index];
    const isNamed = typeof resourceClass === 'string';
    if (weights) checkWeights(check, [...path, 'weights'], weights);
    if (weights && !ofClass.has(field)) check.add([...path, 'weights'], `${field} takes no weights`);
    else if (weights && isNamed) check.add([...path, 'weights'], `${field} takes resourceClass or weights, not both`);
    else if (!weights && isNamed !== ofClass.has(field)) {
      check.add([...path, 'resourceClass'], isNamed ? `${field} takes no resourceClass` : `${field} needs a resourceClass`);
    } else if (isNamed) check.className([...path, 'resourceClass'], resourceClass);
    if (scope === 'TREE' && !ofTree.has(field)) check.add([...path, 'scope'], `${field} is of the provider itself, not of its tree`);
    if (consumerType !== null && !ofConsumers.has(field)) check.add([...path, 'consumerType'], `${field} takes no consumerType`);
    check.text([...path, 'consumerType'], consumerType, limits.vocabularyLength);
    const descending = direction === 'DESC';
    return { field, descending, resourceClass: resourceClass ?? null, scope: scope ?? 'PROVIDER', consumerType, path };
  });
  const subjects = keys.map((key, index) => [subjectOf(key), ...(orderBy[index]?.weights ?? []).map(wordsOf)].join(' '));
  check.unique(at, subjects, (index) => [index]);
  return keys;
}

const wordsOf = ({ resourceClass, weight }: ClassWeightInput): string => `${weight} ${resourceClass}`;

/** The largest weight, and the reciprocal of the smallest: sums are exact enough, and finite whatever the amounts. */
const maxWeight = limits.orderWeight;

function checkWeights(check: InputCheck, path: Path, weights: readonly ClassWeightInput[]): void {
  check.size(path, weights, 1, limits.orderWeights);
  for (const [place, { resourceClass, weight }] of weights.entries()) {
    check.className([...path, place, 'resourceClass'], resourceClass);
    const size = Math.abs(weight);
    if (!(size >= 1 / maxWeight && size <= maxWeight)) {
      check.add([...path, place, 'weight'], `must be from ${1 / maxWeight} to ${maxWeight}, or the same below 0`);
    }
  }
  const names = weights.map(({ resourceClass }) => resourceClass);
  check.unique(path, names, (index) => [index, 'resourceClass']);
}

/** For keys that have only a field and a direction. */
export function sortOf<Field extends string>(keys: readonly OrderKey<Field>[]): { readonly by: Field; readonly descending: boolean }[] {
  return keys.map(({ field, descending }) => ({ by: field, descending }));
}

const subjectOf = ({ field, resourceClass, scope, consumerType }: OrderKey): string =>
  [field, ...(scope === 'TREE' ? [scope] : []), ...[resourceClass ?? consumerType ?? []].flat()].join(' ');

/** Identifies what a project may see of a list, so that its cursors are refused elsewhere; null for the whole list. */
export function nameForProject(name: string, project: string | null): string {
  return project === null ? name : `${name} of project ${project}`;
}

/** Identifies a list in an order, for its cursors. */
export function nameInOrder(list: string, keys: readonly OrderKey[]): string {
  return [list, ...keys.map((key) => `${subjectOf(key)} ${key.descending ? 'DESC' : 'ASC'}`)].join(', ');
}
