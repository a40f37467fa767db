// Finds hosts for instances: the part of a scheduler that queries placement. A flavor becomes a request, pre-filters restrict it, candidates are
// found and claimed, and alternates are returned that can be claimed later without asking the scheduler again. Filters and weighers that use data
// outside placement are not here.
import type { Consumer } from '../../domain/allocation.ts';
import { type Problem, relabel, relabelled } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import type { Aggregate } from '../../domain/provider.ts';
import type { CandidatesInput, FoundCandidate } from '../../operations/candidates/candidates.ts';
import { type ClaimInput, claim } from '../../operations/candidates/claims.ts';
import type { RequestScope } from '../../operations/request/scope.ts';
import type { RequestWarning } from '../flavors/request-warnings.ts';
import { type FlavorToRequestInput, translateFlavor } from '../requests/translations.ts';
import { instanceType } from './consumer-types.ts';
import { describeSelection, type Selection } from './selections.ts';

export interface DestinationsInput extends FlavorToRequestInput {
  /** 1 to 100 instances, each of which gets its own destination. */
  readonly instances: readonly { readonly instance: string; readonly project: string; readonly user: string }[];
  /** Zones, tenants, isolation: aggregates of the compute node. */
  readonly aggregates?: CandidatesInput['rootAggregates'];
  /** Aggregates that represent the cells of the cloud. */
  readonly cells?: Optional<readonly string[]>;
  /** For each instance; 2 when omitted. */
  readonly alternates?: Optional<number>;
  readonly mode?: ClaimInput['mode'];
  readonly orderBy?: CandidatesInput['orderBy'];
}

export interface SelectedDestination {
  readonly instance: Consumer;
  /** Claimed. */
  readonly selected: Selection;
  /** Nothing is reserved on them. */
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
 * in this call. Refuses INVALID_INPUT, NOT_FOUND for classes and traits that do not exist, CONSUMER_CONFLICT for an instance that has allocations,
 * and NO_CANDIDATES with the reasons.
 */
export async function selectDestinations(scope: RequestScope, input: DestinationsInput): Promise<SelectedDestinations> {
  const { instances, cells } = input;
  const { request, warnings } = await requestFor(scope, input);
  const contextOf = async (candidates: readonly FoundCandidate[]): Promise<SelectionContext> => ({
    warnings,
    cells: await findCells(scope, candidates, cells ?? []),
  });
  const claimed = await relabel(
    () =>
      claim(
        scope,
        {
          consumers: instances.map(({ instance, project, user }) => ({
            ...{ consumer: instance, expect: { isNew: true }, project, user, consumerType: instanceType },
          })),
          request,
          mode: input.mode,
          alternates: input.alternates ?? usualAlternates,
          alternatesIn: cells,
        },
        contextOf,
      ),
    placeInDestinations,
  );
  const context = claimed.own as SelectionContext;
  const select = (found: FoundCandidate) => describeSelection(found, context.cells[found.root.uuid] ?? null);
  const destinations = claimed.claims.map(({ consumer, candidate, alternates }) => {
    if (!candidate) throw new Error('a claim without a candidate, although no consumer takes over from another');
    return { instance: consumer, selected: select(candidate), alternates: alternates.map(select) };
  });
  return {
    destinations,
    warnings: context.warnings,
    problems: claimed.problems.map((problem) => relabelled(problem, placeInDestinations)),
  };
}

/** The state when destinations were claimed, for replays. */
interface SelectionContext {
  readonly warnings: readonly RequestWarning[];
  /** By the uuid of a root. */
  readonly cells: Readonly<Record<string, Aggregate>>;
}

/** The cell of each root that is in one. At most one statement. */
async function findCells(
  { loaders }: RequestScope,
  candidates: readonly FoundCandidate[],
  cells: readonly string[],
): Promise<SelectionContext['cells']> {
  if (cells.length === 0) return {};
  const found = candidates.map(async ({ root }): Promise<[string, Aggregate][]> => {
    const cell = (await loaders.aggregatesByProvider.load(root.id)).find(({ uuid }) => cells.includes(uuid));
    return cell ? [[root.uuid, cell]] : [];
  });
  return Object.fromEntries((await Promise.all(found)).flat());
}

/** The request of a flavor, restricted by the pre-filters of the scheduler. */
async function requestFor(scope: RequestScope, input: DestinationsInput) {
  const { flavor, imageTraits, imageProperties, imageDiskFormat, bootedFromVolume, ports, deviceProfile, pci, prefilters, otherGroups } =
    input;
  const image = { imageTraits, imageProperties, imageDiskFormat, bootedFromVolume };
  const { request, warnings } = await translateFlavor(scope, { flavor, ...image, ports, deviceProfile, pci, prefilters, otherGroups });
  return { request: { ...request, rootAggregates: input.aggregates, orderBy: input.orderBy }, warnings };
}

/** Converts paths in a claim to paths in the input that it was made from. */
function placeInDestinations({ path }: Problem): Path {
  const [part, at, ...rest] = path;
  if (part === 'consumers') return ['instances', ...(at === undefined ? [] : [at]), ...instancePath(rest)];
  if (part === 'alternatesIn') return ['cells', ...path.slice(1)];
  if (part !== 'request' || at === undefined) return path;
  if (at === 'rootAggregates') return ['aggregates', ...rest];
  return at === 'orderBy' ? [at, ...rest] : ['flavor'];
}

function instancePath([part, ...rest]: readonly string[]): string[] {
  if (part === 'expect' || part === undefined) return [];
  return part === 'consumer' ? ['instance'] : [part, ...rest];
}
