// The route table: every operation of the Placement REST API with the version that introduced it, the rule that must allow the caller, the schemas of its
// input, and its handler. Also finds the route of a request.
import type { UpstreamRuleName } from '../../auth/policy/upstream-rules.ts';
import { limits } from '../../domain/limits.ts';
import type { Method, Route } from '../call.ts';
import { listAggregates, replaceAggregatesOfProvider } from '../handlers/aggregates.ts';
import {
  deleteAllocations,
  listAllocationsOfProvider,
  replaceAllocationsOfConsumer,
  replaceAllocationsOfConsumers,
  showAllocations,
  sumUsages,
} from '../handlers/allocations.ts';
import { findsMany, listCandidates } from '../handlers/candidates.ts';
import {
  createInventory,
  deleteAllInventories,
  deleteOneInventory,
  listInventories,
  replaceAllInventories,
  showInventory,
  showUsages,
  updateInventory,
} from '../handlers/inventories.ts';
import { createProvider, deleteProvider, listProviders, listsMany, showProvider, updateProvider } from '../handlers/providers.ts';
import { reshapeProviders } from '../handlers/reshaper.ts';
import {
  addResourceClass,
  ensureResourceClass,
  listResourceClasses,
  removeResourceClass,
  renameClass,
  showResourceClass,
} from '../handlers/resource-classes.ts';
import { showVersions } from '../handlers/root.ts';
import {
  deleteTraitsOfProvider,
  ensureTrait,
  listTraits,
  listTraitsOfProvider,
  removeTrait,
  replaceTraitsOfProvider,
  showTrait,
} from '../handlers/traits.ts';
import { requireProvider } from '../params.ts';
import * as allocations from '../schemas/allocations.ts';
import { candidatesQuery } from '../schemas/candidates.ts';
import * as inventories from '../schemas/inventories.ts';
import * as names from '../schemas/names.ts';
import * as providers from '../schemas/providers.ts';

type Rest = Pick<Route, 'since' | 'until' | 'tooOld' | 'query' | 'body' | 'isHeavy' | 'cost' | 'projectAsked'>;

type WithoutPrefix<Name> = Name extends `placement:${infer Rule}` ? Rule : never;

/** `about`: the rule without the prefix of the service. */
function route(
  method: Method,
  path: string,
  about: WithoutPrefix<UpstreamRuleName>,
  summary: string,
  handle: Route['handle'],
  rest: Partial<Rest> = {},
): Route {
  const subject = path.startsWith(provider) && { requireSubject: requireProvider };
  return { method, path, policy: `placement:${about}`, summary, handle, since: 'start', ...subject, ...rest };
}

const provider = '/resource_providers/{uuid}';
const inventory = `${provider}/inventories/{resource_class}`;
const classes = { since: 'resourceClasses' } as const;
const traits = { since: 'traits' } as const;

