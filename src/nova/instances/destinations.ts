// Finds hosts for instances: the part of a scheduler that queries Placement. Translates a flavor or a RequestSpec to a request, weighs the hosts that can serve
// it, claims the best, and returns alternates that can be claimed later without another search. A moving instance hands over its allocations to its migration
// in the same write.
import type { Consumer } from '../../domain/allocation.ts';
import type { RootRule } from '../../domain/candidates/request.ts';
import { type Problem, Refusal, relabel, relabelled } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { Aggregate } from '../../domain/provider.ts';
import { countingRefusals } from '../../operations/allocations/refused-claims.ts';
import { isForWantOfRoom } from '../../operations/candidates/aggregate-caps.ts';
import type { FoundCandidate } from '../../operations/candidates/candidates.ts';
import type { ClaimInput } from '../../operations/candidates/claim-units.ts';
import type { Claimed } from '../../operations/candidates/claim-writes.ts';
import { tryClaim } from '../../operations/candidates/claims.ts';
import type { CandidatesInput } from '../../operations/candidates/requests.ts';
import { forestOf } from '../../operations/forest/forest.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { hasFirstAnswer } from '../../operations/scope/write.ts';
import { computeNodeOfRoot } from '../compute-nodes/compute-nodes.ts';
import type { RequestWarning } from '../terms/request-warnings.ts';
import { type DestinationSearchInput, prepareSearch } from './destination-search.ts';
import { findMoves, type Moves } from './moves.ts';
import { describeSelection, type Selection, warningsOfCells } from './selections.ts';

export interface DestinationsInput extends DestinationSearchInput {
  /** The number of alternates for each instance; 2 if omitted. */
  readonly alternates?: Optional<number>;
  readonly mode?: ClaimInput['mode'];
}

export interface SelectedDestination {
  readonly instance: Consumer;
  /** The migration of a moving instance, which holds the source. */
  readonly migration: Consumer | null;
  /** The claimed destination. */
  readonly selected: Selection;
  /** Alternates, which reserve nothing. */
  readonly alternates: readonly Selection[];
}

export interface SelectedDestinations {
  /** In the order of the instances. */
  readonly destinations: readonly SelectedDestination[];
  /** Ignored parts of the flavor, and pre-filters that could not be used. */
  readonly warnings: readonly RequestWarning[];
  /** With BEST_EFFORT: why the other instances got no destination. */
  readonly problems: readonly Problem[];
}

/** Nova tries at most three hosts for an instance. */
const usualAlternates = 2;

/**
 * Finds and claims a destination for each instance, all or nothing by default, and returns alternates: hosts of the same cell that were not selected
 * in this call. Refuses INVALID_INPUT; NOT_FOUND for unknown classes and traits, and for a moving instance without allocations; CONSUMER_CONFLICT for an
 * instance that has allocations but does not move; and NO_CANDIDATES with the reasons.
 */
export async function selectDestinations(scope: RequestScope, input: DestinationsInput): Promise<SelectedDestinations> {
  // A repeated call returns the first answer, whatever has happened to hosts and instances since.
  const isRepeated = await hasFirstAnswer(scope);
  const { seekers, request, fallback, cells, guidance, boundCell, warnings } = await prepareSearch(scope, input, { isRepeated });
  const moves = await findMoves(scope, seekers, { isRepeated, allowSource: input.allowSource ?? false });
  const claimFor = (asked: typeof request, rules: readonly RootRule[], isShared?: true) =>
    tryClaim(
      scope,
      {
        consumers: moves.consumers,
        request: asked,
        mode: input.mode,
        alternates: input.alternates ?? usualAlternates,
        alternatesIn: cells,
      },
      {
        ...guidance,
        leaving: moves.leaving,
        mostConsumers: limits.claimInstances,
        rootRules: [...guidance.rootRules, ...moves.rules, ...rules],
        describe: async (candidates) => ({
          ...{ warnings, ...(isShared && { isShared }) },
          ...(await findPlaces(scope, candidates, cells)),
        }),
      },
    );
  const otherwise = fallback && (async () => claimFor(fallback, await withoutDedicated(scope), true));
  const place = (problem: Problem) => placeInDestinations(problem, moves, request, input);
  const claimed = await relabel(() => countingRefusals(scope, () => claimOr(() => claimFor(request, []), otherwise)), place);
  const context = readContext(claimed.own as SelectionContext);
  const select = (found: FoundCandidate) =>
    describeSelection(found, {
      cell: context.cells[found.root.uuid] ?? null,
      serviceHost: context.hosts[found.root.uuid] ?? found.root.name,
      boundCell,
    });
  const migrations = new Map(claimed.claims.flatMap(({ consumer, candidate }) => (candidate ? [] : [[consumer.uuid, consumer]])));
  const destinations = claimed.claims.flatMap(({ consumer, candidate, alternates }) => {
    if (!candidate) return [];
    const migration = migrations.get(moves.migrationOf(consumer.uuid) ?? '') ?? null;
    return [{ instance: consumer, migration, selected: select(candidate), alternates: alternates.map(select) }];
  });
  const selections = destinations.flatMap(({ selected, alternates }) => [selected, ...alternates]);
  return {
    destinations,
    // Not among the warnings that are kept, because a gateway of the previous release could not answer a repeated call with this one.
    warnings: [...context.warnings, ...warningsOfCells(selections, boundCell)],
    problems: claimed.problems.map((problem) => relabelled(problem, place)),
  };
}

