// What an identity may do, the same for every surface. Denies by default.
import type { Identity } from '../domain/identity.ts';

/** Why a caller is turned away: not known at all, or known and without the right. */
export type Denial = 'UNAUTHENTICATED' | 'FORBIDDEN';

/** True for the administrator, who may read and write everything. */
function mayAdminister(identity: Identity | null): boolean {
  return identity?.roles.includes('admin') ?? false;
}

/** What stands between this caller and the administrator's rights; null when nothing does. */
export function denialOf(identity: Identity | null): Denial | null {
  if (identity === null) return 'UNAUTHENTICATED';
  return mayAdminister(identity) ? null : 'FORBIDDEN';
}
