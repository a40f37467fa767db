// The facts about a caller that rules can compare, under the names of oslo.context.
import type { Identity } from '../../domain/identity.ts';

/** The values of a caller by name: texts, lists of texts, true, or null. */
export type Credentials = Readonly<Record<string, unknown>>;

/** Built anew for each decision, which costs less than remembering them. */
export function credentialsOf({
  user,
  userDomain,
  scope,
  domain,
  project,
  projectDomain,
  roles,
  service,
  isAdminProject = true,
}: Identity) {
  return {
    user_id: user,
    user_domain_id: userDomain,
    system_scope: scope === 'system' ? 'all' : null,
    domain_id: domain,
    project_id: project,
    project_domain_id: projectDomain,
    roles,
    is_admin_project: isAdminProject,
    service_user_id: service?.user ?? null,
    service_user_domain_id: service?.userDomain ?? null,
    service_project_id: service?.project ?? null,
    service_project_domain_id: service?.projectDomain ?? null,
    service_roles: service?.roles ?? [],
  } satisfies Credentials;
}

/** The names that a rule can use. */
export const credentialNames: ReadonlySet<string> = new Set<keyof ReturnType<typeof credentialsOf>>([
  'user_id',
  'user_domain_id',
  'system_scope',
  'domain_id',
  'project_id',
  'project_domain_id',
  'roles',
  'is_admin_project',
  'service_user_id',
  'service_user_domain_id',
  'service_project_id',
  'service_project_domain_id',
  'service_roles',
]);
