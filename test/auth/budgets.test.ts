import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CallerBudgets, OverBudget } from '../../src/auth/budgets.ts';
import { type Identity, plainIdentity } from '../../src/domain/identity.ts';
import type { BudgetSettings } from '../../src/settings/budgets.ts';

const settings = {
  callerCost: [
    ['service', null],
    ['admin', 6000],
    ['*', 600],
  ],
  callerRequests: [
    ['service', null],
    ['*', 2],
  ],
} as const;
const caller = (user: string, ...roles: string[]) => plainIdentity('static', user, 'p', roles);

/** Budgets and a clock that only the test moves, in seconds. */
function budgetsAt(given: BudgetSettings = settings) {
  const clock = { seconds: 0 };
  const budgets = new CallerBudgets(given, () => clock.seconds * 1000);
  return { clock, budgets: { enter: (identity: Identity, refusedCost = 0) => budgets.enter(identity, refusedCost) } };
}

function refusalOf(work: () => unknown): OverBudget {
  try {
    work();
  } catch (error) {
    if (error instanceof OverBudget) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

describe('the budget of a caller', () => {
  test('a caller that alternates tokens of different roles has one account per bound, and every place is given back', () => {
    const { budgets } = budgetsAt();
    for (let round = 0; round < 5; round++) {
      const visits = [budgets.enter(caller('a', 'reader')), budgets.enter(caller('a', 'admin'))];
      for (const visit of visits) visit?.spend(100);
      expect(visits.map((visit) => visit?.budget()?.remaining)).toEqual([500 - 100 * round, 5900 - 100 * round]);
      for (const visit of visits) visit?.leave();
    }
  });

  test('is that of the first listed role that the caller has', () => {
    const { budgets } = budgetsAt();
    expect(budgets.enter(caller('a', 'reader'))?.budget()?.limit).toBe(600);
    expect(budgets.enter(caller('b', 'reader', 'admin'))?.budget()?.limit).toBe(6000);
    expect(budgets.enter(caller('c', 'admin', 'service'))).toBeNull();
  });

  test('is spent, and refills evenly over a minute', () => {
    const { budgets, clock } = budgetsAt();
    const visit = budgets.enter(caller('a'));
    visit?.spend(500);
    expect(visit?.budget()).toEqual({ limit: 600, remaining: 100, restoredIn: 50 });
    const refusal = refusalOf(() => visit?.spend(200));
    expect(refusal).toMatchObject({ retryAfter: 10, budget: { remaining: 100 } });
    expect(refusal.message).toContain('costs 200 objects');
    clock.seconds += 10;
    visit?.spend(200);
    expect(visit?.budget()?.remaining).toBe(0);
  });

  test('serves a request that costs more than all of it, once it is full', () => {
    const { budgets, clock } = budgetsAt();
    const visit = budgets.enter(caller('a'));
    visit?.spend(1);
    expect(refusalOf(() => visit?.spend(5000)).retryAfter).toBe(1);
    clock.seconds += 1;
    visit?.spend(5000);
    expect(visit?.budget()?.remaining).toBe(-4400);
  });

  test('is charged for answers that turn out larger than estimated', () => {
    const { budgets, clock } = budgetsAt();
    const visit = budgets.enter(caller('a'));
    visit?.charge(1200);
    expect(refusalOf(() => visit?.spend(1)).retryAfter).toBe(61);
    clock.seconds += 61;
    visit?.spend(1);
  });

  test('that is overdrawn refuses requests before they are read, until it is positive again', () => {
    const { budgets, clock } = budgetsAt();
    const visit = budgets.enter(caller('a'));
    visit?.charge(700);
    visit?.leave();
    const refusal = refusalOf(() => budgets.enter(caller('a')));
    expect(refusal).toMatchObject({ retryAfter: 10, budget: { remaining: -100 } });
    expect(refusal.message).toContain('used up the 600 objects');
    clock.seconds += 10;
    budgets.enter(caller('a'))?.spend(0);
  });

  test('is charged once for a request that ends before its cost is known', () => {
    const { budgets } = budgetsAt();
    const refused = budgets.enter(caller('a'), 50);
    expect(refused?.budget()?.remaining).toBe(600);
    refused?.leave();
    refused?.leave();
    expect(refused?.budget()?.remaining).toBe(550);
    const served = budgets.enter(caller('a'), 50);
    served?.spend(7);
    served?.leave();
    expect(served?.budget()?.remaining).toBe(543);
    const charged = budgets.enter(caller('a'), 50);
    charged?.charge(3);
    charged?.leave();
    expect(charged?.budget()?.remaining).toBe(540);
    const overBudget = budgets.enter(caller('a'), 50);
    refusalOf(() => overBudget?.spend(600));
    overBudget?.leave();
    expect(overBudget?.budget()?.remaining).toBe(540);
  });

  test('is not affected by what other callers spend', () => {
    const { budgets } = budgetsAt();
    budgets.enter(caller('a'))?.spend(600);
    expect(budgets.enter(caller('b'))?.budget()?.remaining).toBe(600);
    expect(budgets.enter(plainIdentity('static', 'a', 'another', []))?.budget()?.remaining).toBe(600);
  });

  test('never lets through more than a full budget plus what was refilled', () => {
    const step = fc.record({ wait: fc.integer({ min: 0, max: 30 }), cost: fc.integer({ min: 0, max: 700 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { budgets, clock } = budgetsAt();
        let spent = 0;
        let last = 0;
        const ask = (cost: number) => {
          const visit = budgets.enter(caller('a'));
          try {
            visit?.spend(cost);
          } finally {
            visit?.leave();
          }
          spent += cost;
          last = cost;
        };
        for (const { wait, cost } of steps) {
          clock.seconds += wait;
          try {
            ask(cost);
          } catch (error) {
            if (!(error instanceof OverBudget)) throw error;
            clock.seconds += error.retryAfter;
            try {
              ask(cost);
            } catch (again) {
              // The budget was overdrawn, so the cost of the request was not yet known. Now the answer says when the request will be served.
              if (!(again instanceof OverBudget) || error.budget === null || error.budget.remaining >= 0) throw again;
              clock.seconds += again.retryAfter;
              ask(cost);
            }
          }
        }
        expect(spent - Math.max(0, last - 600)).toBeLessThanOrEqual(600 + clock.seconds * 10 + 1e-6);
      }),
    );
  });
});

describe('the requests in progress of a caller', () => {
  test('are limited by its role', () => {
    const { budgets } = budgetsAt();
    const first = budgets.enter(caller('a'));
    budgets.enter(caller('a'));
    const refusal = refusalOf(() => budgets.enter(caller('a')));
    expect(refusal).toMatchObject({ retryAfter: 1, budget: null });
    expect(refusal.message).toContain('2 requests in progress');
    first?.leave();
    first?.leave();
    budgets.enter(caller('a'));
    expect(refusalOf(() => budgets.enter(caller('a')))).toBeInstanceOf(OverBudget);
  });
});

describe('a caller with tokens of different roles', () => {
  const { budgets } = budgetsAt({
    callerCost: [
      ['reader', 500],
      ['*', 600],
    ],
    callerRequests: [
      ['admin', 3],
      ['*', 1],
    ],
  });
  const enter = (...roles: string[]) => budgets.enter(caller('a', ...roles));

  test('has one bound of requests for each number, and one budget for each cost, whichever roles share them', () => {
    const first = enter('reader');
    refusalOf(() => enter('member'));
    const others = [enter('admin'), enter('admin'), enter('admin', 'reader')];
    refusalOf(() => enter('admin'));
    first?.spend(100);
    expect(others.map((visit) => visit?.budget()?.remaining)).toEqual([600, 600, 400]);
    first?.leave();
    const member = enter('member');
    member?.spend(600);
    expect(others.map((visit) => visit?.budget()?.remaining)).toEqual([0, 0, 400]);
    for (const visit of [member, ...others]) visit?.leave();
  });
});

test('among many callers, those that have spent nothing are forgotten first', () => {
  const { budgets, clock } = budgetsAt();
  const spender = budgets.enter(caller('spender'));
  spender?.spend(600);
  spender?.leave();
  for (let count = 0; count < 30_000; count += 1) budgets.enter(caller(`guest ${count}`))?.leave();
  expect(budgets.enter(caller('spender'))?.budget()?.remaining).toBe(0);
  clock.seconds += 60;
  expect(budgets.enter(caller('spender'))?.budget()?.remaining).toBe(600);
});
