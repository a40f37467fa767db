// Which statement is next: those of heavy work are few at once and make way for others, but are never shut out.
import { expect, test } from 'vitest';
import { Lanes } from '../../../src/db/sql/lanes.ts';
import { Statement } from '../../../src/db/sql/session.ts';

const statement = (isHeavy: boolean) => new Statement({ handler: () => {}, resolve: () => {}, reject: () => {} }, isHeavy);
const light = () => statement(false);
const heavy = () => statement(true);

/** Those that begin now, without any ending. */
function beginning(lanes: Lanes): Statement[] {
  const begun: Statement[] = [];
  for (let next = lanes.next(); next; next = lanes.next()) begun.push(next);
  return begun;
}

/** Later statements have later moments. */
async function waiting(lanes: Lanes, ...statements: (() => Statement)[]): Promise<Statement[]> {
  const pushed: Statement[] = [];
  for (const make of statements) {
    const one = make();
    lanes.push(one);
    pushed.push(one);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return pushed;
}

test('no more heavy statements start than may run at once, and those that end make room', async () => {
  const lanes = new Lanes(2);
  const all = await waiting(lanes, heavy, heavy, heavy, heavy);
  expect(lanes.ready).toBe(2);
  expect(beginning(lanes)).toEqual(all.slice(0, 2));
  expect([lanes.ready, lanes.size]).toEqual([0, 2]);
  for (const one of all.slice(0, 2)) lanes.ended(one);
  expect(beginning(lanes)).toEqual(all.slice(2));
});

test('while heavy work is in progress, all others go first', async () => {
  const lanes = new Lanes(2);
  const [first, second, third, fourth] = await waiting(lanes, heavy, heavy, light, light);
  expect(beginning(lanes)).toEqual([first, third, fourth, second]);
});

test('heavy work goes in the order of arrival while none is in progress', async () => {
  const lanes = new Lanes(1);
  const [first, second, third] = await waiting(lanes, light, heavy, light);
  expect(beginning(lanes)).toEqual([first, second, third]);
});

test('those that wait too long are removed, each lane by its own deadline', async () => {
  const lanes = new Lanes(1);
  const [first, second, third] = await waiting(lanes, light, heavy, light);
  expect(lanes.takeOlder(second?.since ?? 0, first?.since)).toEqual([first]);
  expect(lanes.takeOlder(Number.POSITIVE_INFINITY)).toEqual([third, second]);
  expect([lanes.size, lanes.next()]).toEqual([0, undefined]);
});
