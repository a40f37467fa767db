// Answers the map of the cloud from the forest. What is made for a state of the forest is kept until the next state, so that many readers cost as much as one.
import type { Db } from '../../db/sql/client.ts';
import type { Forest } from '../../domain/candidates/forest.ts';
import type { IdSet } from '../../domain/candidates/id-set.ts';
import { type Problem, problemOf, Refusal } from '../../domain/errors.ts';
import { renderForestCursor } from '../../domain/forest-cursor.ts';
import { limits } from '../../domain/limits.ts';
import type { Aggregate, ResourceClass } from '../../domain/provider.ts';
import {
  type ClassColumns,
  type Column,
  describeHosts,
  disabledTraitOf,
  type HostColumns,
  hostsOf,
  type MapHost,
  sumClass,
} from '../../domain/trees/cloud-map.ts';
import { workInTurn } from '../request/event-loop-share.ts';
import { InputCheck } from '../request/input.ts';
import { type ForestKeeper, forestOf } from './forest.ts';

/** Columns of hosts with the names that they refer to. */
export interface NamedHosts extends Omit<HostColumns, 'aggregateSets' | 'traitSets'> {
  readonly aggregateUuids: readonly string[];
  readonly aggregateNames: readonly (string | null)[];
  /** The sets as places in the lists of names. */
  readonly aggregateSets: readonly (readonly number[])[];
  readonly traitNames: readonly string[];
  readonly traitSets: readonly (readonly number[])[];
}

export interface CloudMap extends NamedHosts {
  readonly cursor: string;
  readonly classes: readonly CloudMapClass[];
}

export interface CloudMapClass extends ClassColumns {
  readonly resourceClass: ResourceClass;
}

export interface CloudMapArguments {
  readonly resourceClasses: readonly string[];
}

/** What has been made for one state of the forest. */
interface Drawn {
  readonly forest: Forest;
  readonly changeCount: number;
  readonly hosts: readonly MapHost[];
  readonly columns: Promise<Omit<CloudMap, 'classes'>>;
  readonly classes: Map<number, Promise<ClassColumns>>;
}

const drawn = new WeakMap<ForestKeeper, Drawn>();

/** All hosts, with the sums of some classes. One statement: that of the forest. Refuses INVALID_INPUT, NOT_FOUND. */
export async function readCloudMap({ db }: { readonly db: Db }, { resourceClasses }: CloudMapArguments): Promise<CloudMap> {
  const keeper = forestOf(db);
  checkClassNames(resourceClasses);
  const forest = await keeper.current();
  const classes = findClasses(forest, resourceClasses);
  const known = drawnOf(keeper, forest);
  const sums = classes.map(({ id }) => sumsOf(known, id));
  const [columns, ...made] = await Promise.all([known.columns, ...sums]);
  const rows = classes.map((resourceClass, index) => ({ resourceClass, ...(made[index] as ClassColumns) }));
  return { ...columns, classes: rows };
}

/** Refuses INVALID_INPUT. */
export function checkClassNames(names: readonly string[]): void {
  const check = new InputCheck();
  check.size(['resourceClasses'], names, 0, limits.mapClasses);
  for (const [index, name] of names.entries()) check.className(['resourceClasses', index], name);
  check.done();
}

/** Refuses NOT_FOUND. */
export function findClasses({ classes }: Forest, names: readonly string[]): ResourceClass[] {
  const problems: Problem[] = [];
  const found = names.flatMap((name, index) => {
    const id = classes.idOf(name);
    if (id !== undefined) return [{ id, name }];
    problems.push(problemOf({ code: 'NOT_FOUND', details: { noun: 'resourceClass', key: name } }, ['resourceClasses', index]));
    return [];
  });
  if (problems.length > 0) throw new Refusal(problems.slice(0, limits.problemsReported));
  return found;
}

function drawnOf(keeper: ForestKeeper, forest: Forest): Drawn {
  const { changeCount } = keeper;
  const known = drawn.get(keeper);
  if (known?.forest === forest && known.changeCount === changeCount) return known;
  const hosts = hostsOf(forest);
  const cursor = renderForestCursor(keeper.position);
  const names = namesOf(forest);
  const columns = workInTurn(describeHosts(hosts, disabledTraitOf(forest))).then((described) => ({
    cursor,
    ...withNames(described, names),
  }));
  const now = { forest, changeCount, hosts, columns, classes: new Map<number, Promise<ClassColumns>>() };
  drawn.set(keeper, now);
  return now;
}

function sumsOf({ hosts, classes }: Drawn, classId: number): Promise<ClassColumns> {
  const known = classes.get(classId);
  if (known !== undefined) return known;
  const [oldest] = classes.keys();
  if (oldest !== undefined && classes.size >= limits.mapClasses) classes.delete(oldest);
  const made = workInTurn(sumClass(hosts, classId));
  classes.set(classId, made);
  return made;
}

/** The names of one state of the forest, which may change while columns are made. */
interface KnownNames {
  readonly aggregates: ReadonlyMap<number, Aggregate>;
  readonly traits: ReadonlyMap<number, string>;
}

export function namesOf({ aggregates, traits }: Forest): KnownNames {
  return {
    aggregates: new Map([...aggregates.every()].map(({ id, aggregate }) => [id, aggregate])),
    traits: new Map([...traits.every()].map(({ id, name }) => [id, name])),
  };
}

export function withNames(
  { aggregateSets, traitSets, uuids, names, memberCounts, flags, aggregateSet, traitSet }: HostColumns,
  known: KnownNames,
): NamedHosts {
  const aggregates = numbered(aggregateSets);
  const traits = numbered(traitSets);
  return {
    ...{ uuids, names, memberCounts, flags, aggregateSet, traitSet },
    aggregateUuids: aggregates.ids.map((id) => known.aggregates.get(id)?.uuid ?? ''),
    aggregateNames: aggregates.ids.map((id) => known.aggregates.get(id)?.name ?? null),
    aggregateSets: aggregates.sets,
    traitNames: traits.ids.map((id) => known.traits.get(id) ?? ''),
    traitSets: traits.sets,
  };
}

/** The ids of all sets, each once, and the sets as places among them. */
function numbered(sets: readonly IdSet[]): { readonly ids: Column<number>; readonly sets: readonly (readonly number[])[] } {
  const places = new Map<number, number>();
  const placeOf = (id: number) => {
    const place = places.get(id) ?? places.size;
    places.set(id, place);
    return place;
  };
  const numberedSets = sets.map(({ ids }) => ids.map(placeOf));
  return { ids: [...places.keys()], sets: numberedSets };
}
