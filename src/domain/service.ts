// A program on a host, such as a service of Nova, and lists of them.

/** A program as last reported by its host. */
export interface Service {
  readonly id: number;
  readonly host: string;
  readonly program: string;
  /** Counts up from 0 with each release of the program. */
  readonly version: number;
  /** Gets no new work. */
  readonly disabled: boolean;
  readonly disabledReason: string | null;
  /** Known to be dead, whatever it reports. */
  readonly forcedDown: boolean;
  /** When any of this last changed. */
  readonly updatedAt: string;
}

/** The public key. Programs have no slash in their names, so it is unique. */
export function keyOfService({ host, program }: Pick<Service, 'host' | 'program'>): string {
  return `${program}/${host}`;
}

/** Conditions on a service; all that are given must hold. */
export interface ServiceFilter {
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

/** Roots of which no condition can be expected: how many, and the first names. */
export interface RootSample {
  readonly count: number;
  readonly names: readonly string[];
}

/** The roots of a program: what marks them as such, and where they say on which host it runs. */
export interface RootsOfProgram {
  readonly program: string;
  /** The kind of their records; a root without one runs on the host of its name. */
  readonly kind: string;
  readonly trait: string;
  /** Those without this trait are told apart. */
  readonly owner: string;
  /** Nothing is said of the roots while the lowest version is below this. */
  readonly from: number;
}

/** The versions of a program on all hosts. */
export interface ProgramVersions {
  /** Of those that tell it and are not forced down; null for none. */
  readonly minimum: number | null;
  /** Roots whose host has no such program. */
  readonly unknown: RootSample;
  /** Roots without the trait of their owner, except where the program is forced down. */
  readonly unowned: RootSample;
}

/** A sort key of services. */
export interface ServiceSortKey {
  readonly by: 'HOST' | 'VERSION' | 'UPDATED_AT';
  readonly descending: boolean;
}
