// A program on a host, such as a service of Nova, and lists of them.

/** What a host last said of a program. */
export interface Service {
  readonly id: number;
  readonly host: string;
  readonly program: string;
  /** Counts up from 0. */
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

/** A key of the order of services. */
export interface ServiceSortKey {
  readonly by: 'HOST' | 'VERSION' | 'UPDATED_AT';
  readonly descending: boolean;
}
