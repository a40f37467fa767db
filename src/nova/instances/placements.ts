// The allocations that an instance should have on its compute node: the amounts, and the providers in the node's tree or pools that serve it. Most flavors
// request only sizes, which come from the node itself; for all others, the forest is searched under this one root.
import type { AllocationInput } from '../../domain/allocation.ts';
import { explainSearch } from '../../domain/candidates/explain.ts';
import type { Forest, Tree } from '../../domain/candidates/forest.ts';
import type { CandidateRequest } from '../../domain/candidates/request.ts';
import { type Candidate, searchCandidates } from '../../domain/candidates/search.ts';
import { supposeUse, type UsedAmount } from '../../domain/candidates/supposed-use.ts';
import { invalidInput, problemOf, Refusal, refusalOf } from '../../domain/errors.ts';
import type { ResourceAmount } from '../../domain/provider.ts';
import type { Holder } from '../../operations/allocations/holdings.ts';
import { allocationsOf, renderCandidate } from '../../operations/candidates/candidates.ts';
import { ClaimableRoom } from '../../operations/candidates/claimable-room.ts';
import { type CandidatesInput, parseRequest } from '../../operations/candidates/requests.ts';
import { forestOf } from '../../operations/forest/forest.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { type FlavorRequest, flavorToRequest } from '../flavors/flavor-request.ts';
import { networkFunctionClass } from '../pci/pci-cards.ts';
import { listPciDevices } from '../pci/pci-devices.ts';
import type { PciDevice } from '../pci/pci-pools.ts';
import { ownedRequest } from '../requests/translations.ts';
import { compareHoldings } from './audit.ts';
import { allocationsForInstance, amountsOfInstance, type InstancePlace } from './instance-allocations.ts';
import type { Instance } from './instance-inputs.ts';

/** The number of ways to serve an instance on its node that are compared with what it holds. */
const waysCompared = 50;
const diskClass = 'DISK_GB';

/** All amounts that an instance requests, including the extra specs of its flavor, regardless of the provider. */
function demandOf(instance: Instance): ResourceAmount[] {
  return amountsOf(requestOf(instance).request, instance);
}

/** The same, followed by what it may hold instead on a host that does not report dedicated processors. */
export function demandsOf(instance: Instance): readonly ResourceAmount[][] {
  const { request, fallback } = requestOf(instance);
  return [request, ...(fallback ? [fallback] : [])].map((asked) => amountsOf(asked, instance));
}

function requestOf({
  flavor,
  imageProperties,
  bootedFromVolume,
  pciPassthrough,
  ports,
  deviceProfile,
  place,
  path,
}: Instance): FlavorRequest {
  try {
    return flavorToRequest(flavor, { imageProperties, bootedFromVolume, pciPassthrough, ports, deviceProfile });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const besideFlavor = ['pciPassthrough', 'ports', 'deviceProfile'];
    throw error.relabelled((problem) =>
      besideFlavor.includes(String(problem.path[0])) ? [...path, ...problem.path] : [...place, 'flavor'],
    );
  }
}

function amountsOf({ groups }: CandidatesInput, instance: Instance): ResourceAmount[] {
  return sumAmounts([...groups.flatMap(({ resources }) => resources ?? []), ...devicesOf(instance)]);
}

/** The whole devices that it has, unless the aliases of its flavor are known. */
function devicesOf({ flavor, pciPassthrough, ...facts }: Instance): ResourceAmount[] {
  if (pciPassthrough) return [];
  return amountsOfInstance(flavor, facts).filter(({ resourceClass }) => resourceClass === 'PCI_DEVICE');
}

/** One amount for each class, in the order of their first occurrence. */
export function sumAmounts(amounts: readonly ResourceAmount[]): ResourceAmount[] {
  const sums = new Map<string, number>();
  for (const { resourceClass, amount } of amounts) sums.set(resourceClass, (sums.get(resourceClass) ?? 0) + amount);
  return [...sums].map(([resourceClass, amount]) => ({ resourceClass, amount }));
}

/** The node of an instance. */
interface Node {
  readonly uuid: string;
  readonly forest: Forest;
  readonly tree: Tree;
}

/**
 * The allocations that an instance should have on a compute node, as if it released what it holds. It keeps the providers that it already uses where possible,
 * and otherwise gets the cards that the host reports as the instance's. At most three statements, and two for its room. Refuses NOT_FOUND for an unknown node,
 * NO_CANDIDATES if the providers of the node cannot serve it. `ofPorts`: the most network functions that it keeps beyond its demand; `room`: what it may take,
 * instead of what its reservation keeps, or what lasts.
 */
