// Which inventories an edit covers: always whole trees, because NUMA cells and devices are in no aggregate themselves. What an edit leaves out is named.
import { ask } from '../data/ask.ts';
import { bounds } from '../data/bounds.ts';
import { formatCount } from '../formats/amounts.ts';
import { slicesOf } from '../parts/grouped.ts';
import {
  type PatchInventoriesInput,
  type ResourceProviderFilterInput,
  SelectedProviders,
  type SelectedProvidersQuery,
} from './actions.generated.ts';
import { countHosts } from './inventory-patch.ts';

interface Selected {
  readonly select: PatchInventoriesInput['select'];
  /** Who is left out, and why. */
  readonly leftOut: readonly string[];
}

export interface Scope {
  readonly label: string;
  /** Follows "Inventory of VCPU". */
  readonly title: string;
  readonly select: (resourceClass: string) => Promise<Selected>;
}

interface Place {
  readonly uuid: string;
  readonly name: string;
}

export interface Placed extends Place {
  readonly isSharing: boolean;
  readonly aggregates: readonly Place[];
}

/** Around an inventory of a provider: itself, its tree, and the aggregates that the provider or its root is in. */
export function scopesAround(provider: Placed, root: Placed, resourceClass: string): [Scope, ...Scope[]] {
  const { isSharing } = provider;
  const aggregates = new Map([...provider.aggregates, ...root.aggregates].map((aggregate) => [aggregate.uuid, aggregate]));
  return [
    {
      label: 'this provider only',
      title: `of ${provider.name}`,
      select: async () => ({ select: { one: { resourceProvider: provider.uuid, expect: { unchecked: true } } }, leftOut: [] }),
    },
    {
      label: `every ${resourceClass} inventory in its tree`,
      title: `in the tree of ${root.name}`,
      select: async () => ({ select: { filter: { inTrees: [root.uuid] } }, leftOut: [] }),
    },
    ...[...aggregates.values()].map(({ uuid, name }) => ({
      label: `every ${resourceClass} inventory ${isSharing ? 'of the shared pools ' : ''}in ${name}`,
      title: isSharing ? `of the shared pools in ${name}` : `in ${name}`,
      select: async () => {
        const filter = { aggregates: [{ allOf: [uuid] }] };
        return isSharing ? { select: { filter: { ...filter, isSharing } }, leftOut: [] } : treesOf(filter, resourceClass);
      },
    })),
  ];
}

/** The most names or uuids of a filter, and providers of a page: the most hosts that can be changed at once. */
export const mostNames = Math.min(bounds.filterKeys, bounds.pageSize);

/** The hosts that were selected in a list. The list shows sums of trees, so all of a tree is meant. */
export function scopesOfHosts(names: readonly string[]): [Scope, ...Scope[]] {
  const filter = { names: [...names] };
  const title = `of ${countHosts(names.length)}`;
  return [
    {
      label: 'the selected hosts and everything below them, where they have it',
      title,
      select: (resourceClass) => treesOf(filter, resourceClass),
    },
    {
      label: 'only the selected hosts themselves, where they have it',
      title: `${title} without what is below them`,
      select: async () => ({ select: { filter }, leftOut: [] }),
    },
  ];
}

/** The matching providers, and all in the trees of those that are roots, without shared pools, not even those below a host. */
async function treesOf(filter: ResourceProviderFilterInput, resourceClass: string): Promise<Selected> {
  const hosts = { ...filter, isSharing: false, isRoot: true };
  const roots = await uuidsOf(hosts);
  const or = [filter, ...slicesOf(roots, mostNames).map((inTrees) => ({ inTrees }))];
  const [without, pools] = await Promise.all([
    namesOf({ ...hosts, not: { scope: 'TREE', resourceClasses: [resourceClass] } }),
    namesOf({ isSharing: true, resourceClasses: [resourceClass], or }),
  ]);
  return {
    select: { filter: { isSharing: false, or } },
    leftOut: [
      ...(without === null ? [] : [`without ${resourceClass}: ${without}`]),
      ...(pools === null ? [] : [`shared by several hosts, to be edited on its own page: ${pools}`]),
    ],
  };
}

async function uuidsOf(filter: ResourceProviderFilterInput): Promise<string[]> {
  const uuids: string[] = [];
  let after: string | null = null;
  do {
    const { resourceProviders }: SelectedProvidersQuery = await ask(SelectedProviders, { filter, first: mostNames, after });
    uuids.push(...resourceProviders.nodes.map(({ uuid }) => uuid));
    after = resourceProviders.pageInfo.hasNextPage ? resourceProviders.pageInfo.endCursor : null;
  } while (after !== null);
  return uuids;
}

const namesShown = 3;

/** "az1-rack01-node01, az1-rack01-node02, az1-rack01-node03 and 12 more"; null if there are none. */
async function namesOf(filter: ResourceProviderFilterInput): Promise<string | null> {
  const { totalCount, nodes } = (await ask(SelectedProviders, { filter, first: namesShown })).resourceProviders;
  if (totalCount === 0) return null;
  const more = totalCount - nodes.length;
  return `${nodes.map(({ name }) => name).join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
}