/** In a readable order, which has no effect on matching. */
export const routes: readonly Route[] = [
  { method: 'GET', path: '', policy: null, summary: 'Supported versions', handle: showVersions, since: 'start' },

  route('GET', '/resource_providers', 'resource_providers:list', 'Providers that match', listProviders, {
    query: providers.providerFilter,
    isHeavy: listsMany,
  }),
  route('POST', '/resource_providers', 'resource_providers:create', 'Create a provider', createProvider, { body: providers.newProvider }),
  route('GET', provider, 'resource_providers:show', 'One provider', showProvider),
  route('PUT', provider, 'resource_providers:update', 'Rename or move a provider', updateProvider, { body: providers.providerUpdate }),
  route('DELETE', provider, 'resource_providers:delete', 'Delete a provider', deleteProvider),

  route('GET', `${provider}/inventories`, 'resource_providers:inventories:list', 'Inventories of a provider', listInventories),
  route('POST', `${provider}/inventories`, 'resource_providers:inventories:create', 'Add an inventory', createInventory, {
    body: inventories.newInventory,
  }),
  route('PUT', `${provider}/inventories`, 'resource_providers:inventories:update', 'Replace all inventories', replaceAllInventories, {
    body: inventories.allInventories,
  }),
  route('DELETE', `${provider}/inventories`, 'resource_providers:inventories:delete', 'Delete all inventories', deleteAllInventories, {
    since: 'deleteAllInventories',
    tooOld: 405,
  }),
  route('GET', inventory, 'resource_providers:inventories:show', 'One inventory', showInventory),
  route('PUT', inventory, 'resource_providers:inventories:update', 'Change an inventory', updateInventory, {
    body: inventories.oneInventory,
  }),
  route('DELETE', inventory, 'resource_providers:inventories:delete', 'Delete an inventory', deleteOneInventory),

  route('GET', `${provider}/usages`, 'resource_providers:usages', 'Usage of a provider', showUsages),
  route('GET', `${provider}/allocations`, 'resource_providers:allocations:list', 'Allocations on a provider', listAllocationsOfProvider),

  route('GET', `${provider}/aggregates`, 'resource_providers:aggregates:list', 'Aggregates of a provider', listAggregates, {
    since: 'aggregates',
  }),
  route('PUT', `${provider}/aggregates`, 'resource_providers:aggregates:update', 'Replace the aggregates', replaceAggregatesOfProvider, {
    since: 'aggregates',
    body: names.aggregatesOfProvider,
  }),

  route('GET', `${provider}/traits`, 'resource_providers:traits:list', 'Traits of a provider', listTraitsOfProvider, traits),
  route('PUT', `${provider}/traits`, 'resource_providers:traits:update', 'Replace the traits', replaceTraitsOfProvider, {
    ...traits,
    body: names.traitsOfProvider,
  }),
  route('DELETE', `${provider}/traits`, 'resource_providers:traits:delete', 'Remove all traits', deleteTraitsOfProvider, traits),

  route('GET', '/traits', 'traits:list', 'Traits that match', listTraits, { ...traits, query: names.traitFilter }),
  route('GET', '/traits/{name}', 'traits:show', 'Whether a trait exists', showTrait, traits),
  route('PUT', '/traits/{name}', 'traits:update', 'Create a custom trait if absent', ensureTrait, traits),
  route('DELETE', '/traits/{name}', 'traits:delete', 'Delete a custom trait', removeTrait, traits),

  route('GET', '/resource_classes', 'resource_classes:list', 'All resource classes', listResourceClasses, classes),
  route('POST', '/resource_classes', 'resource_classes:create', 'Create a custom class', addResourceClass, {
    ...classes,
    body: names.resourceClass,
  }),
  route('GET', '/resource_classes/{name}', 'resource_classes:show', 'One resource class', showResourceClass, classes),
  route('PUT', '/resource_classes/{name}', 'resource_classes:update', 'Rename a custom class', renameClass, {
    ...classes,
    until: 'idempotentResourceClasses',
    body: names.resourceClass,
  }),
  route('PUT', '/resource_classes/{name}', 'resource_classes:update', 'Create a custom class if absent', ensureResourceClass, {
    since: 'idempotentResourceClasses',
  }),
  route('DELETE', '/resource_classes/{name}', 'resource_classes:delete', 'Delete a custom class', removeResourceClass, classes),

  route('GET', '/allocations/{consumer_uuid}', 'allocations:list', 'Allocations of a consumer', showAllocations),
  route(
    'PUT',
    '/allocations/{consumer_uuid}',
    'allocations:update',
    'Replace the allocations of a consumer',
    replaceAllocationsOfConsumer,
    {
      body: allocations.allocationsOfConsumer,
    },
  ),
  route('DELETE', '/allocations/{consumer_uuid}', 'allocations:delete', 'Release all allocations of a consumer', deleteAllocations),
  route('POST', '/allocations', 'allocations:manage', 'Replace the allocations of several consumers', replaceAllocationsOfConsumers, {
    since: 'severalConsumers',
    body: allocations.allocationsOfConsumers,
  }),

  route('GET', '/allocation_candidates', 'allocation_candidates:list', 'Ways to serve a request now', listCandidates, {
    since: 'candidates',
    query: candidatesQuery,
    isHeavy: findsMany,
    cost: limits.searchCost,
  }),

  route('GET', '/usages', 'usages', 'Usage of a project', sumUsages, {
    since: 'projectUsages',
    query: allocations.projectUsages,
    projectAsked: (query) => query.last('project_id') ?? null,
  }),

  route('POST', '/reshaper', 'reshaper:reshape', 'Move inventories with their allocations', reshapeProviders, {
    since: 'reshaper',
    body: allocations.reshaper,
  }),
];

/** The routes of one path, and the names of its parameters. */
interface PathEntry {
  readonly parts: readonly string[];
  readonly routes: readonly Route[];
}

const entries: readonly PathEntry[] = [...new Set(routes.map(({ path }) => path))].map((path) => ({
  parts: path.split('/'),
  routes: routes.filter((each) => each.path === path),
}));

export interface FoundPath {
  readonly routes: readonly Route[];
  readonly params: Readonly<Record<string, string>>;
}

/** The routes of a path below the mount point, still encoded; null for an unknown path. */
export function findPath(path: string): FoundPath | null {
  const given = (path === '/' ? '' : path).split('/');
  const entry = entries.find(({ parts }) => parts.length === given.length && parts.every((part, index) => fits(part, given[index] ?? '')));
  if (!entry) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of entry.parts.entries()) if (part.startsWith('{')) params[part.slice(1, -1)] = given[index] ?? '';
  return { routes: entry.routes, params };
}

const fits = (part: string, given: string): boolean => (part.startsWith('{') ? given !== '' : part === given);