export async function placeOnNode(
  scope: RequestScope,
  instance: Instance,
  computeNode: string,
  before: Holder | null,
  {
    ofPorts = Number.POSITIVE_INFINITY,
    room = new ClaimableRoom(scope, before?.reservation ?? null, []),
  }: { readonly ofPorts?: number; readonly room?: ClaimableRoom } = {},
): Promise<AllocationInput[]> {
  const { flavor, ...facts } = instance;
  const [plain, whole] = [amountsOfInstance(flavor, facts), demandOf(instance)];
  const isPlain = compareHoldings(onOne(plain), onOne(whole)) === 'RIGHT';
  const requests = isPlain ? [] : await ownedRequests(scope, instance);
  const forest = await forestOf(scope.db).current();
  const tree = forest.findByUuid(computeNode)?.tree;
  if (!tree || tree.root.state.provider.uuid !== computeNode) {
    throw refusalOf({ code: 'NOT_FOUND', details: { noun: 'resourceProvider', key: computeNode } }, ['computeNode']);
  }
  const node = { uuid: computeNode, forest, tree };
  if (isPlain)
    return withPorts(allocationsForInstance(flavor, { ...facts, computeNode, ...diskOf(instance, node) }), node, before, ofPorts);
  const devices = await listPciDevices(scope, computeNode);
  const cards = devices.flatMap((device) => (device.instance === instance.uuid ? cardOf(device) : []));
  const search = async (): Promise<AllocationInput[]> => {
    try {
      return searchNode({ ...node, forest: await room.in(forest) }, requests, instance, before, new Set(cards));
    } catch (error) {
      if (error instanceof Refusal && (await room.widen())) return search();
      throw error;
    }
  };
  return withPorts(await search(), node, before, ofPorts);
}

/** Adds the network functions of the node that it holds beyond its demand: those are of its ports, which its flavor does not show. */
function withPorts(allocations: readonly AllocationInput[], { uuid }: Node, before: Holder | null, ofPorts: number): AllocationInput[] {
  const functionsIn = (some: readonly AllocationInput[]) =>
    some
      .filter(({ resourceProvider }) => resourceProvider === uuid)
      .flatMap(({ resources }) => resources)
      .reduce((sum, { resourceClass, amount }) => sum + (resourceClass === networkFunctionClass ? amount : 0), 0);
  const amount = Math.min(functionsIn(before?.allocations ?? []) - functionsIn(allocations), ofPorts);
  if (amount <= 0) return [...allocations];
  const own = allocations.find(({ resourceProvider }) => resourceProvider === uuid);
  const resources = [...(own?.resources ?? []), { resourceClass: networkFunctionClass, amount }];
  return [{ resourceProvider: uuid, resources: sumAmounts(resources) }, ...allocations.filter((one) => one !== own)];
}

/** The address of the card of a device, spelled as at the end of the card's name. */
const cardOf = ({ address, parentAddress }: PciDevice) => (parentAddress ?? address).toUpperCase();

/**
 * Refuses an image that requires traits which the flavor forbids (INVALID_INPUT) or the providers of the instance lack (NO_CANDIDATES), as Nova does when an
 * instance is rebuilt with another image. At most one statement.
 */
export async function refuseUnfitImage(scope: RequestScope, instance: Instance, allocations: readonly AllocationInput[]): Promise<void> {
  const { uuid: consumer, flavor, imageProperties, path, place } = instance;
  const traits = imageTraitsOf(imageProperties ?? {});
  if (traits.length === 0) return;
  const forbidden = new Set(Object.entries(flavor.extraSpecs).flatMap(([key, value]) => (value === 'forbidden' ? traitIn(key) : [])));
  const contradicted = traits.find((trait) => forbidden.has(trait));
  if (contradicted) throw invalidInput([...path, 'imageProperties'], `requires ${contradicted}, which the flavor forbids`);
  const forest = await forestOf(scope.db).current();
  const providers = allocations.flatMap(({ resourceProvider }) => forest.findByUuid(resourceProvider) ?? []);
  const missing = traits.filter((trait) => !providers.some((provider) => provider.traits.has(forest.traits.idOf(trait) ?? -1)));
  if (missing.length === 0 || providers.length === 0) return;
  const resources = sumAmounts(allocations.flatMap((held) => held.resources));
  const request = parseRequest({ groups: [{ resources, traits: [{ allOf: missing }] }] }, place);
  const trees = [...new Set(providers.flatMap(({ isSharing, tree }) => (isSharing ? [] : tree)))];
  const explanation = explainSearch(forest, request, undefined, trees);
  const message = `The image requires ${missing.join(', ')}, which none of the providers of the instance has.`;
  throw new Refusal([problemOf({ code: 'NO_CANDIDATES', details: { consumer, explanation } }, [...path, 'imageProperties'], message)]);
}

