// Upstream's rules under their names, with the defaults of two of its releases. `current` are those since 9.0.0, for tokens of a project; `system-scoped`
// are those of 5.0.0 to 8.0.0, for tokens of the system. Names, methods and paths are the same in both.
import type { PolicySettings } from '../../settings/policy.ts';
import type { RuleDefault, RuleScope } from './rule-default.ts';

/** Whose defaults. */
export type UpstreamRelease = PolicySettings['policyRules'];

type OfBoth = Readonly<Record<UpstreamRelease, RuleDefault>>;

const project: readonly RuleScope[] = ['project'];
const system: readonly RuleScope[] = ['system'];

/** The default before roles were distinguished. The odd name is upstream's: an override of `admin_api` changes nothing. */
const older = { name: 'rule:admin_api', check: 'role:admin' } as const;

function base(check: string, scopes: readonly RuleScope[] | null, description: string): RuleDefault {
  return { check, scopes, older, description, operations: [] };
}

const projectReader = base('role:reader and project_id:%(project_id)s', null, 'Readers, of their own project.');

/** The rules that the rules of routes refer to. */
export const baseRules: Readonly<Record<UpstreamRelease, Readonly<Record<string, RuleDefault>>>> = {
  current: {
    admin_api: { check: 'role:admin', scopes: project, description: 'Administrators. No other rule refers to it.', operations: [] },
    service_api: base('role:service', project, 'Services.'),
    admin_or_service_api: base('role:admin or role:service', project, 'Administrators and services.'),
    project_reader_api: projectReader,
    admin_or_project_reader_or_service_api: base(
      'role:admin or rule:project_reader_api or role:service',
      project,
      'Administrators, services, and readers of their own project.',
    ),
  },
  'system-scoped': {
    admin_api: { check: 'role:admin', scopes: system, description: 'Administrators. No other rule refers to it.', operations: [] },
    system_admin_api: base('role:admin and system_scope:all', null, 'Administrators of the system.'),
    system_reader_api: base('role:reader and system_scope:all', null, 'Readers of the system.'),
    project_reader_api: projectReader,
    system_or_project_reader: base(
      'rule:system_reader_api or rule:project_reader_api',
      null,
      'Readers of the system, and readers of their own project.',
    ),
  },
};

function rule(
  checks: Readonly<Record<UpstreamRelease, string>>,
  description: string,
  operations: readonly string[],
  systemScopes: readonly RuleScope[] = system,
): OfBoth {
  return {
    current: { check: checks.current, scopes: project, description, operations },
    'system-scoped': { check: checks['system-scoped'], scopes: systemScopes, description, operations },
  };
}

function read(description: string, ...operations: readonly string[]): OfBoth {
  return rule({ current: 'rule:admin_or_service_api', 'system-scoped': 'rule:system_reader_api' }, description, operations);
}

function write(description: string, ...operations: readonly string[]): OfBoth {
  return rule({ current: 'rule:admin_or_service_api', 'system-scoped': 'rule:system_admin_api' }, description, operations);
}

function usages(description: string, ...operations: readonly string[]): OfBoth {
  const checks = { current: 'rule:admin_or_project_reader_or_service_api', 'system-scoped': 'rule:system_or_project_reader' };
  return rule(checks, description, operations, ['system', 'project']);
}

/** Since 9.0.0, this leaves administrators out. */
function reshape(description: string, ...operations: readonly string[]): OfBoth {
  return rule({ current: 'rule:service_api', 'system-scoped': 'rule:system_admin_api' }, description, operations);
}

