// The request and the answer of the write that puts right what can be derived.

/** `contested`: providers of which nobody knows what is used there. A dry run only counts. */
export interface Mending {
  readonly contested: readonly string[];
  readonly dryRun: boolean;
}

/** How much can be put right, or was: the use of inventories, the roots of providers, consumers that held nothing, sums of the usage of projects. */
export interface Mended {
  readonly inventories: number;
  readonly providers: number;
  readonly consumers: number;
  readonly usages: number;
}
