// Keeps long work from holding the event loop: what it does between two yields takes a millisecond in all, however many requests do it at once, and while
// short work is in progress it pauses after each. For heavy work only; light work need not ask, but says that it is there.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';

/**
 * Milliseconds of long work in one turn of the event loop. A short request takes several turns, each of which may have to wait for it; a turn costs
 * hundredths of a millisecond.
 */
const share = 1;
/**
 * Milliseconds between two turns of long work while short work is in progress. Most short work waits for the database, and continues at once when the answer
 * arrives. Long work still gets a quarter of the time.
 */
const pause = 3;
/** Elements of a list that are passed on at once: tenths of a millisecond of work. */
const elementsAtOnce = 5;
/**
 * Bytes that are allocated in turns of long work until what it has left behind is collected. Much of it is still in use, and V8, which waits until there
 * are 32 MiB, would then stop everything for longer than any part of the work takes.
 */
const bytesUntilCollected = 8 * 2 ** 20;
/** Collects what was made lately, in a few milliseconds; only there in a process that was started with --expose-gc. */
const { gc: collect } = globalThis as { gc?: (how: { type: 'minor' }) => void };

/** When the long work of this turn of the event loop began, as performance.now(); 0 before. */
let beganAt = 0;
/** When long work may continue while there is short work. */
let pausesUntil = 0;
/** Bytes in use after the last collection, whatever caused it, as far as is known. */
let bytesBefore = 0;
/** The number of requests of short work in progress. */
let shortUnderWay = 0;
let waiting: (() => void)[] = [];
let isPassing = false;
/** Batches of reads that wait until everything has been passed on. */
let batches: (() => void)[] = [];
let isLongWork = false;

/** Runs short work: until it is done, or calls `turnsLong`, long work makes way for it. */
export async function asShortWork<Result>(run: (turnsLong: () => void) => Promise<Result>): Promise<Result> {
  let isShort = true;
  const end = () => {
    if (isShort) shortUnderWay -= 1;
    isShort = false;
  };
  shortUnderWay += 1;
  try {
    return await run(end);
  } finally {
    end();
  }
}

/** Whether the long work of this turn has had its share. */
function isShareSpent(): boolean {
  const now = performance.now();
  if (beganAt > 0) return now - beganAt > share;
  if (shortUnderWay > 0 && now < pausesUntil) return true;
  beganAt = now;
  if (collect) collectWhatIsLeft(collect);
  setImmediate(() => {
    beganAt = 0;
    pausesUntil = performance.now() + pause;
  });
  return false;
}

function collectWhatIsLeft(minor: NonNullable<typeof collect>): void {
  const bytes = getHeapStatistics().used_heap_size;
  if (bytes < bytesBefore) bytesBefore = bytes;
  if (bytes - bytesBefore < bytesUntilCollected) return;
  minor({ type: 'minor' });
  bytesBefore = getHeapStatistics().used_heap_size;
}

/** Waits until long work may continue, as far as is known. */
async function nextShare(): Promise<void> {
  if (beganAt > 0 || shortUnderWay === 0) await nextTurn();
  else await sleep(Math.max(1, pausesUntil - performance.now()));
}

/** The value, or a promise that passes it on in a later turn of the event loop if the share of this one is spent. */
export function inTurn<Value>(value: Value): Value | Promise<Value> {
  if (waiting.length === 0 && !isShareSpent()) return value;
  return new Promise((resolve) => enqueue(() => resolve(value)));
}

/** A list whose elements are passed on in turn, a few at a time, except for the first. */
export function elementsInTurn<Element>(list: readonly Element[], first: number): readonly (Element | Promise<Element>)[] {
  const passes: (() => void)[] = [];
  const later = (element: Element) => new Promise<Element>((resolve) => passes.push(() => resolve(element)));
  const elements = list.map((element, index) => (index < first ? element : later(element)));
  for (let from = 0; from < passes.length; from += elementsAtOnce) {
    enqueue(() => {
      for (const pass of passes.slice(from, from + elementsAtOnce)) pass();
    });
  }
  return elements;
}

/** The same for promises. Many can be kept at once, and work follows each: so their values are passed on one by one. */
export function inTurnWhenKept<Value>(promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    promise.then((value) => enqueue(() => resolve(value)), reject);
  });
}

/** Maps a list that can be long. */
export async function mapInTurn<Element, Result>(
  list: readonly Element[],
  map: (element: Element, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, element] of list.entries()) {
    const turn = results.push(map(element, index)) > 1 ? inTurn(null) : null;
    if (turn !== null) await turn;
  }
  return results;
}

/** Does work that pauses now and then, a share of each turn of the event loop at a time. */
export async function workInTurn<Result>(work: Generator<unknown, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    const turn = inTurn(null);
    if (turn !== null) await turn;
  }
}

/**
 * Milliseconds of a part of work that others wait for, such as a search: with the share and the pauses above they would wait too long, and in one piece it
 * would hold up all others.
 */
const partOfUrgent = 5;
/** When the last work that waits for a turn of its own gets it. */
let lastTurn: Promise<unknown> = Promise.resolve();

/** Does work that pauses now and then, and that others wait for: one part of all such work in a turn of the event loop. */
export async function urgentInParts<Result>(work: Generator<unknown, Result>, part = partOfUrgent): Promise<Result> {
  for (;;) {
    const until = performance.now() + part;
    do {
      const { done, value } = work.next();
      if (done) return value;
    } while (performance.now() < until);
    lastTurn = lastTurn.then(() => nextTurn());
    await lastTurn;
  }
}

/** Runs a function that belongs to long work: the batches of reads that it begins are long work, too. */
export function asLongWork<Result>(run: () => Result): Result {
  const before = isLongWork;
  isLongWork = true;
  try {
    return run();
  } finally {
    isLongWork = before;
  }
}

/**
 * For loaders, when to send a batch: when all work in progress has asked for its rows. Long work takes several turns of the event
 * loop, and its reads must stay one statement.
 */
export function scheduleBatch(send: () => void): void {
  const isLong = isLongWork;
  const sendOrWait = () => {
    if (isLong && isPassing) batches.push(send);
    else send();
  };
  void Promise.resolve().then(() => process.nextTick(sendOrWait));
}

function enqueue(resume: () => void): void {
  waiting.push(resume);
  if (!isPassing) void passOn();
}

async function passOn(): Promise<void> {
  isPassing = true;
  while (waiting.length > 0) {
    const queue = waiting;
    waiting = [];
    for (const resume of queue) {
      while (isShareSpent()) await nextShare();
      resume();
      // The work that was resumed runs now.
      await null;
      await null;
    }
  }
  isPassing = false;
  const ready = batches;
  batches = [];
  for (const send of ready) send();
}
