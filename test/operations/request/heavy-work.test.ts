// How many heavy requests are worked on at once, and what becomes of the others.
import { expect, test } from 'vitest';
import { plainIdentity } from '../../../src/domain/identity.ts';
import { HeavyWork, TooBusy } from '../../../src/operations/request/heavy-work.ts';

/** Work that lasts until it is ended, and the number of those under way. */
function pieces(heavyWork: HeavyWork) {
  const under: (() => void)[] = [];
  let peak = 0;
  const begin = (caller: Parameters<HeavyWork['run']>[0] = null) =>
    heavyWork.run(
      caller,
      () =>
        new Promise<string>((resolve) => {
          under.push(() => resolve('done'));
          peak = Math.max(peak, under.length);
        }),
    );
  return { begin, end: () => under.shift()?.(), peak: () => peak, count: () => under.length };
}

const outcomeOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

test('as many run at once as allowed, and the others follow in the order of arrival', async () => {
  const { begin, end, peak, count } = pieces(new HeavyWork({ atOnce: 2 }));
  const ended: number[] = [];
  const all = Array.from({ length: 150 }, (_, index) => outcomeOf(begin()).then(() => ended.push(index)));
  // The first hundred that wait may wait.
  for (let round = 0; round < 150; round++) {
    await null;
    end();
    await new Promise(setImmediate);
  }
  await Promise.all(all);
  expect([peak(), count()]).toEqual([2, 0]);
  const served = ended.filter((index) => index < 102);
  expect(served).toEqual(Array.from({ length: 102 }, (_, index) => index));
});

test('users take turns, however many operations one of them has waiting for however many projects', async () => {
  const { begin, end } = pieces(new HeavyWork({ atOnce: 1 }));
  const ended: string[] = [];
  const ask = (user: string, project: string) => begin(plainIdentity('static', user, project, [])).then(() => ended.push(user));
  const all = ['a', 'a', 'a', 'a', 'b', 'b', 'c'].map((user, index) => ask(user, `p${index}`));
  for (let round = 0; round < all.length; round++) {
    end();
    await new Promise(setImmediate);
  }
  await Promise.all(all);
  // The first had its turn before the others came.
  expect(ended.join('')).toBe('aabcaba');
});

test("beyond the queue's length, the refusal is immediate and says that nothing was done", async () => {
  const { begin, end, count } = pieces(new HeavyWork({ atOnce: 1, queued: 1 }));
  const [first, second] = [begin(), begin()];
  await expect(begin()).rejects.toThrow(/Nothing was done/);
  end();
  expect(await first).toBe('done');
  await expect.poll(count).toBe(1);
  end();
  expect(await second).toBe('done');
});

test('a user who has all places in the queue gives the last one up for another', async () => {
  const { begin, end } = pieces(new HeavyWork({ atOnce: 1, queued: 3 }));
  const by = (user: string) => outcomeOf(begin(plainIdentity('static', user, 'p', [])));
  const [running, first, second, third, other] = [by('a'), by('a'), by('a'), by('a'), by('b')];
  expect(await third).toBeInstanceOf(TooBusy);
  expect(await by('a')).toBeInstanceOf(TooBusy);
  const rest = [running, first, second, other];
  for (const _ of rest) {
    end();
    await new Promise(setImmediate);
  }
  expect(await Promise.all(rest)).toEqual(['done', 'done', 'done', 'done']);
});

test('what has begun as light work gets a place in a full queue, and gives it up only for a user who has fewer', async () => {
  const heavyWork = new HeavyWork({ atOnce: 1, queued: 2 });
  const { begin, end } = pieces(heavyWork);
  const [writer, reader] = [plainIdentity('static', 'writer', 'p', []), plainIdentity('static', 'reader', 'p', [])];
  const running = begin(writer);
  const [first, second] = [outcomeOf(begin(writer)), outcomeOf(begin(reader))];
  const [turn, given] = [heavyWork.turn(writer), outcomeOf(heavyWork.turn(writer))];
  expect([await first, await second]).toEqual([expect.any(TooBusy), expect.any(TooBusy)]);
  expect(await outcomeOf(begin(writer))).toBeInstanceOf(TooBusy);
  const fair = begin(reader);
  expect(await given).toBeInstanceOf(TooBusy);
  end();
  await running;
  (await turn)();
  await expect.poll(() => heavyWork.state).toMatchObject({ active: 1, waiting: 0 });
  end();
  expect(await fair).toBe('done');
});

test('of users who wait for as much, the one whose turn is last gives up a place', async () => {
  const heavyWork = new HeavyWork({ atOnce: 1, queued: 2 });
  const { begin, end } = pieces(heavyWork);
  const by = (user: string) => plainIdentity('static', user, 'p', []);
  const [running, next, last] = [begin(by('a')), begin(by('b')), outcomeOf(begin(by('c')))];
  const turn = heavyWork.turn(by('d'));
  expect(await last).toBeInstanceOf(TooBusy);
  end();
  await running;
  await new Promise(setImmediate);
  end();
  expect(await next).toBe('done');
  (await turn)();
});

test('an operation that waits too long is refused, and leaves its place to others', async () => {
  const { begin, end, count } = pieces(new HeavyWork({ atOnce: 1, queued: 1, wait: 20 }));
  const first = begin();
  expect(await outcomeOf(begin())).toBeInstanceOf(TooBusy);
  const third = begin();
  end();
  await first;
  await expect.poll(count).toBe(1);
  end();
  expect(await third).toBe('done');
});

test('work that fails leaves its place, too', async () => {
  const heavyWork = new HeavyWork({ atOnce: 1, queued: 0 });
  await expect(heavyWork.run(null, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await heavyWork.run(null, async () => 1)).toBe(1);
});

test('nothing starts while too many bytes are in memory', async () => {
  const heavyWork = new HeavyWork({ bytes: 100 });
  expect([heavyWork.hasRoomFor(100), heavyWork.hasRoomFor(101)]).toEqual([true, false]);
  const done = heavyWork.hold(100);
  expect(heavyWork.hasRoomFor(1)).toBe(false);
  expect(await outcomeOf(heavyWork.run(null, async () => 1))).toBeInstanceOf(TooBusy);
  done();
  expect(await heavyWork.run(null, async () => 1)).toBe(1);
});
