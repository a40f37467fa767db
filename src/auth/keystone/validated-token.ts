// A token as Keystone describes it, reduced to what the gateway keeps.
import { z } from 'zod';
import type { Identity } from '../../domain/identity.ts';
import type { AccessRule } from './access-rules.ts';

export interface ValidatedToken {
  readonly identity: Identity;
  /** Null when the token may make all requests. */
  readonly accessRules: readonly AccessRule[] | null;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const domainSchema = z.object({ id: z.string().nullish() }).nullish();
const bodySchema = z.object({
  token: z.object({
    expires_at: z.string(),
    user: z.object({ id: z.string().min(1), domain: domainSchema }),
    project: z.object({ id: z.string().min(1), domain: domainSchema }).nullish(),
    domain: z.object({ id: z.string().min(1) }).nullish(),
    system: z.object({ all: z.boolean().optional() }).nullish(),
    roles: z.array(z.object({ name: z.string() })).nullish(),
    is_admin_project: z.boolean().optional(),
    application_credential: z
      .object({ access_rules: z.array(z.object({ service: z.string(), method: z.string(), path: z.string() })).nullish() })
      .nullish(),
  }),
});

/** Null for a body that does not describe a token. */
export function readToken(body: unknown): ValidatedToken | null {
  const { data } = bodySchema.safeParse(body);
  const expiresAt = Date.parse(data?.token.expires_at ?? '');
  if (!data || Number.isNaN(expiresAt)) return null;
  const { user, project, domain, system, roles, is_admin_project: isAdminProject = true, application_credential: credential } = data.token;
  const identity: Identity = {
    method: 'keystone',
    user: user.id,
    project: project?.id ?? null,
    // Keystone may list a role twice.
    roles: [...new Set(roles?.map(({ name }) => name))],
    scope: system?.all ? 'system' : project ? 'project' : domain ? 'domain' : 'none',
    domain: domain?.id ?? null,
    userDomain: user.domain?.id ?? null,
    projectDomain: project?.domain?.id ?? null,
    isAdminProject,
    service: null,
    expiresAt,
  };
  return { identity, accessRules: credential?.access_rules ?? null, expiresAt };
}
