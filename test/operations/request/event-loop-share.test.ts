// Long work in parts: others get their turn in between, and nothing is lost.
import { expect, test } from 'vitest';
import { asShortWork, elementsInTurn, inTurn, inTurnWhenKept, urgentInParts } from '../../../src/operations/request/event-loop-share.ts';

/** Milliseconds of work. */
function work(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

test('other work gets turns between the parts, however much long work there is at once', async () => {
  let turns = 0;
  let working = true;
  const count = () => {
    turns++;
    if (working) setImmediate(count);
  };
  setImmediate(count);
  const results = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const value = await inTurnWhenKept(Promise.resolve(index));
      work(2);
      return value;
    }),
  );
  working = false;
  expect(results).toEqual(Array.from({ length: 100 }, (_, index) => index));
  expect(turns).toBeGreaterThan(3);
});

test('an error is passed on', async () => {
  await expect(inTurnWhenKept(Promise.reject(new Error('no')))).rejects.toThrow('no');
});

test('values are passed on at once while there is time', async () => {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(inTurn('now')).toBe('now');
  work(20);
  const later = inTurn('later');
  expect(later).toBeInstanceOf(Promise);
  expect(await later).toBe('later');
});

test('the elements of a list arrive in order, with turns for other work after the first', async () => {
  let turns = 0;
  let working = true;
  const count = () => {
    turns++;
    if (working) setImmediate(count);
  };
  setImmediate(count);
  const list = Array.from({ length: 30 }, (_, index) => index);
  const elements = elementsInTurn(list, 10);
  expect(elements.slice(0, 10)).toEqual(list.slice(0, 10));
  const taken: number[] = [];
  await Promise.all(
    elements.map(async (element) => {
      taken.push(await element);
      work(2);
    }),
  );
  working = false;
  expect(taken).toEqual(list);
  // Five at a time.
  expect(turns).toBeGreaterThanOrEqual(3);
});

test('while short work is in progress, long work pauses after each share, and still ends', async () => {
  let ends = () => {};
  const short = asShortWork(() => new Promise<void>((resolve) => (ends = resolve)));
  const begins: number[] = [];
  await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      await inTurnWhenKept(Promise.resolve(index));
      begins.push(performance.now());
      work(2);
    }),
  );
  ends();
  await short;
  // From the end of one to the beginning of the next; a timer may be a little early.
  const pauses = begins.slice(1).map((begin, index) => begin - (begins[index] ?? 0) - 2);
  expect(Math.min(...pauses)).toBeGreaterThan(1.5);
});

test('short work that fails has ended', async () => {
  await expect(asShortWork(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(inTurn('now')).toBe('now');
});

test('urgent work takes one turn for each part, however much urgent work there is', async () => {
  let turns = 0;
  let working = true;
  const count = () => {
    turns++;
    if (working) setImmediate(count);
  };
  setImmediate(count);
  let parts = 0;
  const turnsOfParts: number[] = [];
  function* job(): Generator<void, number> {
    for (let part = 0; part < 5; part++) {
      turnsOfParts.push(turns);
      parts += 1;
      yield;
    }
    return parts;
  }
  // Each part is over its time as soon as it begins.
  await Promise.all([urgentInParts(job(), 0), urgentInParts(job(), 0), urgentInParts(job(), 0)]);
  working = false;
  expect(parts).toBe(15);
  // The first part of each is done at once, the others one in a turn.
  const later = turnsOfParts.slice(3);
  expect(new Set(later).size).toBe(later.length);
});
