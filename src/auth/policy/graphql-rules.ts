// The rules of the GraphQL API, under names of our own. Where REST has a rule for the same thing, they refer to it, so that an override closes both.
// Operators who may only read may read everything, and readers of a project what belongs to it. The schema names the rule of each field.
import type { RuleDefault, RuleScope } from './rule-default.ts';

/** Administrators and readers of the system may read, too; domains mean nothing to placement. */
const readers: readonly RuleScope[] = ['project', 'system'];
/** The scopes of upstream's rules for writes. */
export const writers: readonly RuleScope[] = ['project'];

const operatorReader = 'placement:graphql:operator_reader';

/** A rule to read for callers that a rule of REST allows, and for operators who may only read. */
function read(upstream: string, description: string): RuleDefault {
  return { check: `rule:${upstream} or rule:${operatorReader}`, scopes: readers, description, operations: [] };
}

/** The same, and readers of a project may read what belongs to it. */
function readOwn(upstream: string, description: string): RuleDefault {
  return { ...read(upstream, description), check: `rule:${upstream} or rule:${operatorReader} or rule:project_reader_api` };
}

/** A rule to write several things at once, for callers that all of these rules allow. */
function write(upstream: readonly string[], description: string): RuleDefault {
  return { check: upstream.map((name) => `rule:${name}`).join(' and '), scopes: writers, description, operations: [] };
}

const treeWrites = [
  'placement:resource_providers:create',
  'placement:resource_providers:update',
  'placement:resource_providers:delete',
  'placement:resource_providers:inventories:update',
  'placement:resource_providers:traits:update',
  'placement:resource_providers:aggregates:update',
] as const;

/** By these rules, readers of a project get what belongs to it; what has no owner, such as names, is the same for all. */
const ofProjects = {
  'placement:graphql:consumers:read': readOwn('placement:allocations:list', 'Consumers, their allocations, projects and users.'),
  'placement:graphql:reservations:read': readOwn('placement:allocations:list', 'Reservations: what is kept for projects, and when.'),
  'placement:graphql:usages:read': read('placement:usages', 'Sums of allocations.'),
  'placement:graphql:events:read': readOwn('placement:allocations:list', 'Events: when, what kind, and which consumers they changed.'),
  'placement:graphql:fit:read': readOwn(
    'placement:allocation_candidates:list',
    'How many more times a request fits. Readers of a project learn whether it fits once, and nothing about hosts and names.',
  ),
  'placement:graphql:flavors:read': readOwn(
    'placement:allocation_candidates:list',
    'The translation of flavors, which reveals nothing about hosts.',
  ),
  'placement:graphql:resource_classes:read': readOwn('placement:resource_classes:list', 'Resource classes: names and units.'),
  'placement:graphql:nodes:read': readOwn(
    'placement:resource_providers:list',
    'Objects by their global id, and entities of a federation. Objects of a type that the caller may not read are not found.',
  ),
} as const;

export const graphqlRules = {
  [operatorReader]: {
    check: 'role:auditor or (role:reader and system_scope:all)',
    scopes: null,
    description:
      'Operators who may read everything and write nothing: the role auditor, for any method of authentication, and readers of the system.',
    operations: [],
  },
  ...ofProjects,
  'placement:graphql:resource_providers:read': read(
    'placement:resource_providers:list',
    'Resource providers, their trees, traits and aggregates.',
  ),
  'placement:graphql:resource_providers:allocations:read': read(
    'placement:resource_providers:allocations:list',
    'The allocations on a resource provider.',
  ),
  'placement:graphql:inventories:read': read('placement:resource_providers:inventories:list', 'Inventories, their usage, and their sums.'),
  'placement:graphql:traits:read': read('placement:traits:list', 'Traits, and the resource providers that have them.'),
  'placement:graphql:aggregates:read': read('placement:resource_providers:aggregates:list', 'Aggregates and their members.'),
  'placement:graphql:candidates:read': read('placement:allocation_candidates:list', 'Searches for candidates, with their explanations.'),
  'placement:graphql:plans:read': {
    ...read('placement:allocation_candidates:list', 'Plans of moves: searches for everything that is held on some hosts.'),
    check: `(rule:placement:allocation_candidates:list and rule:placement:allocations:list) or rule:${operatorReader}`,
  },
  'placement:graphql:projects:read': read('placement:allocations:list', 'The list of all projects.'),
  'placement:graphql:ledger:read': read(
    'placement:allocations:list',
    'The whole ledger: who wrote what, the feed of changes, and the past.',
  ),
  'placement:graphql:compute_nodes:read': read('placement:resource_providers:list', 'Compute nodes, as Nova knew them.'),
  'placement:graphql:services:read': read('placement:resource_providers:list', "Nova's services and their versions."),
  'placement:graphql:nova_settings:read': read('placement:allocations:list', 'The settings of the cloud for Nova, which name projects.'),
  'placement:graphql:quotas:read': read('placement:allocations:list', 'The quotas that were set for projects.'),
  'placement:graphql:schema:read': read('placement:resource_providers:list', 'Introspection, and the reasons why a document is invalid.'),
  'placement:graphql:documents:send': {
    check: `role:admin or rule:${operatorReader}`,
    scopes: readers,
    description: 'Send any document. Other callers may send only those of PLACEMENT_TRUSTED_DOCUMENTS, if it is set.',
    operations: [],
  },
  'placement:graphql:aggregates:name': write(['placement:resource_providers:aggregates:update'], 'Name an aggregate.'),
  'placement:graphql:claims:create': write(
    ['placement:allocation_candidates:list', 'placement:allocations:update'],
    'Search and claim in one call.',
  ),
  'placement:graphql:reservations:manage': write(
    ['placement:allocation_candidates:list', 'placement:allocations:manage'],
    'Reserve amounts for projects, and give reservations up.',
  ),
  'placement:graphql:provider_trees:apply': write(
    [...treeWrites, 'placement:allocations:manage'],
    'Bring a whole tree, with its allocations, to a desired state.',
  ),
  'placement:graphql:compute_nodes:report': write(treeWrites, 'Report compute nodes, and import their old records.'),
  'placement:graphql:compute_nodes:audit': write(
    ['placement:allocations:list', 'placement:allocations:manage', 'placement:allocations:delete'],
    'Compare the allocations of instances with what they should hold, and repair them.',
  ),
  'placement:graphql:services:report': write(['placement:resource_providers:update'], "Report and remove Nova's services."),
  'placement:graphql:nova_settings:replace': {
    ...write([], 'Replace the settings of the cloud for Nova, which all its calls use.'),
    check: 'role:admin',
  },
  'placement:graphql:quotas:replace': {
    ...write([], 'Replace the quotas of a project, or the defaults for all.'),
    check: 'role:admin',
  },
  'placement:graphql:pools:report': write(
    [...treeWrites, 'placement:allocations:manage'],
    'Report pools that hosts share, and move allocations from hosts to them.',
  ),
} as const satisfies Readonly<Record<`placement:graphql:${string}`, RuleDefault>>;

/** Whether a rule can be limited to the caller's own project. */
export function isOfProjects(rule: string): boolean {
  return Object.hasOwn(ofProjects, rule);
}
