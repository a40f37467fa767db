// The request and the answer of the write that corrects derived values.

/** `contested`: providers whose usage cannot be decided. A dry run only counts. */
export interface Mending {
  readonly contested: readonly string[];
  readonly dryRun: boolean;
}

/** How many values can be corrected, or were: the use of inventories, the roots of providers, consumers that held nothing, sums of the usage of projects, the use of quotas. */
export interface Mended {
  readonly inventories: number;
  readonly providers: number;
  readonly consumers: number;
  readonly usages: number;
  readonly quotas: number;
}
