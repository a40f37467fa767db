// Prepares the search for hosts of instances: the request to Placement, the rules for hosts, and how hosts that can serve are weighed. Writes nothing:
// selectDestinations claims what the search finds; plans only read it.
import type { Tree } from '../../domain/candidates/forest.ts';
import type { Weigh } from '../../domain/candidates/ranked.ts';
import { invalidInput, type Problem, relabel } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { ClaimGuidance } from '../../operations/candidates/claims.ts';
import type { CandidatesInput } from '../../operations/candidates/requests.ts';
import { InputCheck } from '../../operations/request/input.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { pciAliasKey } from '../flavors/pci-requests.ts';
import type { HostAggregate } from '../flavors/prefilters.ts';
import type { RequestGroup } from '../flavors/request-draft.ts';
import { rulesOfHosts } from '../numa/pci-filter.ts';
import type { Given } from '../objects/given.ts';
import { findHosts, type HostChoice, namedHosts } from '../requests/host-choice.ts';
import type { SpecChoice } from '../requests/request-specs.ts';
import { hintedHosts } from '../requests/scheduler-hints.ts';
import { parseServerGroup, type ServerGroup, type ServerGroupFields } from '../requests/server-groups.ts';
import {
  type FlavorToRequestInput,
  type RequestSpecToRequestInput,
  type TranslatedChoice,
  translateChoice,
  translateFlavor,
} from '../requests/translations.ts';
import { type RequestWarning, withoutCells } from '../terms/request-warnings.ts';
import { hostStatesIn } from './host-states.ts';
import type { DestinationSeeker } from './moves.ts';
import { defaultMultipliers, type Multipliers, multipliersIn, weighHosts } from './weighers.ts';

/** Exactly one of the two, as enforced by the contract. */
export type DestinationRequest =
  | { readonly flavorToRequest: FlavorToRequestInput; readonly requestSpecToRequest?: undefined }
  | { readonly flavorToRequest?: undefined; readonly requestSpecToRequest: RequestSpecToRequestInput };

export interface DestinationSearchInput {
  readonly requestFrom: DestinationRequest;
  /** 1 to 100 instances, each of which gets its own destination. If omitted, the instance of the RequestSpec. */
  readonly instances?: Optional<readonly DestinationSeeker[]>;
  readonly otherGroups?: Optional<readonly RequestGroup[]>;
  /** Zones, tenants, isolation: aggregates of the compute node. */
  readonly aggregates?: CandidatesInput['rootAggregates'];
  /** Aggregates that represent the cells of the cloud; those of the settings if omitted. */
  readonly cells?: Optional<readonly string[]>;
  readonly requiredCells?: Optional<readonly string[]>;
  readonly excludedCells?: Optional<readonly string[]>;
  readonly preferredCells?: Optional<readonly string[]>;
  readonly onHosts?: Optional<HostChoice>;
  readonly serverGroup?: Optional<Given<ServerGroupFields>>;
  readonly weightMultipliers?: Optional<{ readonly [Name in keyof Multipliers]?: Optional<number> }>;
  /** An order that replaces weights. */
  readonly orderBy?: CandidatesInput['orderBy'];
  /** Whether a moving instance may stay on its host, as in a resize. */
  readonly allowSource?: Optional<boolean>;
}

export interface PreparedSearch {
  readonly seekers: readonly DestinationSeeker[];
  readonly request: CandidatesInput;
  /** The request to use if the first finds nothing; see FlavorRequest. */
  readonly fallback: CandidatesInput | null;
  /** Uuids of the aggregates that are the cells of the cloud. */
  readonly cells: readonly string[];
  readonly guidance: ClaimGuidance & Required<Pick<ClaimGuidance, 'rootRules'>>;
  /** The cell that the RequestSpec is bound to. */
  readonly boundCell: string | null;
  readonly warnings: readonly RequestWarning[];
}

/**
 * Prepares a search. At most seven statements, usually two. `isRepeated`: the call will not search, so nothing is looked up. Refuses INVALID_INPUT.
 */
