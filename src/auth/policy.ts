// Authorization, the same for all APIs. Denies by default.
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