/** The rules of routes. */
export const upstreamRules = {
  'placement:resource_providers:list': read('List resource providers.', 'GET /resource_providers'),
  'placement:resource_providers:create': write('Create a resource provider.', 'POST /resource_providers'),
  'placement:resource_providers:show': read('Show a resource provider.', 'GET /resource_providers/{uuid}'),
  'placement:resource_providers:update': write('Rename or move a resource provider.', 'PUT /resource_providers/{uuid}'),
  'placement:resource_providers:delete': write('Delete a resource provider.', 'DELETE /resource_providers/{uuid}'),
  'placement:resource_classes:list': read('List resource classes.', 'GET /resource_classes'),
  'placement:resource_classes:create': write('Create a resource class.', 'POST /resource_classes'),
  'placement:resource_classes:show': read('Show a resource class.', 'GET /resource_classes/{name}'),
  'placement:resource_classes:update': write('Rename a resource class, or create it if absent.', 'PUT /resource_classes/{name}'),
  'placement:resource_classes:delete': write('Delete a resource class.', 'DELETE /resource_classes/{name}'),
  'placement:resource_providers:inventories:list': read(
    'List the inventories of a resource provider.',
    'GET /resource_providers/{uuid}/inventories',
  ),
  'placement:resource_providers:inventories:create': write(
    'Add an inventory to a resource provider.',
    'POST /resource_providers/{uuid}/inventories',
  ),
  'placement:resource_providers:inventories:show': read(
    'Show one inventory of a resource provider.',
    'GET /resource_providers/{uuid}/inventories/{resource_class}',
  ),
  'placement:resource_providers:inventories:update': write(
    'Replace all inventories of a resource provider, or one.',
    'PUT /resource_providers/{uuid}/inventories',
    'PUT /resource_providers/{uuid}/inventories/{resource_class}',
  ),
  'placement:resource_providers:inventories:delete': write(
    'Delete all inventories of a resource provider, or one.',
    'DELETE /resource_providers/{uuid}/inventories',
    'DELETE /resource_providers/{uuid}/inventories/{resource_class}',
  ),
  'placement:resource_providers:aggregates:list': read(
    'List the aggregates of a resource provider.',
    'GET /resource_providers/{uuid}/aggregates',
  ),
  'placement:resource_providers:aggregates:update': write(
    'Replace the aggregates of a resource provider.',
    'PUT /resource_providers/{uuid}/aggregates',
  ),
  'placement:resource_providers:usages': read('Show the usage of a resource provider.', 'GET /resource_providers/{uuid}/usages'),
  'placement:usages': usages('Show the usage of a project.', 'GET /usages'),
  'placement:traits:list': read('List traits.', 'GET /traits'),
  'placement:traits:show': read('Show a trait.', 'GET /traits/{name}'),
  'placement:traits:update': write('Create a trait if absent.', 'PUT /traits/{name}'),
  'placement:traits:delete': write('Delete a trait.', 'DELETE /traits/{name}'),
  'placement:resource_providers:traits:list': read('List the traits of a resource provider.', 'GET /resource_providers/{uuid}/traits'),
  'placement:resource_providers:traits:update': write(
    'Replace the traits of a resource provider.',
    'PUT /resource_providers/{uuid}/traits',
  ),
  'placement:resource_providers:traits:delete': write(
    'Remove all traits from a resource provider.',
    'DELETE /resource_providers/{uuid}/traits',
  ),
  'placement:allocations:manage': write('Replace the allocations of several consumers.', 'POST /allocations'),
  'placement:allocations:list': read('Show the allocations of a consumer.', 'GET /allocations/{consumer_uuid}'),
  'placement:allocations:update': write('Replace the allocations of a consumer.', 'PUT /allocations/{consumer_uuid}'),
  'placement:allocations:delete': write('Release all allocations of a consumer.', 'DELETE /allocations/{consumer_uuid}'),
  'placement:resource_providers:allocations:list': read(
    'Show the allocations on a resource provider.',
    'GET /resource_providers/{uuid}/allocations',
  ),
  'placement:allocation_candidates:list': read('Find ways to serve a request.', 'GET /allocation_candidates'),
  'placement:reshaper:reshape': reshape('Move inventories together with their allocations.', 'POST /reshaper'),
} satisfies Readonly<Record<`placement:${string}`, OfBoth>>;

/** A rule of a route of REST. */
export type UpstreamRuleName = keyof typeof upstreamRules;
