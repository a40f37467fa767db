// Nova's services and what their versions allow: a feature that every compute must know is used only from the lowest version that all have.

import type { RequestScope } from '../operations/scope.ts';
import { findMinimumVersion, reportServiceVersion } from '../operations/services.ts';

/** The service on every compute node. */
export const computeProgram = 'nova-compute';

/** From this version on a compute keeps its resources in placement alone; before, in its own record. */
export const firstVersionWithInventories = 16;

export interface NovaService {
  readonly host: string;
  /** Such as nova-compute. */
  readonly binary: string;
  readonly version: number;
}

/** A service says which version it is; the same again is one statement and writes nothing. Returns whether it was news. Refuses INVALID_INPUT. */
export async function reportService(scope: RequestScope, { host, binary, version }: NovaService): Promise<boolean> {
  return reportServiceVersion(scope, { host, program: binary, version });
}

/** Forgets a service that was taken away, so that its old version holds nobody back. Returns whether it was known. Refuses INVALID_INPUT. */
export async function removeService(scope: RequestScope, { host, binary }: Omit<NovaService, 'version'>): Promise<boolean> {
  return reportServiceVersion(scope, { host, program: binary, version: null });
}

/** The lowest version of any compute; null when none has reported. One statement. */
export async function minimumComputeVersion(scope: RequestScope): Promise<number | null> {
  return findMinimumVersion(scope, computeProgram);
}
