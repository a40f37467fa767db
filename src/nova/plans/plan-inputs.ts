// The common input of plans: the hosts, the consumers on them, and what these would need elsewhere, in a copy of the forest. Only reads.
import type { Forest, Tree } from '../../domain/candidates/forest.ts';
import type { CandidateRequest } from '../../domain/candidates/request.ts';
import { invalidInput, refusalOf, relabel } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { type Conditions, type Holding, type Occupant, occupantOf } from '../../domain/plans/consumers.ts';
import { type ConsumerGroup, ConsumerGroups } from '../../domain/plans/groups.ts';
import { listConsumerUuids } from '../../operations/allocations/consumers.ts';
import { findHolders, type Holder } from '../../operations/allocations/holdings.ts';
import { type CandidatesInput, type Clause, parseClauses, parseRequest, parseTraits } from '../../operations/candidates/requests.ts';
import { copyForest } from '../../operations/forest/own-forest.ts';
import { mapInTurn } from '../../operations/request/event-loop-share.ts';
import { InputCheck } from '../../operations/request/input.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { pciAliasKey } from '../flavors/pci-requests.ts';
import type { AskedOfHosts } from '../numa/host-rooms.ts';
import { rulesOfHosts } from '../numa/pci-filter.ts';
import type { Given } from '../objects/given.ts';
import { parseServerGroup, type ServerGroupFields } from '../requests/server-groups.ts';
import { type FlavorToRequestInput, translateFlavor } from '../requests/translations.ts';
import { disabledTrait } from '../services/compute-program.ts';
import { migrationType, untrackedType } from '../terms/consumer-types.ts';
import { type RequestWarning, withoutCells } from '../terms/request-warnings.ts';
import { type PlannedDevices, readPlannedDevices } from './planned-devices.ts';

/** What to plan for: exactly one of a flavor and a request. */
export interface AskedInput {
  readonly flavorToRequest?: Optional<FlavorToRequestInput>;
  readonly request?: Optional<CandidatesInput>;
}

export interface PlanInput {
  /** Uuids of the compute nodes, which are those of their root providers. */
  readonly computeNodes: readonly string[];
  /** The requests of consumers; those of others are reconstructed from what they hold. */
  readonly requests?: Optional<readonly { readonly consumers: readonly string[]; readonly asks: AskedInput }[]>;
  /** Uuids of consumers that must not be moved. */
  readonly stayingConsumers?: Optional<readonly string[]>;
  /** Conditions on all destinations. */
  readonly rootTraits?: Optional<readonly Clause[]>;
  readonly rootAggregates?: Optional<readonly Clause[]>;
  /** Uuids of aggregates, such as zones and cells, that no move may leave or enter. */
  readonly sameAggregates?: Optional<readonly string[]>;
  /** The classes that count in the load of a host; VCPU and MEMORY_MB if omitted. */
  readonly resourceClasses?: Optional<readonly string[]>;
  readonly maxMoves?: Optional<number>;
  readonly serverGroups?: Optional<readonly Given<ServerGroupFields>[]>;
}

/** The data for a plan. */
export interface PlanBasis {
  /** A copy that the plan may change. */
  readonly forest: Forest;
  /** The trees of the hosts, in the order of the input. */
  readonly trees: readonly Tree[];
  readonly occupants: readonly Occupant[];
  readonly groups: ConsumerGroups;
  readonly devices: PlannedDevices;
  readonly classIds: readonly number[];
  readonly maxMoves: number;
  /** Warnings about ignored parts of flavors. */
  readonly warnings: readonly RequestWarning[];
}

/** Why consumers of a type cannot be moved. */
const obstacles: ReadonlyMap<string, Holding['obstacle']> = new Map([
  [migrationType, 'MOVING'],
  [untrackedType, 'UNTRACKED'],
] as const);

const usualClasses = ['VCPU', 'MEMORY_MB'];

/**
 * Reads the data for a plan. `empties`: whether all hosts will be emptied onto any other hosts; otherwise consumers move only among them. Costs a statement per
 * thousand consumers, four more, and one per flavor; for devices up to three more, and two per flavor with cells and cards in Placement. Refuses INVALID_INPUT,
 * and NOT_FOUND for unknown hosts and classes.
 */
