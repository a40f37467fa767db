// The processes of a gateway with several workers: starts them, starts them again when they die, replaces them one by one, and stops them. Serves nothing.
//
// They share one port through node:cluster: this process listens, and passes each connection on to the next worker. With SO_REUSEPORT each worker would
// have a queue of its own in the kernel: what waits in that of one that ends is lost, so that none could be replaced without failed requests; connections
// would be spread by their hash, unevenly when they are few and long-lived as Nova's are; and it is there on Linux and Node 23 only.
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeUntaken } from './given-connections.ts';
import { beat, numberVariable, type Order, type Report } from './messages.ts';

export interface WorkersOptions<Start> {
  readonly count: number;
  /** What a worker that is started now is told. */
  readonly start: () => Start;
  readonly report: (level: 'info' | 'warn', details: object, line: string) => void;
  /** The first workers cannot serve: they have said why. */
  readonly onFailedStart: () => void;
  /** What is left of what workers had measured that are gone. */
  readonly past: (told: readonly unknown[]) => unknown;
  /** Milliseconds until a worker that died is started again: the first time, and at most. */
  readonly backOff?: { readonly first: number; readonly most: number };
  /** Milliseconds of silence after which a worker that was alive is killed, and started again. Default 15 seconds. */
  readonly silence?: number;
}

/** One of the numbers from 1 on, and the process that has it. */
interface Slot {
  readonly number: number;
  worker: Worker | null;
  /** How often in succession it died soon. */
  deaths: number;
}

/** Milliseconds after which a worker that dies has not died soon. */
const soon = 30_000;
/** Milliseconds until a worker that was told to end is killed: longer than it takes to complete what can be under way. */
const patience = 25_000;
/** Milliseconds: longer than any work holds the event loop, and than a machine that swaps may stand still. */
const usualSilence = 15_000;
/** Milliseconds for all workers to tell what they measured; what was told last holds for those that do not. */
const measureTime = 1000;

export class Workers<Start> {
  readonly #options: WorkersOptions<Start>;
  readonly #slots: Slot[];
  readonly #serving = new Map<Worker, string>();
  /** What each told last, and what those that are gone told. */
  readonly #measured = new Map<Worker, unknown>();
  #past: unknown = null;
  /** When each of those that can serve gave its last sign of life, as `performance.now()`. */
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

  /** Starts all; they listen, but do not serve yet. */
  launch(): void {
    for (const slot of this.#slots) this.#fill(slot);
    setInterval(() => this.#killSilent(), beat).unref();
  }

  /** Lets all serve, from now on; the URL when all do. */
  async serve(): Promise<string> {
    this.#mayServe = true;
    for (const { worker } of this.#slots) if (worker) send(worker, { kind: 'serve' });
    for (;;) {
      const [url] = this.#serving.values();
      if (url !== undefined && this.#serving.size >= this.#slots.length) return url;
      await sleep(10);
    }
  }

  /** Replaces all workers, one after another. When asked for meanwhile, it is done once more. */
  reload(): Promise<void> {
    this.#wantsReload = true;
    this.#reloading ??= this.#replaceAll().finally(() => {
      this.#reloading = null;
    });
    return this.#reloading;
  }

  /** Lets all complete what is under way. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => worker && endOf(worker, { kind: 'stop' })));
  }

  /** What all have measured so far, those that are gone included. */
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

  /** Its event loop stands still: nothing that it has begun will end, and connections that it is given wait. */
  #killSilent(): void {
    const { silence = usualSilence, report } = this.#options;
    const now = performance.now();
    // Whoever stood still itself, as when the machine slept, has not listened.
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

  /** The old one goes when the new one serves; if that dies instead, the old one stays. */
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