export async function prepareSearch(
  scope: RequestScope,
  input: DestinationSearchInput,
  { isRepeated = false }: { readonly isRepeated?: boolean } = {},
): Promise<PreparedSearch> {
  const { choice, settings, ...translated } = await translate(scope, input, isRepeated);
  const cells = input.cells ?? settings.cells ?? [];
  if (choice?.hints.isRebuild) {
    const words = 'a rebuild chooses no host: claimInstance with the new image checks what the instance holds';
    throw invalidInput([...placeOf(input.requestFrom), ...choice.hintsPath, '_nova_check_type'], words);
  }
  const seekers = input.instances ?? [seekerOf(choice)];
  const group = groupOf(input, choice);
  checkOrder(input, group);
  const ofSpec = (choice?.hosts ?? []).map((list) => ({ ...list, path: [...placeOf(input.requestFrom), ...list.path] }));
  const named = [...namedHosts(input.onHosts, ['onHosts']), ...ofSpec];
  const weighs = !isRepeated && !input.orderBy;
  const hosts = await findHosts(scope, isRepeated ? [] : named, { weighs });
  const hinted = choice && !isRepeated ? await hintedHosts(scope, choice.hints) : [];
  const ofHosts = isRepeated ? { rules: [], knowsCells: false } : await rulesOfHosts(scope, translated, seekers.length);
  // This search does look for the devices of aliases on hosts.
  const unchecked = translated.warnings.filter(({ subject }) => translated.devices.length === 0 || subject !== pciAliasKey);
  const weighed = { hostAggregates: translated.hostAggregates, weightMultipliers: input.weightMultipliers ?? settings.weightMultipliers };
  const { clauses, preferredCells, warnings } = cellsOf(input, cells, choice);
  const here = { rootAggregates: [...(input.aggregates ?? []), ...clauses], orderBy: input.orderBy };
  return {
    seekers,
    request: { ...translated.request, ...here },
    fallback: translated.fallback && { ...translated.fallback, ...here },
    cells,
    guidance: {
      rootRules: [...hosts.rules, ...hinted, ...ofHosts.rules],
      affinity: group?.affinity ?? null,
      weighIn: input.orderBy ? null : weighing(weighed, group, hosts, preferredCells),
    },
    boundCell: choice?.cell?.isBound ? choice.cell.uuid : null,
    warnings: [...(ofHosts.knowsCells ? withoutCells(unchecked) : unchecked), ...warnings],
  };
}

async function translate(
  scope: RequestScope,
  { requestFrom, otherGroups, instances }: DestinationSearchInput,
  isRepeated: boolean,
): Promise<TranslatedChoice> {
  const place = ({ path }: Problem): Path => (path[0] === 'otherGroups' ? path : [...placeOf(requestFrom), ...path]);
  const { flavorToRequest, requestSpecToRequest } = requestFrom;
  if (requestSpecToRequest) return relabel(() => translateChoice(scope, requestSpecToRequest, otherGroups ?? [], { isRepeated }), place);
  const project = flavorToRequest.project ?? projectOf(instances ?? []);
  const translated = await relabel(() => translateFlavor(scope, { ...flavorToRequest, otherGroups, project }, { isRepeated }), place);
  if (project === null && !flavorToRequest.prefilters && translated.settings.prefilters?.projectAggregates)
    throw invalidInput(
      ['instances'],
      'must be of one project, because projectAggregates of the settings places each in its own aggregates',
    );
  return translated;
}

/** The project of all these instances; null if they are of several. */
const projectOf = ([first, ...others]: readonly DestinationSeeker[]) =>
  others.every(({ project }) => project === first?.project) ? first?.project : null;

const placeOf = ({ requestSpecToRequest }: DestinationRequest): Path => [
  'requestFrom',
  requestSpecToRequest ? 'requestSpecToRequest' : 'flavorToRequest',
];

/** The instance of a RequestSpec. Refuses INVALID_INPUT if the RequestSpec is for several instances, or lacks facts about the instance. */
function seekerOf(choice: SpecChoice | null): DestinationSeeker {
  if (!choice) throw invalidInput(['instances'], 'must be given with a flavor');
  const { instance, project, user, count } = choice;
  if (count > 1) throw invalidInput(['instances'], `must be given: the RequestSpec is for ${count} instances`);
  if (!instance || !project || !user)
    throw invalidInput(['instances'], 'must be given: the RequestSpec lacks the instance, its project or its user');
  return { instance, project, user };
}

function groupOf({ serverGroup }: DestinationSearchInput, choice: SpecChoice | null): ServerGroup | null {
  if (!serverGroup) return choice?.group ?? null;
  if (choice?.group) throw invalidInput(['serverGroup'], 'must not be given: the RequestSpec has one');
  return parseServerGroup(serverGroup, ['serverGroup']);
}

