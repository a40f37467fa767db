// The messages within a gateway of several processes, over the channels that node:cluster opens. `Start` is what a worker needs to begin, in JSON.

/** From the primary to a worker. */
export type Order<Start = unknown> =
  | { readonly kind: 'start'; readonly start: Start }
  /** The worker may serve: what it waited for is done. */
  | { readonly kind: 'serve' }
  /** Another worker takes the place of this one. */
  | { readonly kind: 'leave' }
  | { readonly kind: 'stop' }
  /** How many of how many workers serve, and the process that does the work that one does for all. */
  | { readonly kind: 'count'; readonly serving: number; readonly of: number; readonly first: number | null }
  | { readonly kind: 'measure'; readonly id: number }
  /** The measurements of all workers. */
  | { readonly kind: 'measured'; readonly id: number; readonly all: readonly unknown[] };

/** From a worker to the primary. */
export type Report =
  | { readonly kind: 'born' }
  | { readonly kind: 'serving'; readonly url: string }
  /** The measurements of this worker. */
  | { readonly kind: 'measured'; readonly id: number; readonly own: unknown }
  /** A sign that its event loop turns, with its measurements so far. */
  | { readonly kind: 'alive'; readonly own: unknown }
  /** A request for the measurements of all workers. */
  | { readonly kind: 'measureAll'; readonly id: number };

/** Milliseconds between two signs of life of a worker, from when it can serve. */
export const beat = 1000;

/** The variable by which a worker knows its number. */
export const numberVariable = 'GATEWAY_WORKER';
