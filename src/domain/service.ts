// A program on a host, such as a service of Nova, and lists of them.
import type { Groups } from './input.ts';

/** A program as last reported by its host. */
export interface Service {
  readonly id: number;
  readonly host: string;
  readonly program: string;
  /** Counts up from 0 with each release of the program. */
  readonly version: number;
  /** Whether it gets no new work. */
  readonly disabled: boolean;
  readonly disabledReason: string | null;
  /** Whether it is known to be dead, whatever it reports. */
  readonly forcedDown: boolean;
  /** When any of these facts last changed. */
  readonly updatedAt: string;
}

/** The public key. Programs have no slash in their names, so it is unique. */
export function keyOfService({ host, program }: Pick<Service, 'host' | 'program'>): string {
  return `${program}/${host}`;
}

/** Conditions on a service; all that are given must hold. */
export interface ServiceFilter extends Groups<ServiceFilter> {
  readonly hosts?: readonly string[];
  readonly hostContains?: string;
  readonly hostStartsWith?: string;
  readonly programs?: readonly string[];
  readonly versionBelow?: number;
  readonly disabled?: boolean;
  readonly forcedDown?: boolean;
  readonly updatedAfter?: string;
  readonly updatedBefore?: string;
}

/** Roots about which a statement cannot be made: their number, and the first names. */
export interface RootSample {
  readonly count: number;
  readonly names: readonly string[];
}

/** The roots of a program: what marks them, and where their host is recorded. */
export interface RootsOfProgram {
  readonly program: string;
  /** The kind of their records; without a record, the program runs on the host named like the root. */
  readonly kind: string;
  readonly trait: string;
  /** Roots without this trait are reported separately. */
  readonly owner: string;
  /** The roots are not examined while the lowest version is below this. */
  readonly from: number;
  /** The kind of the record with the settings of the program's service. */
  readonly settings: string;
}

/** The versions of a program on all hosts. */
export interface ProgramVersions {
  /** The lowest version of those that report one and are not forced down; null if there are none. */
  readonly minimum: number | null;
  /** Roots whose host has no such program. */
  readonly unknown: RootSample;
  /** Roots without the trait of their owner, except where the program is forced down. */
  readonly unowned: RootSample;
  /** The settings of its service; null before the first. */
  readonly settings: StoredSettings | null;
}

/** The settings of a service, and how often they were replaced. */
export interface StoredSettings {
  readonly generation: number;
  readonly [field: string]: unknown;
}

/** A sort key of services. */
export interface ServiceSortKey {
  readonly by: 'HOST' | 'VERSION' | 'UPDATED_AT';
  readonly descending: boolean;
}