/** An order excludes everything that only weights use. */
function checkOrder({ orderBy, weightMultipliers, onHosts, preferredCells }: DestinationSearchInput, group: ServerGroup | null): void {
  if (!orderBy) return;
  const check = new InputCheck();
  const weighed = { weightMultipliers, 'onHosts.prefer': onHosts?.prefer, preferredCells };
  for (const [field, value] of Object.entries(weighed)) if (value) check.add(['orderBy'], `must not be given with ${field}`);
  if (group?.affinity.policy === 'ANY') check.add(['orderBy'], `must not be given with a server group of the policy ${group.policy}`);
  check.done();
}

interface Cells {
  readonly clauses: NonNullable<CandidatesInput['rootAggregates']>;
  readonly preferredCells: readonly string[];
  readonly warnings: readonly RequestWarning[];
}

/** The conditions on cells. The cell that a RequestSpec names counts if it is among those of the cloud. */
function cellsOf(
  { requiredCells, excludedCells, preferredCells }: DestinationSearchInput,
  cells: readonly string[],
  choice: SpecChoice | null,
): Cells {
  const check = new InputCheck();
  for (const [field, uuids] of Object.entries({ requiredCells, excludedCells, preferredCells }))
    check.size([field], uuids ?? [], 0, limits.claimAggregates);
  const own = choice?.cell && cells.includes(choice.cell.uuid) ? choice.cell : null;
  const subject = 'requested_destination';
  const message = 'the cell of the requested_destination is not among the known cells, so it does not count';
  return {
    clauses: [
      ...(requiredCells ? [{ anyOf: requiredCells }] : []),
      ...(excludedCells?.length ? [{ noneOf: excludedCells }] : []),
      ...(own?.isBound ? [{ anyOf: [own.uuid] }] : []),
    ],
    preferredCells: [...(preferredCells ?? []), ...(own && !own.isBound ? [own.uuid] : [])],
    warnings: choice?.cell && !own ? [{ code: 'REQUEST_SPEC_NOT_CHECKED', subject, message }] : [],
  };
}

/** How hosts are weighed, computed for each forest. */
function weighing(
  { hostAggregates, weightMultipliers }: Pick<TranslatedChoice, 'hostAggregates'> & Pick<DestinationSearchInput, 'weightMultipliers'>,
  group: ServerGroup | null,
  { failedBuilds, preferred }: Pick<Awaited<ReturnType<typeof findHosts>>, 'failedBuilds' | 'preferred'>,
  preferredCells: readonly string[],
): NonNullable<ClaimGuidance['weighIn']> {
  const given = Object.fromEntries(Object.entries(weightMultipliers ?? {}).filter(([, multiplier]) => typeof multiplier === 'number'));
  const multipliers = { ...defaultMultipliers, ...given };
  return (forest): Weigh => {
    const stateOf = hostStatesIn(forest);
    const isIn = (cells: readonly string[]) => {
      const ids = cells.flatMap((uuid) => forest.aggregates.idOf(uuid) ?? []);
      return (host: string) => ids.some((id) => forest.findByUuid(host)?.aggregates.has(id));
    };
    const multipliersOf = multipliersByHost(hostAggregates, isIn);
    return (trees, atFirst) => {
      let present = atFirst;
      const table = weighHosts(trees.map(stateOf), {
        multipliers,
        membersOn: (host) => present.get(host) ?? 0,
        failedBuilds,
        policy: group?.policy ?? null,
        ...(multipliersOf ? { multipliersOf } : {}),
        isInCell: preferredCells.length > 0 ? isIn(preferredCells) : null,
        isPreferred: preferred.size > 0 ? (host) => preferred.has(host) : null,
      });
      return {
        sums: (included) => table.sums(included),
        update: (places, now) => {
          present = now;
          for (const place of places) table.update(place, stateOf(trees[place] as Tree));
        },
      };
    };
  };
}

/** The multipliers that host aggregates set; null if none does. */
function multipliersByHost(
  aggregates: readonly HostAggregate[],
  isIn: (cells: readonly string[]) => (host: string) => boolean,
): ((host: string) => Partial<Multipliers>) | null {
  const setting = aggregates.flatMap(({ aggregate, metadata }) => {
    const entries = Object.fromEntries(metadata.map(({ key, value }) => [key, value]));
    return Object.keys(multipliersIn([entries])).length > 0 ? [{ has: isIn([aggregate]), entries }] : [];
  });
  if (setting.length === 0) return null;
  return (host) => multipliersIn(setting.filter(({ has }) => has(host)).map(({ entries }) => entries));
}
