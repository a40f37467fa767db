// Whether an event meets a filter, decided in memory, so that any number of subscribers share one read. db/events.ts has the same conditions in SQL.
import type { EventFilter } from '../../db/events.ts';
import type { FedEvent, SubjectsAsked } from '../../db/feed/events.ts';
import type { Forest } from '../../domain/candidates/forest.ts';
import { comparisonWith } from '../../domain/moment.ts';

/** The subjects that a filter looks at. */
export function subjectsOf({
  resourceProviders,
  trees,
  aggregates,
  consumers,
  projects,
  resourceClasses,
  traits,
}: EventFilter): SubjectsAsked {
  return {
    resourceProviders: Boolean(resourceProviders ?? trees ?? aggregates),
    consumers: consumers !== undefined,
    projects: projects !== undefined,
    resourceClasses: resourceClasses !== undefined,
    traits: traits !== undefined,
  };
}

/** Whether it needs to know where providers are now. */
export function needsForest({ trees, aggregates }: EventFilter): boolean {
  return trees !== undefined || aggregates !== undefined;
}

type Matches = (event: FedEvent) => boolean;

/** The filter as a function, for as long as the forest does not change. */
export function compileFilter(filter: EventFilter, forest: Forest | null): Matches {
  const { kinds, requestIds, users, since, until, resourceProviders, consumers, projects, resourceClasses, traits, trees, aggregates } =
    filter;
  const conditions: Matches[] = [];
  const one = (values: readonly string[] | undefined, of: (event: FedEvent) => readonly (string | null)[] | null) => {
    if (!values) return;
    const wanted = new Set<string | null>(values);
    conditions.push((event) => of(event)?.some((value) => value !== null && wanted.has(value)) ?? false);
  };
  one(kinds, ({ kind }) => [kind]);
  one(requestIds, ({ requestId, globalRequestId }) => [requestId, globalRequestId]);
  one(users, ({ user }) => [user]);
  one(resourceProviders, ({ subjects }) => subjects.resourceProviders);
  one(consumers, ({ subjects }) => subjects.consumers);
  one(projects, ({ subjects }) => subjects.projects);
  one(resourceClasses, ({ subjects }) => subjects.resourceClasses);
  one(traits, ({ subjects }) => subjects.traits);
  if (since) {
    const compare = comparisonWith(since.toISOString());
    conditions.push(({ at }) => compare(at) >= 0);
  }
  if (until) {
    const compare = comparisonWith(until.toISOString());
    conditions.push(({ at }) => compare(at) < 0);
  }
  const treesOf = ({ subjects }: FedEvent) => (subjects.resourceProviders ?? []).flatMap((uuid) => forest?.findByUuid(uuid)?.tree ?? []);
  if (trees) {
    const wanted = new Set(trees.map((uuid) => forest?.findByUuid(uuid)?.tree));
    conditions.push((event) => treesOf(event).some((tree) => wanted.has(tree)));
  }
  if (aggregates) {
    const wanted = aggregates.map((uuid) => forest?.aggregates.idOf(uuid));
    conditions.push((event) => treesOf(event).some((tree) => wanted.some((id) => id !== undefined && tree.aggregates.has(id))));
  }
  return (event) => conditions.every((holds) => holds(event));
}
