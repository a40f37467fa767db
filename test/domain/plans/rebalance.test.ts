// Rebalancing, against brute force: a plain ledger replays every move, and every move must gain what it says.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Forest, Tree } from '../../../src/domain/candidates/forest.ts';
import { type Holding, occupantOf } from '../../../src/domain/plans/consumers.ts';
import { balanceOf, loadOf } from '../../../src/domain/plans/load.ts';
import { makeMove, undoMove } from '../../../src/domain/plans/moves.ts';
import { planRebalance, type RebalanceOptions, type Rebalancing } from '../../../src/domain/plans/rebalance.ts';
import { inhabitedCloud, noConditions, PlainLedger } from '../../support/planned-clouds.ts';
import { sampled } from '../../support/profile.ts';
import { uuidOf } from '../../support/seed.ts';
import { forestOf } from '../../support/tree.ts';

function run<Result>(work: Generator<unknown, Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

const options = (forest: Forest): RebalanceOptions => ({
  ...{ goal: 'SPREAD', classIds: [forest.classes.idOf('VCPU') ?? -1], maxMoves: 100, minGain: 0.0001 },
  mayShare: () => true,
  moved: () => {},
});
const nameOf = ({ root }: Tree) => root.state.provider.name;

/** Rebalances all trees of a drawing. */
function rebalance(drawing: string, holdings: readonly Holding[], given: Partial<RebalanceOptions> = {}): Rebalancing {
  const forest = forestOf(drawing);
  const trees = [...forest.all.trees];
  const occupants = holdings.map((holding) => occupantOf(forest, holding, new Set(trees), undefined, noConditions));
  return run(planRebalance(forest, trees, occupants, { ...options(forest), ...given }));
}

/** Consumers with these amounts of VCPU on a provider. */
const vms = (provider: string, ...sizes: number[]): Holding[] =>
  sizes.map((amount, index) => ({
    ...{ uuid: uuidOf(`${provider} ${index}`), generation: 1, obstacle: null },
    allocations: [{ resourceProvider: uuidOf(provider), resources: [{ resourceClass: 'VCPU', amount }] }],
  }));
const movesOf = ({ moves }: Rebalancing) => moves.map(({ from, to }) => `${nameOf(from)} to ${nameOf(to)}`);

describe('evening out', () => {
  const cloud = 'cn1 VCPU 10 used 8\ncn2 VCPU 10 used 2\ncn3 VCPU 10';
  const held = [...vms('cn1', 4, 2, 2), ...vms('cn2', 2)];

  test('makes the move that gains most first, and stops when no move gains anything', () => {
    const plan = rebalance(cloud, held);
    expect(movesOf(plan)).toEqual(['cn1 to cn3']);
    expect(plan.before).toMatchObject({ highest: 0.8, lowest: 0 });
    expect(plan.after).toMatchObject({ highest: 0.4, lowest: 0.2 });
    expect(plan.moves[0]?.gain).toBeCloseTo(plan.before.deviation - plan.after.deviation);
    expect(plan.truncated).toBe(false);
  });

  test('makes no move on even trees, none that would only reverse the loads, and none that gains too little', () => {
    expect(movesOf(rebalance('cn1 VCPU 10 used 2\ncn2 VCPU 10 used 2', [...vms('cn1', 2), ...vms('cn2', 2)]))).toEqual([]);
    expect(movesOf(rebalance('cn1 VCPU 10 used 4\ncn2 VCPU 10', vms('cn1', 4)))).toEqual([]);
    expect(movesOf(rebalance(cloud, held, { minGain: 0.5 }))).toEqual([]);
  });

  test('makes no more moves than it may, and says so', () => {
    const uneven = 'cn1 VCPU 10 used 10\ncn2 VCPU 10\ncn3 VCPU 10';
    expect(rebalance(uneven, vms('cn1', ...Array(10).fill(1)), { maxMoves: 2 })).toMatchObject({ truncated: true, moves: [{}, {}] });
    expect(rebalance(uneven, vms('cn1', ...Array(10).fill(1)))).toMatchObject({ truncated: false, after: { highest: 0.4 } });
  });
});

describe('packing', () => {
  test('empties the least loaded trees, only completely, and never into empty ones', () => {
    const cloud = 'cn1 VCPU 8 used 6\ncn2 VCPU 8 used 3\ncn3 VCPU 8 used 2\ncn4 VCPU 8';
    const plan = rebalance(cloud, [...vms('cn1', 6), ...vms('cn2', 2, 1), ...vms('cn3', 1, 1)], { goal: 'PACK' });
    expect(movesOf(plan)).toEqual(['cn3 to cn1', 'cn3 to cn1']);
    expect(plan.emptied.map(nameOf)).toEqual(['cn3']);
    expect(plan.moves.map(({ gain }) => gain)).toEqual([0.5, 0.5]);
  });

  test('does not begin to empty a tree if a consumer must stay, does not fit, or is one move too many', () => {
    const cloud = 'cn1 VCPU 8 used 6\ncn2 VCPU 8 used 3';
    const stays = vms('cn2', 1, 1, 1).map((one, index): Holding => (index === 1 ? { ...one, obstacle: 'STAYING' } : one));
    expect(movesOf(rebalance(cloud, [...vms('cn1', 6), ...stays], { goal: 'PACK' }))).toEqual([]);
    expect(movesOf(rebalance(cloud, [...vms('cn1', 6), ...vms('cn2', 3)], { goal: 'PACK' }))).toEqual([]);
    const room = 'cn1 VCPU 9 used 6\ncn2 VCPU 8 used 3';
    const all = [...vms('cn1', 6), ...vms('cn2', 1, 1, 1)];
    expect(rebalance(room, all, { goal: 'PACK', maxMoves: 2 })).toMatchObject({ moves: [], truncated: true });
    expect(rebalance(room, all, { goal: 'PACK' })).toMatchObject({ truncated: false, moves: [{}, {}, {}] });
  });
});

test('every plan can be executed move by move, each move gains what it says, and no tree gets fuller than the fullest was', () => {
  fc.assert(
    fc.property(
      inhabitedCloud,
      fc.constantFrom('SPREAD', 'PACK'),
      fc.integer({ min: 1, max: 6 }),
      ({ drawn, holdings }, goal, maxMoves) => {
        const forest = forestOf(drawn);
        const ledger = new PlainLedger(forest, holdings);
        const trees = [...forest.all.trees];
        const set = { ...options(forest), goal, maxMoves };
        const loads = () => trees.map((tree) => loadOf(tree, set.classIds));
        const occupants = holdings.map((holding) => occupantOf(forest, holding, new Set(trees), undefined, noConditions));
        const atFirst = loads();
        const plan = run(planRebalance(forest, trees, occupants, set));
        expect(plan.moves.length).toBeLessThanOrEqual(maxMoves);
        expect(plan.before).toEqual(balanceOf(atFirst));
        expect(plan.after).toEqual(balanceOf(loads()));
        for (const move of plan.moves.toReversed()) undoMove(forest, move);
        expect(loads()).toEqual(atFirst);
        for (const move of plan.moves) {
          const [before, source] = [balanceOf(loads()), loadOf(move.from, set.classIds)];
          ledger.make(forest, move);
          makeMove(forest, move);
          if (goal === 'PACK') continue;
          expect(move.gain).toBeCloseTo(before.deviation - balanceOf(loads()).deviation, 9);
          expect(move.gain).toBeGreaterThan(0);
          expect(loadOf(move.to, set.classIds)).toBeLessThan(source);
        }
        if (goal === 'SPREAD') return;
        for (const tree of plan.emptied) {
          const leaving = occupants.filter(({ home }) => home === tree);
          const gains = plan.moves.filter(({ from }) => from === tree);
          expect(gains.map(({ occupant }) => occupant.uuid).toSorted()).toEqual(leaving.map(({ uuid }) => uuid).toSorted());
          expect(gains.reduce((sum, { gain }) => sum + gain, 0)).toBeCloseTo(1);
          expect(plan.moves.some(({ to }) => to === tree)).toBe(false);
        }
      },
    ),
    { numRuns: sampled(200) },
  );
});
