// The side of a worker: what it is told by the primary, and what it tells. Knows nothing of what it serves.
import cluster from 'node:cluster';
import { beat, type Order, type Report } from './messages.ts';

export interface Acts {
  /** Completes what is under way and ends, because another worker takes its place. */
  readonly leave: () => void;
  readonly stop: () => void;
  /** Which process does what one does for all; null for none. */
  readonly follow: (first: number | null) => void;
  /** What is measured here, in JSON. */
  readonly measure: () => unknown;
}

export class WorkerLink<Start> {
  /** What the worker begins with. */
  readonly start: Promise<Start>;
  /** Until it may serve. */
  readonly mayServe: Promise<void>;
  #count: { readonly serving: number; readonly of: number; readonly first: number | null } = { serving: 0, of: 0, first: null };
  #acts: Acts | null = null;
  #lastId = 0;
  readonly #asked = new Map<number, (all: readonly unknown[]) => void>();

  constructor() {
    let start: (start: Start) => void = () => {};
    let serve: () => void = () => {};
    this.start = new Promise((resolve) => {
      start = resolve;
    });
    this.mayServe = new Promise((resolve) => {
      serve = resolve;
    });
    // A terminal that hangs up tells the whole group of processes; what is to be done about it the primary says.
    process.on('SIGHUP', () => {});
    process.on('message', (order: Order<Start>) => {
      if (order.kind === 'start') start(order.start);
      else if (order.kind === 'serve') serve();
      else if (order.kind === 'count') {
        this.#count = order;
        this.#acts?.follow(order.first);
      } else if (order.kind === 'leave') this.#acts?.leave();
      else if (order.kind === 'stop') this.#stop();
      else if (order.kind === 'measure') tell({ kind: 'measured', id: order.id, own: this.#acts?.measure() ?? null });
      else {
        this.#asked.get(order.id)?.(order.all);
        this.#asked.delete(order.id);
      }
    });
    tell({ kind: 'born' });
  }

  obey(acts: Acts): void {
    this.#acts = acts;
    acts.follow(this.#count.first);
    setInterval(() => tell({ kind: 'alive', own: acts.measure() }), beat).unref();
  }

  serves(url: string): void {
    tell({ kind: 'serving', url });
  }

  /** Tells what was measured to the end, so that it is not missing from the sums when the worker is gone. */
  async tellLast(): Promise<void> {
    const own = this.#acts?.measure() ?? null;
    await new Promise<void>((resolve) => tell({ kind: 'measured', id: 0, own }, resolve));
  }

  /** What an operator should know of the other workers; null when all serve. */
  get shortage(): string | null {
    const { serving, of } = this.#count;
    return serving < of ? `${serving} of ${of} workers serve; the others are being started` : null;
  }

  /** What all workers measured, this one included. */
  measureAll(): Promise<readonly unknown[]> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#asked.set(id, resolve);
      tell({ kind: 'measureAll', id });
    });
  }

  #stop(): void {
    if (this.#acts) this.#acts.stop();
    else process.exit(0);
  }
}

function tell(report: Report, then: () => void = () => {}): void {
  // Without a channel there is no primary any more, and node:cluster ends the process.
  if (cluster.worker?.isConnected()) cluster.worker.send(report, undefined, then);
  else then();
}
