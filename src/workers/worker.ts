// The side of a worker: the messages that it gets from the primary and sends to it. Does not know what it serves.
import cluster from 'node:cluster';
import { beat, type Order, type Report } from './messages.ts';

export interface Acts {
  /** Completes the work in progress and ends, because another worker takes its place. */
  readonly leave: () => void;
  readonly stop: () => void;
  /** Sets the process that does the work that one does for all; null for none. */
  readonly follow: (first: number | null) => void;
  /** The measurements of this worker, in JSON. */
  readonly measure: () => unknown;
}

export class WorkerLink<Start> {
  /** The data that the worker begins with. */
  readonly start: Promise<Start>;
  /** Resolves when the worker may serve. */
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
    // A terminal that hangs up signals the whole process group; only the primary reacts.
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

  /** Reports the final measurements, so that the sums include them when the worker is gone. */
  async tellLast(): Promise<void> {
    const own = this.#acts?.measure() ?? null;
    await new Promise<void>((resolve) => tell({ kind: 'measured', id: 0, own }, resolve));
  }

  /** What an operator should know about the other workers; null if all serve. */
  get shortage(): string | null {
    const { serving, of } = this.#count;
    return serving < of ? `${serving} of ${of} workers serve; the others are being started` : null;
  }

  /** The measurements of all workers, including this one. */
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
  // Without a channel, the primary is gone, and node:cluster ends this process.
  if (cluster.worker?.isConnected()) cluster.worker.send(report, undefined, then);
  else then();
}
