// The processes of a gateway with several workers: starts them, restarts them when they die, replaces them one by one, and stops them. Serves nothing.
//
// They share one port through node:cluster: this process listens, and passes each connection on to the next worker. SO_REUSEPORT would give each worker a
// queue of its own in the kernel. Connections in the queue of a worker that ends are lost, so none could be replaced without failed requests. Connections
// would be spread by hash, unevenly if they are few and long-lived like Nova's. And only Linux with Node 23 has it.
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeUntaken } from './given-connections.ts';
import { beat, numberVariable, type Order, type Report } from './messages.ts';

export interface WorkersOptions<Start> {
  readonly count: number;
  /** What to send to a worker that is started now. */
  readonly start: () => Start;
  readonly report: (level: 'info' | 'warn', details: object, line: string) => void;
  /** Called if the first workers cannot serve; they have reported why. */
  readonly onFailedStart: () => void;
  /** Combines the last measurements of workers that are gone. */
  readonly past: (told: readonly unknown[]) => unknown;
  /** Milliseconds until a dead worker is restarted: the first time, and at most. */
  readonly backOff?: { readonly first: number; readonly most: number };
  /** Milliseconds of silence after which a worker is killed and restarted. Default: 15 seconds. */
  readonly silence?: number;
}

/** One of the numbers from 1 up, and the process that has it. */
interface Slot {
  readonly number: number;
  worker: Worker | null;
  /** How often in a row it died soon after its start. */
  deaths: number;
}

/** A worker that dies within this many milliseconds has died soon. */
const soon = 30_000;
/** Milliseconds until a worker that was told to end is killed: longer than any work in progress can take. */
const patience = 25_000;
/** Milliseconds: longer than any work blocks the event loop, and longer than a swapping machine may hang. */
const usualSilence = 15_000;
/** Milliseconds for all workers to report their measurements; for those that do not, the last report counts. */
const measureTime = 1000;

export class Workers<Start> {
  readonly #options: WorkersOptions<Start>;
  readonly #slots: Slot[];
  readonly #serving = new Map<Worker, string>();
  /** The last measurements of each worker; `#past` combines those of workers that are gone. */
  readonly #measured = new Map<Worker, unknown>();
  #past: unknown = null;
  /** When each worker that can serve gave its last sign of life, as `performance.now()`. */
  readonly #heard = new Map<Worker, number>();
  #lookedAt = performance.now();
  #mayServe = false;
  #hasServed = false;
  #isStopping = false;
  #reloading: Promise<void> | null = null;
  #wantsReload = false;
  #lastId = 0;

  constructor(options: WorkersOptions<Start>) {
    this.#options = options;
    this.#slots = Array.from({ length: options.count }, (_, index) => ({ number: index + 1, worker: null, deaths: 0 }));
  }