const imageTraitsOf = (properties: Readonly<Record<string, string>>) =>
  Object.entries(properties).flatMap(([key, value]) => (value === 'required' ? traitIn(key) : []));

/** The trait in the key of an extra spec or property, in any group. */
const traitIn = (key: string) => /^trait[^:]*:(.+)$/.exec(key)?.slice(1) ?? [];

const onOne = (resources: readonly ResourceAmount[]): AllocationInput[] => [{ resourceProvider: '', resources }];

/** The request, then its fallback. Conditions on the host are left out, because the instance is already there. */
async function ownedRequests(scope: RequestScope, instance: Instance): Promise<CandidateRequest[]> {
  const { request, fallback } = await ownedRequest(scope, requestOf(instance));
  const devices = devicesOf(instance);
  return [request, ...(fallback ? [fallback] : [])].map((asked) => {
    const groups = asked.groups.map((group) => (group.suffix ? group : { ...group, resources: [...(group.resources ?? []), ...devices] }));
    const parsed = parseRequest({ ...asked, groups, rootTraits: null }, instance.place);
    return { ...parsed, limit: waysCompared, perRootLimit: null, order: [] };
  });
}

/** Whether the node has an inventory of disk; if not, the pool with the disk: the one given, or the oldest that serves the node. */
function diskOf({ pool }: Instance, { forest, tree }: Node): Pick<InstancePlace, 'pool' | 'hasLocalDisk'> {
  const diskId = forest.classes.idOf(diskClass);
  if (diskId === undefined || tree.root.inventoryOf(diskId)) return { pool, hasLocalDisk: true };
  const serving = [...forest.sharing].filter(
    (provider) => provider.inventoryOf(diskId) && provider.aggregates.ids.some((id) => tree.aggregates.has(id)),
  );
  return { pool: pool ?? serving.sort((a, b) => a.id - b.id)[0]?.state.provider.uuid, hasLocalDisk: false };
}

function searchNode(
  { uuid, forest, tree: known }: Node,
  requests: readonly CandidateRequest[],
  { uuid: consumer, pool, place }: Instance,
  before: Holder | null,
  cards: ReadonlySet<string>,
): AllocationInput[] {
  const held = (before?.allocations ?? []).flatMap(({ resourceProvider, resources }) =>
    resources.flatMap(({ resourceClass, amount }): UsedAmount[] => {
      const provider = forest.findByUuid(resourceProvider);
      const classId = forest.classes.idOf(resourceClass);
      return provider && classId !== undefined ? [{ provider, classId, amount }] : [];
    }),
  );
  // None if nothing of it is reserved.
  const tree = forest.findByUuid(uuid)?.tree;
  const trees = tree ? [tree] : [];
  supposeUse(forest, held, -1);
  try {
    for (const request of requests) {
      const { candidates } = searchCandidates(forest, request, undefined, trees);
      const [best] = candidates.toSorted(
        (a, b) => likeness(b, held, pool) - likeness(a, held, pool) || reportedIn(b, cards) - reportedIn(a, cards),
      );
      if (best) return allocationsOf(renderCandidate(forest, best));
    }
    const explanation = explainSearch(forest, requests[0] as CandidateRequest, undefined, trees);
    const message = `${known.root.state.provider.name} cannot serve the instance. ${explanation.summary}`;
    throw new Refusal([problemOf({ code: 'NO_CANDIDATES', details: { consumer, explanation } }, [...place, 'flavor'], message)]);
  } finally {
    supposeUse(forest, held, 1);
  }
}

/** The number of amounts from providers that already give them to the instance, or from the pool of its disks. */
function likeness({ allocations }: Candidate, held: readonly UsedAmount[], pool: string | null): number {
  return allocations.filter(
    ({ provider, classId }) =>
      provider.state.provider.uuid === pool || held.some((one) => one.provider === provider && one.classId === classId),
  ).length;
}

/** The number of amounts from cards whose devices the host reports as the instance's. */
function reportedIn({ allocations }: Candidate, cards: ReadonlySet<string>): number {
  if (cards.size === 0) return 0;
  return allocations.filter(({ provider }) => cards.has(provider.state.provider.name.split('_').at(-1) ?? '')).length;
}
