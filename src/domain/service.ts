// A program on a host, such as a service of Nova, and lists of them.

/** A program as last reported by its host. */
export interface Service {
  readonly id: number;
  readonly host: string;
  readonly program: string;
  /** Counts up from 0 with each release of the program. */
  readonly version: number;
  /** When the version last changed. */
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
  readonly updatedAfter?: string;
  readonly updatedBefore?: string;
}

/** A sort key of services. */
export interface ServiceSortKey {
  readonly by: 'HOST' | 'VERSION' | 'UPDATED_AT';
  readonly descending: boolean;
}