  /** Starts all workers; they listen, but do not serve yet. */
  launch(): void {
    for (const slot of this.#slots) this.#fill(slot);
    setInterval(() => this.#killSilent(), beat).unref();
  }

  /** Lets all workers serve from now on. Resolves with the URL once all do. */
  async serve(): Promise<string> {
    this.#mayServe = true;
    for (const { worker } of this.#slots) if (worker) send(worker, { kind: 'serve' });
    for (;;) {
      const [url] = this.#serving.values();
      if (url !== undefined && this.#serving.size >= this.#slots.length) return url;
      await sleep(10);
    }
  }

  /** Replaces all workers, one after another. A call meanwhile replaces them once more. */
  reload(): Promise<void> {
    this.#wantsReload = true;
    this.#reloading ??= this.#replaceAll().finally(() => {
      this.#reloading = null;
    });
    return this.#reloading;
  }

  /** Lets all workers complete their work in progress, and ends them. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => worker && endOf(worker, { kind: 'stop' })));
  }

  /** The measurements of all workers so far, including those that are gone. */
  async measure(): Promise<readonly unknown[]> {
    const id = ++this.#lastId;
    const asked = [...this.#serving.keys()];
    const told = asked.map(
      (worker) =>
        new Promise<void>((resolve) => {
          const listen = (report: Report) => {
            if (report.kind !== 'measured' || report.id !== id) return;
            worker.off('message', listen);
            resolve();
          };
          worker.on('message', listen);
          setTimeout(() => worker.off('message', listen), measureTime).unref();
          send(worker, { kind: 'measure', id });
        }),
    );
    await Promise.race([Promise.all(told), sleep(measureTime)]);
    return [...(this.#past ? [this.#past] : []), ...[...this.#measured.values()].filter(Boolean)];
  }

  /** Kills workers whose event loop hangs: nothing that they have begun would end, and connections that they are given would wait. */
  #killSilent(): void {
    const { silence = usualSilence, report } = this.#options;
    const now = performance.now();
    // If this process itself hung, as when the machine slept, it has not listened.
    const hasListened = now - this.#lookedAt < silence / 2;
    this.#lookedAt = now;
    if (!hasListened) for (const worker of this.#heard.keys()) this.#heard.set(worker, now);
    for (const [worker, heardAt] of this.#heard) {
      const milliseconds = Math.round(now - heardAt);
      if (milliseconds < silence) continue;
      this.#heard.delete(worker);
      report('warn', { pid: worker.process.pid, milliseconds }, 'a worker gives no sign of life; it is killed');
      worker.process.kill('SIGKILL');
    }
  }

  #fill(slot: Slot): Worker {
    const worker = this.#fork(slot);
    slot.worker = worker;
    return worker;
  }

  #fork(slot: Slot): Worker {
    const { number } = slot;
    const bornAt = performance.now();
    const worker = cluster.fork({ [numberVariable]: String(number) });
    closeUntaken(worker);
    worker.on('message', (report: Report) => this.#hear(worker, report, number));
    worker.on('exit', (code: number | null, signal: string | null) => {
      this.#bury(worker);
      if (slot.worker !== worker) return;
      slot.worker = null;
      if (this.#isStopping) return;
      this.#options.report('warn', { worker: number, pid: worker.process.pid, code, signal }, 'a worker died; it is started again');
      if (!this.#hasServed) this.#options.onFailedStart();
      else void this.#startAgain(slot, performance.now() - bornAt < soon);
    });
    return worker;
  }

  async #startAgain(slot: Slot, diedSoon: boolean): Promise<void> {
    const { first, most } = this.#options.backOff ?? { first: 100, most: 10_000 };
    slot.deaths = diedSoon ? slot.deaths + 1 : 1;
    await sleep(Math.min(most, first * 2 ** (slot.deaths - 1)));
    if (!this.#isStopping && slot.worker === null) this.#fill(slot);
  }

  #hear(worker: Worker, report: Report, number: number): void {
    if (report.kind === 'born') {
      send(worker, { kind: 'start', start: this.#options.start() });
      if (this.#mayServe) send(worker, { kind: 'serve' });
    } else if (report.kind === 'serving') {
      this.#hasServed = true;
      this.#serving.set(worker, report.url);
      this.#heard.set(worker, performance.now());
      this.#options.report('info', { worker: number, pid: worker.process.pid }, 'a worker serves');
      this.#tellCount();
    } else if (report.kind === 'alive') {
      this.#heard.set(worker, performance.now());
      this.#measured.set(worker, report.own);
    } else if (report.kind === 'measured') this.#measured.set(worker, report.own);
    else void this.measure().then((all) => send(worker, { kind: 'measured', id: report.id, all }));
  }

  #bury(worker: Worker): void {
    const last = this.#measured.get(worker);
    if (last) this.#past = this.#options.past(this.#past ? [this.#past, last] : [last]);
    this.#measured.delete(worker);
    this.#heard.delete(worker);
    this.#serving.delete(worker);
    this.#tellCount();
  }

  #tellCount(): void {
    const places = new Set(this.#slots.map(({ worker }) => worker));
    // In order of age: the first one seldom changes.
    const serving = [...this.#serving.keys()].filter((worker) => places.has(worker));
    const first = serving[0]?.process.pid ?? null;
    for (const worker of Object.values(cluster.workers ?? {})) {
      if (worker) send(worker, { kind: 'count', serving: serving.length, of: this.#slots.length, first });
    }
  }

  async #replaceAll(): Promise<void> {
    while (this.#wantsReload && !this.#isStopping) {
      this.#wantsReload = false;
      this.#options.report('info', {}, 'replacing the workers, one after another');
      for (const slot of this.#slots) if (!this.#isStopping) await this.#replace(slot);
      this.#options.report('info', {}, 'the workers have been replaced');
    }
  }

  /** Ends the old worker once the new one serves; if the new one dies instead, the old one stays. */
  async #replace(slot: Slot): Promise<void> {
    const next = this.#fork(slot);
    while (!this.#serving.has(next)) {
      if (next.isDead()) return this.#options.report('warn', { worker: slot.number }, 'a new worker could not start: the old one stays');
      await sleep(10);
    }
    const old = slot.worker;
    slot.worker = next;
    slot.deaths = 0;
    this.#tellCount();
    if (old) await endOf(old, { kind: 'leave' });
  }
}

function send(worker: Worker, order: Order): void {
  if (worker.isConnected()) worker.send(order, undefined, () => {});
}

/** Tells a worker to end, and kills it if it does not. */
async function endOf(worker: Worker, order: Order): Promise<void> {
  if (worker.isDead()) return;
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  send(worker, order);
  const late = setTimeout(() => worker.process.kill('SIGKILL'), patience);
  await ended;
  clearTimeout(late);
}