export async function readPlanBasis(scope: RequestScope, input: PlanInput, empties: boolean): Promise<PlanBasis> {
  const conditions = checkPlan(input);
  const { given, warnings } = await givenRequests(scope, input.requests ?? []);
  const groups = readGroups(input.serverGroups ?? []);
  const holdings = await readHoldings(scope, input);
  const members = await findHolders(scope, [...new Set(groups.flatMap((group) => group.members))]);
  const named = [...holdings, ...members.values()].flatMap(({ allocations }) =>
    allocations.map(({ resourceProvider }) => resourceProvider),
  );
  const forest = await copyForest(scope, empties ? undefined : [...input.computeNodes, ...named]);
  const trees = input.computeNodes.map((uuid, index) => treeOf(forest, uuid, ['computeNodes', index]));
  const classIds = (input.resourceClasses ?? usualClasses).flatMap((name, index) => {
    const id = forest.classes.idOf(name);
    if (id !== undefined) return [id];
    if (!input.resourceClasses) return [];
    throw refusalOf({ code: 'NOT_FOUND', details: { noun: 'resourceClass', key: name } }, ['resourceClasses', index]);
  });
  const ofPlan = new Set(trees);
  const occupants = await mapInTurn(holdings, (holding) =>
    occupantOf(forest, holding, ofPlan, given.get(holding.uuid)?.request, conditions),
  );
  const devices = await readPlannedDevices(scope, forest, trees, given);
  const emptied = empties ? ofPlan : new Set<Tree>();
  return {
    ...{ forest, trees, occupants, devices, classIds, maxMoves: input.maxMoves ?? limits.defaultPlanMoves },
    warnings: devices.knowsCells ? withoutCells(warnings) : warnings,
    groups: new ConsumerGroups(groups, (member) => homeOf(forest, members.get(member), emptied)),
  };
}

/** Refuses INVALID_INPUT; returns the conditions on destinations. Hosts whose service is disabled take no new instances. */
function checkPlan(input: PlanInput): Conditions {
  const check = new InputCheck();
  const { computeNodes, requests, stayingConsumers, sameAggregates, resourceClasses, maxMoves } = input;
  check.size(['computeNodes'], computeNodes, 1, limits.planHosts);
  check.unique(['computeNodes'], computeNodes, (index) => [index]);
  check.size(['requests'], requests ?? [], 0, limits.planRequests);
  check.size(['stayingConsumers'], stayingConsumers ?? [], 0, limits.planConsumers);
  check.size(['sameAggregates'], sameAggregates ?? [], 0, limits.filterKeys);
  check.size(['resourceClasses'], resourceClasses ?? [''], 1, limits.classesAsked);
  for (const [index, name] of (resourceClasses ?? []).entries()) check.className(['resourceClasses', index], name);
  if (typeof maxMoves === 'number' && (maxMoves < 1 || maxMoves > limits.planMoves))
    check.add(['maxMoves'], `must be from 1 to ${limits.planMoves}`);
  const rootTraits = parseTraits(check, ['rootTraits'], input.rootTraits ?? []);
  const rootAggregates = parseClauses(check, ['rootAggregates'], input.rootAggregates ?? []);
  check.done();
  return { rootTraits: [...rootTraits, { noneOf: [disabledTrait] }], rootAggregates, sameAggregates: sameAggregates ?? [] };
}

/** The requests given by the caller, by consumer. */
async function givenRequests(scope: RequestScope, requests: NonNullable<PlanInput['requests']>) {
  const given = new Map<string, Asked>();
  const warnings: RequestWarning[] = [];
  for (const [index, { consumers, asks }] of requests.entries()) {
    const place = ['requests', index];
    if (consumers.length > limits.planConsumers)
      throw invalidInput([...place, 'consumers'], `must have at most ${limits.planConsumers} elements`);
    const asked = await withRulesOfCards(scope, await readAsked(scope, asks, [...place, 'asks']));
    warnings.push(...asked.warnings);
    for (const [at, consumer] of consumers.entries()) {
      if (given.has(consumer)) throw invalidInput([...place, 'consumers', at], 'is listed twice');
      given.set(consumer, asked);
    }
  }
  return { given, warnings };
}

