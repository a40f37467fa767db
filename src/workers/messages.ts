// What a gateway of several processes says within itself, over the channels that node:cluster opens. `Start` is what a worker needs to begin, in JSON.

/** From the primary to a worker. */
export type Order<Start = unknown> =
  | { readonly kind: 'start'; readonly start: Start }
  /** What it waited for is done: it may serve. */
  | { readonly kind: 'serve' }
  /** Another worker takes its place. */
  | { readonly kind: 'leave' }
  | { readonly kind: 'stop' }
  /** How many of how many workers serve, and the process that does what one does for all. */
  | { readonly kind: 'count'; readonly serving: number; readonly of: number; readonly first: number | null }
  | { readonly kind: 'measure'; readonly id: number }
  /** What all workers measured. */
  | { readonly kind: 'measured'; readonly id: number; readonly all: readonly unknown[] };

/** From a worker to the primary. */
export type Report =
  | { readonly kind: 'born' }
  | { readonly kind: 'serving'; readonly url: string }
  /** What it measured. */
  | { readonly kind: 'measured'; readonly id: number; readonly own: unknown }
  /** Its event loop turns; and what it measured so far. */
  | { readonly kind: 'alive'; readonly own: unknown }
  /** It wants to know what all measured. */
  | { readonly kind: 'measureAll'; readonly id: number };

/** Milliseconds between two signs of life of a worker, from when it can serve. */
export const beat = 1000;

/** The variable by which a worker knows its number. */
export const numberVariable = 'GATEWAY_WORKER';
