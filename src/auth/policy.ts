// Authorization. Denies by default. REST has upstream's rules under their names, with the defaults of its current release; GraphQL is for
// administrators.
import type { Identity } from '../domain/identity.ts';

/** The reason of a denial: no identity, or an identity without the right. */
export type Denial = 'UNAUTHENTICATED' | 'FORBIDDEN';

/** Whether the caller is an administrator, who may read and write everything. */
function mayAdminister(identity: Identity | null): boolean {
  return identity?.roles.includes('admin') ?? false;
}

/** Why a caller is denied administrator rights; null if it has them. */
export function denialOf(identity: Identity | null): Denial | null {
  if (identity === null) return 'UNAUTHENTICATED';
  return mayAdminister(identity) ? null : 'FORBIDDEN';
}

/** Whether a rule allows this caller to ask about a project; null for none. */
type Check = (caller: Identity, project: string | null) => boolean;

const isAdministrator: Check = ({ roles }) => roles.includes('admin');
const isService: Check = ({ roles }) => roles.includes('service');
const isReaderOfProject: Check = (caller, project) => caller.roles.includes('reader') && caller.project === project;
const isAdministratorOrService: Check = (caller, project) => isAdministrator(caller, project) || isService(caller, project);

const rules = {
  'placement:resource_providers:list': isAdministratorOrService,
  'placement:resource_providers:create': isAdministratorOrService,
  'placement:resource_providers:show': isAdministratorOrService,
  'placement:resource_providers:update': isAdministratorOrService,
  'placement:resource_providers:delete': isAdministratorOrService,
  'placement:resource_providers:inventories:list': isAdministratorOrService,
  'placement:resource_providers:inventories:create': isAdministratorOrService,
  'placement:resource_providers:inventories:show': isAdministratorOrService,
  'placement:resource_providers:inventories:update': isAdministratorOrService,
  'placement:resource_providers:inventories:delete': isAdministratorOrService,
  'placement:resource_providers:aggregates:list': isAdministratorOrService,
  'placement:resource_providers:aggregates:update': isAdministratorOrService,
  'placement:resource_providers:usages': isAdministratorOrService,
  'placement:resource_providers:allocations:list': isAdministratorOrService,
  'placement:resource_providers:traits:list': isAdministratorOrService,
  'placement:resource_providers:traits:update': isAdministratorOrService,
  'placement:resource_providers:traits:delete': isAdministratorOrService,
  'placement:traits:list': isAdministratorOrService,
  'placement:traits:show': isAdministratorOrService,
  'placement:traits:update': isAdministratorOrService,
  'placement:traits:delete': isAdministratorOrService,
  'placement:resource_classes:list': isAdministratorOrService,
  'placement:resource_classes:create': isAdministratorOrService,
  'placement:resource_classes:show': isAdministratorOrService,
  'placement:resource_classes:update': isAdministratorOrService,
  'placement:resource_classes:delete': isAdministratorOrService,
  'placement:allocations:manage': isAdministratorOrService,
  'placement:allocations:list': isAdministratorOrService,
  'placement:allocations:update': isAdministratorOrService,
  'placement:allocations:delete': isAdministratorOrService,
  'placement:allocation_candidates:list': isAdministratorOrService,
  'placement:usages': (caller, project) => isAdministratorOrService(caller, project) || isReaderOfProject(caller, project),
  // Upstream's default since 9.0, which leaves administrators out.
  'placement:reshaper:reshape': isService,
} satisfies Readonly<Record<string, Check>>;

/** The name of one of upstream's rules. */
export type RuleName = keyof typeof rules;

/** Whether a rule of REST allows a caller to ask about a project. */
export function allows(rule: RuleName, caller: Identity | null, project: string | null): boolean {
  return caller !== null && rules[rule](caller, project);
}