/** Tries a claim, and if it finds nothing, another. If that finds nothing either, refuses for the reasons of the first. */
async function claimOr(first: () => Promise<Claimed>, then: (() => Promise<Claimed>) | null): Promise<Claimed> {
  if (!then) return first();
  const found = await orNothing(first);
  if (!(found instanceof Refusal) && found.claims.length > 0) return found;
  const other = await orNothing(then);
  if (!(other instanceof Refusal) && other.claims.length > 0) return other;
  if (found instanceof Refusal) throw found;
  return found;
}

/** The result of a claim, or its refusal if it found nothing. */
async function orNothing(run: () => Promise<Claimed>): Promise<Claimed | Refusal> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Refusal && error.problems.every(isForWantOfRoom)) return error;
    throw error;
  }
}

/** Excludes hosts that report dedicated processors from serving shared ones instead, because Nova's other filters would exclude them. */
async function withoutDedicated(scope: RequestScope): Promise<RootRule[]> {
  const forest = await forestOf(scope.db).current();
  const classId = forest.classes.idOf('PCPU');
  const trees = classId === undefined ? [] : forest.byClass.listOf(classId).trees;
  const except = new Set(trees.map(({ root }) => root.state.provider.uuid));
  return [{ words: 'without processors to dedicate', except }];
}

/** The state when destinations were claimed, for replays; cells and hosts by the uuid of a root. */
interface SelectionContext {
  readonly warnings: readonly RequestWarning[];
  /** Whether the hosts have shared processors only, for an instance that asks for dedicated ones. */
  readonly isShared?: true;
  readonly cells: Readonly<Record<string, Aggregate>>;
  readonly hosts: Readonly<Record<string, string>>;
}

/** The warning about shared processors is not kept, because a gateway of the previous release could not answer a repeated call with it. */
function readContext(context: SelectionContext): SelectionContext {
  if (!context.isShared) return context;
  const message =
    'No host that reports dedicated processors has room: the chosen ones report none, and were not checked for any to dedicate.';
  return { ...context, warnings: [...context.warnings, { code: 'DEDICATED_CPUS_NOT_CHECKED', message, subject: null }] };
}

/** The cell of each root that is in one, and its service host. At most two statements. */
async function findPlaces(
  scope: RequestScope,
  candidates: readonly FoundCandidate[],
  cells: readonly string[],
): Promise<Pick<SelectionContext, 'cells' | 'hosts'>> {
  const found = await Promise.all(
    candidates.map(async ({ root }) => {
      const [node, aggregates] = await Promise.all([
        computeNodeOfRoot(scope, root.uuid),
        cells.length > 0 ? scope.loaders.aggregatesByProvider.load(root.id) : [],
      ]);
      return { root: root.uuid, host: node?.facts?.host, cell: aggregates.find(({ uuid }) => cells.includes(uuid)) };
    }),
  );
  return {
    cells: Object.fromEntries(found.flatMap(({ root, cell }) => (cell ? [[root, cell]] : []))),
    hosts: Object.fromEntries(found.flatMap(({ root, host }) => (host ? [[root, host]] : []))),
  };
}

/** Converts paths in a claim to paths in the input that it was made from. */
function placeInDestinations({ path }: Problem, moves: Moves, { groups }: CandidatesInput, { otherGroups }: DestinationSearchInput): Path {
  const [part, at, ...rest] = path;
  if (part === 'consumers') return at === undefined ? ['instances'] : moves.pathOf(Number(at), rest);
  if (part === 'alternatesIn') return ['cells', ...path.slice(1)];
  if (part !== 'request' || at === undefined) return path;
  if (at === 'rootAggregates') return ['aggregates', ...rest];
  if (at === 'orderBy') return [at, ...rest];
  const [index, ...within] = rest;
  const other = at === 'groups' ? (otherGroups ?? []).findIndex(({ suffix }) => suffix === groups[Number(index)]?.suffix) : -1;
  return other < 0 ? ['requestFrom'] : ['otherGroups', other, ...within];
}