/** A parsed request, and the path for its problems. */
interface Asked extends AskedOfHosts {
  readonly request: CandidateRequest;
  readonly path: Path;
  readonly warnings: readonly RequestWarning[];
}

/** Adds the rule that decides which cards in Placement may serve. The plan itself tracks all other devices. */
async function withRulesOfCards(scope: RequestScope, asked: Asked): Promise<Asked> {
  if (!asked.devices.some(({ inPlacement }) => inPlacement)) return asked;
  const { rules: rootRules } = await rulesOfHosts(scope, asked, 1);
  return { ...asked, request: { ...asked.request, rootRules }, devices: asked.devices.filter(({ inPlacement }) => !inPlacement) };
}

/** Translates the input to a request of the domain. Refuses INVALID_INPUT below `path`. */
export async function readAsked(scope: RequestScope, { flavorToRequest, request }: AskedInput, path: Path): Promise<Asked> {
  const place = [...path, 'request'];
  if (request) return { request: parseRequest(request, place), path: place, devices: [], guest: null, warnings: [] };
  if (!flavorToRequest) throw invalidInput(path, 'must have exactly one of flavorToRequest and request');
  const translated = await relabel(
    () => translateFlavor(scope, flavorToRequest),
    ({ path: below }) => [...path, 'flavorToRequest', ...below],
  );
  const here = [...path, 'flavorToRequest', 'flavor'];
  const parsed = await relabel(
    async () => parseRequest(translated.request),
    () => here,
  );
  const { devices, guest, warnings } = translated;
  // Plans do look for the devices of aliases on hosts.
  const unchecked = warnings.filter(({ subject }) => devices.length === 0 || subject !== pciAliasKey);
  return { request: parsed, path: here, devices, guest, warnings: unchecked };
}

/** The groups with hard policies. Refuses INVALID_INPUT. */
function readGroups(given: readonly Given<ServerGroupFields>[]): ConsumerGroup[] {
  const check = new InputCheck();
  check.size(['serverGroups'], given, 0, limits.planGroups);
  const groups = given.flatMap((group, index): ConsumerGroup[] => {
    const { policy = 'ANY', perRoot = 1, members = [] } = parseServerGroup(group, ['serverGroups', index])?.affinity ?? {};
    return policy === 'ANY' ? [] : [{ policy, perRoot, members }];
  });
  check.size(
    ['serverGroups'],
    groups.flatMap(({ members }) => members),
    0,
    limits.planConsumers,
  );
  return groups;
}

/** The tree of a consumer, apart from pools; null if it is in none or will leave it. */
function homeOf(forest: Forest, holder: Holder | undefined, emptied: ReadonlySet<Tree>): Tree | null {
  const held = (holder?.allocations ?? []).map(({ resourceProvider }) => forest.findByUuid(resourceProvider));
  const home = held.find((provider) => provider && !provider.isSharing)?.tree;
  return home && !emptied.has(home) ? home : null;
}

/** All consumers in the trees of the hosts. */
async function readHoldings(scope: RequestScope, { computeNodes, stayingConsumers }: PlanInput): Promise<Holding[]> {
  const most = limits.planConsumers;
  const uuids = await listConsumerUuids(scope, { inTrees: computeNodes }, most);
  if (!uuids) throw invalidInput(['computeNodes'], `more than ${most} consumers have allocations there: plan for fewer hosts at a time`);
  const staying = new Set(stayingConsumers);
  const holders = await findHolders(scope, uuids);
  return [...holders.values()].map(({ uuid, generation, type, allocations }) => ({
    ...{ uuid, generation, allocations },
    obstacle: staying.has(uuid) ? 'STAYING' : (obstacles.get(type ?? '') ?? null),
  }));
}

/** The tree of a host. Refuses NOT_FOUND if the uuid is not that of a root. */
export function treeOf(forest: Forest, uuid: string, path: Path): Tree {
  const tree = forest.findByUuid(uuid)?.tree;
  if (tree?.root.state.provider.uuid === uuid) return tree;
  throw refusalOf({ code: 'NOT_FOUND', details: { noun: 'resourceProvider', key: uuid } }, path);
}
