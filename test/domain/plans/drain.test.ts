// Plans that empty trees, against brute force: a plain ledger replays every move, and the oracle of the search confirms that stuck consumers have no place.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Forest, Tree } from '../../../src/domain/candidates/forest.ts';
import { removeTrees } from '../../../src/domain/plans/changes.ts';
import { type Holding, occupantOf } from '../../../src/domain/plans/consumers.ts';
import { type Drain, type DrainOptions, planDrain } from '../../../src/domain/plans/drain.ts';
import { ConsumerGroups } from '../../../src/domain/plans/groups.ts';
import { growForest, snapshotOf } from '../../../src/domain/plans/snapshot.ts';
import { askOracle, countCombinations } from '../../support/candidate-oracle.ts';
import { inhabitedCloud, noConditions, PlainLedger, withUseOf } from '../../support/planned-clouds.ts';
import { sampled } from '../../support/profile.ts';
import { uuidOf } from '../../support/seed.ts';
import { forestOf } from '../../support/tree.ts';

/** The result of a generator, without pausing. */
function run<Result>(work: Generator<unknown, Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

const options: DrainOptions = {
  ...{ goal: 'SPREAD', classIds: [0, 1], maxMoves: 100, maxExplained: 3 },
  mayShare: () => true,
  moved: () => {},
};
const treeOf = (forest: Forest, name: string) => forest.findByUuid(uuidOf(name))?.tree as Tree;
const nameOf = ({ root }: Tree) => root.state.provider.name;

/** Drains trees of a drawing. */
function drain(drawing: string, holdings: readonly Holding[], names: readonly string[], given: Partial<DrainOptions> = {}): Drain {
  const forest = forestOf(drawing);
  const trees = new Set(names.map((name) => treeOf(forest, name)));
  const occupants = holdings.map((holding) => occupantOf(forest, holding, trees, undefined, noConditions));
  run(removeTrees(forest, [...trees]));
  return run(planDrain(forest, occupants, { ...options, ...given }));
}

const holding = (name: string, held: Record<string, Record<string, number>>, rest: Partial<Holding> = {}): Holding => ({
  ...{ uuid: uuidOf(name), generation: 1, obstacle: null, ...rest },
  allocations: Object.entries(held).map(([provider, amounts]) => ({
    resourceProvider: uuidOf(provider),
    resources: Object.entries(amounts).map(([resourceClass, amount]) => ({ resourceClass, amount })),
  })),
});
const movesOf = ({ moves }: Drain) => moves.map(({ occupant, to }) => [occupant.uuid, nameOf(to)]);

test('a copy of a forest is complete and independent', () => {
  const forest = forestOf('cn1 VCPU 8 used 2 @a\n  gpu VGPU 2\npool DISK_GB 100 SHARING @a');
  const copy = run(growForest(snapshotOf(forest)));
  expect(snapshotOf(copy)).toEqual(snapshotOf(forest));
  expect([...copy.sharing].map(({ state }) => state.provider.name)).toEqual(['pool']);
  run(removeTrees(copy, [treeOf(copy, 'cn1')]));
  expect([forest.all.length, copy.all.length, copy.findByUuid(uuidOf('gpu'))]).toEqual([2, 1, undefined]);
});

test('work on many providers and consumers pauses often, so that it can be spread over many turns of the event loop', () => {
  const pauses = (work: Generator<unknown, unknown>) => [...work].length;
  const many = Array.from({ length: 2000 }, (_, index) => `cn${index} VCPU 8 used 1`).join('\n');
  const snapshot = snapshotOf(forestOf(many));
  expect(pauses(growForest(snapshot))).toBeGreaterThanOrEqual(10);
  const forest = run(growForest(snapshot));
  const trees = [...forest.all.trees].slice(0, 200);
  const occupants = trees.map((tree) => {
    const { name } = tree.root.state.provider;
    return occupantOf(forest, holding(name, { [name]: { VCPU: 1 } }), new Set(trees), undefined, noConditions);
  });
  expect(pauses(removeTrees(forest, trees))).toBeGreaterThanOrEqual(20);
  expect(pauses(planDrain(forest, occupants, { ...options, maxMoves: 200 }))).toBeGreaterThanOrEqual(200 + 1800 / 100);
});

describe('draining', () => {
  const cloud = `
    cn1   VCPU 8 used 7
    cn2   VCPU 8
    cn3   VCPU 16 used 4`;
  const vms = [holding('small', { cn1: { VCPU: 1 } }), holding('large', { cn1: { VCPU: 4 } }), holding('medium', { cn1: { VCPU: 2 } })];

  test('moves the largest first, each to the least loaded tree', () => {
    expect(movesOf(drain(cloud, vms, ['cn1']))).toEqual([
      [uuidOf('large'), 'cn2'],
      [uuidOf('medium'), 'cn3'],
      [uuidOf('small'), 'cn3'],
    ]);
  });

  test('or moves each to the most loaded tree with room', () => {
    expect(movesOf(drain(cloud, vms, ['cn1'], { goal: 'PACK' }))).toEqual([
      [uuidOf('large'), 'cn3'],
      [uuidOf('medium'), 'cn3'],
      [uuidOf('small'), 'cn3'],
    ]);
  });

  test('packs if spreading would leave consumers out', () => {
    // If spread, the largest one would go where both others could have gone.
    const tight = 'cn1 VCPU 10 used 10\ncn2 VCPU 10 used 4\ncn3 VCPU 10 used 6';
    const held = [holding('a', { cn1: { VCPU: 4 } }), holding('b', { cn1: { VCPU: 3 } }), holding('c', { cn1: { VCPU: 3 } })];
    const plan = drain(tight, held, ['cn1']);
    expect(plan.stuck).toEqual([]);
    expect(plan.moves.map(({ to }) => nameOf(to))).toEqual(['cn3', 'cn2', 'cn2']);
  });

  test('says why each stuck consumer stays', () => {
    const held = [
      holding('huge', { cn1: { VCPU: 13 } }),
      holding('doubled', { cn1: { VCPU: 1 }, cn2: { VCPU: 1 } }),
      holding('move', { cn1: { VCPU: 1 } }, { obstacle: 'MOVING' }),
      holding('pinned', { cn1: { VCPU: 1 } }, { obstacle: 'STAYING' }),
    ];
    const { moves, stuck } = drain(cloud, held, ['cn1']);
    expect(moves).toEqual([]);
    expect(stuck.map(({ occupant, reason }) => [occupant.uuid, reason])).toEqual([
      [uuidOf('huge'), 'NO_DESTINATION'],
      [uuidOf('doubled'), 'SEVERAL_HOSTS'],
      [uuidOf('move'), 'MOVING'],
      [uuidOf('pinned'), 'STAYING'],
    ]);
    expect(stuck[0]?.explanation?.summary).toContain('none has room for 13 VCPU');
    expect(stuck.slice(1).map(({ explanation }) => explanation)).toEqual([null, null, null]);
  });

  test('keeps resources of one device on one device, and resources of two devices apart', () => {
    const gpus = `
      cn1     VCPU 8 used 1
        a     VGPU 2 used 1
        b     VGPU 2 used 1
      cn2     VCPU 8
        c     VGPU 2
      cn3     VCPU 8 used 4
        d     VGPU 1
        e     VGPU 1`;
    const plan = drain(gpus, [holding('vm', { cn1: { VCPU: 1 }, a: { VGPU: 1 }, b: { VGPU: 1 } })], ['cn1']);
    expect(plan.moves[0]?.candidate.allocations.map(({ provider, amount }) => [provider.state.provider.name, amount])).toEqual([
      ['cn3', 1],
      ['d', 1],
      ['e', 1],
    ]);
  });

  test('leaves disks on their pool, which must have room for both sides of a move', () => {
    const pooled = (total: number) =>
      `
      cn1   VCPU 8 used 2                 @s
      cn2   VCPU 8          DISK_GB 100   @s
      nfs   DISK_GB ${total} used 20      SHARING @s`.replaceAll('VCPU 8          DISK_GB', 'VCPU 8, DISK_GB');
    const vm = [holding('vm', { cn1: { VCPU: 2 }, nfs: { DISK_GB: 20 } })];
    const disks = ({ moves }: Drain) =>
      moves.map(({ candidate }) => candidate.allocations.map(({ provider }) => provider.state.provider.name));
    expect(disks(drain(pooled(40), vm, ['cn1']))).toEqual([['cn2', 'nfs']]);
    // There is no room on the pool while the source is held, but the host has a disk.
    expect(disks(drain(pooled(30), vm, ['cn1']))).toEqual([['cn2', 'cn2']]);
  });

  test('moves consumers later that found no room before another had released some', () => {
    const pooled = `
      cn1   VCPU 8 used 2                 @s
      cn2   VCPU 8, DISK_GB 35            @s
      nfs   DISK_GB 90 used 70            SHARING @s`;
    const vms = [
      holding('large', { cn1: { VCPU: 1 }, nfs: { DISK_GB: 40 } }),
      holding('small', { cn1: { VCPU: 1 }, nfs: { DISK_GB: 30 } }),
    ];
    const plan = drain(pooled, vms, ['cn1']);
    expect(plan.stuck).toEqual([]);
    // The disk of the small one leaves the pool, which then has room for both sides of the move of the large one.
    expect(movesOf(plan)).toEqual([
      [uuidOf('small'), 'cn2'],
      [uuidOf('large'), 'cn2'],
    ]);
  });

  test('stays in the same aggregates if required', () => {
    const zones = 'cn1 VCPU 8 used 1 @z1\ncn2 VCPU 8 @z2\ncn3 VCPU 8 used 7 @z1';
    const forest = forestOf(zones);
    const trees = new Set([treeOf(forest, 'cn1')]);
    const conditions = { ...noConditions, sameAggregates: [uuidOf('z1'), uuidOf('z2')] };
    const occupant = occupantOf(forest, holding('vm', { cn1: { VCPU: 1 } }), trees, undefined, conditions);
    run(removeTrees(forest, [...trees]));
    expect(movesOf(run(planDrain(forest, [occupant], options)))).toEqual([[uuidOf('vm'), 'cn3']]);
  });

  test('keeps groups apart or together', () => {
    const hosts = 'cn1 VCPU 8 used 3\ncn2 VCPU 8\ncn3 VCPU 8 used 1\ncn4 VCPU 8 used 6';
    const held = ['a', 'b', 'c'].map((name) => holding(name, { cn1: { VCPU: 1 } }));
    const members = held.map(({ uuid }) => uuid);
    const plan = (policy: 'APART' | 'TOGETHER', perRoot: number) => {
      const groups = new ConsumerGroups([{ policy, perRoot, members }], () => null);
      const heeded: Partial<DrainOptions> = {
        mayShare: (occupant, tree) => groups.mayShare(occupant, tree),
        moved: (move, sign) => groups.moved(move, sign),
      };
      return drain(hosts, held, ['cn1'], heeded).moves.map(({ to }) => nameOf(to));
    };
    expect(plan('APART', 1).toSorted()).toEqual(['cn2', 'cn3', 'cn4']);
    expect(plan('APART', 2).toSorted()).toEqual(['cn2', 'cn2', 'cn3']);
    expect(plan('TOGETHER', 1)).toEqual(['cn2', 'cn2', 'cn2']);
  });

  test('makes no more moves than it may, and says so', () => {
    const { moves, truncated } = drain(cloud, vms, ['cn1'], { maxMoves: 2 });
    expect([moves.length, truncated]).toEqual([2, true]);
    expect(drain(cloud, vms, ['cn1'], { maxMoves: 3 }).truncated).toBe(false);
  });
});

test('every plan can be executed move by move, empties the trees it names, and stuck consumers have nowhere to go', () => {
  fc.assert(
    fc.property(inhabitedCloud, fc.constantFrom('SPREAD', 'PACK'), fc.nat(), ({ drawn, holdings }, goal, which) => {
      const forest = forestOf(drawn);
      const ledger = new PlainLedger(forest, holdings);
      const homes = [...new Set(holdings.flatMap(({ allocations }) => allocations.map(({ resourceProvider }) => resourceProvider)))];
      const drained = forest.findByUuid(homes[which % homes.length] ?? '')?.tree as Tree;
      const trees = new Set([drained]);
      const inTree = holdings.filter(({ allocations }) =>
        allocations.some(({ resourceProvider }) => forest.findByUuid(resourceProvider)?.tree === drained),
      );
      const occupants = inTree.map((one) => occupantOf(forest, one, trees, undefined, noConditions));
      run(removeTrees(forest, [drained]));
      const { moves, stuck, truncated } = run(planDrain(forest, occupants, { ...options, goal }));
      expect(truncated).toBe(false);
      expect([...moves, ...stuck].map(({ occupant }) => occupant.uuid).toSorted()).toEqual(inTree.map(({ uuid }) => uuid).toSorted());
      for (const move of moves) {
        expect(move.to).not.toBe(drained);
        ledger.make(forest, move);
        // It gets the same amount of each class as before.
        const sums = (amounts: ReadonlyMap<string, number>) => {
          const byClass = new Map<string, number>();
          for (const [key, amount] of amounts) byClass.set(key.slice(37), (byClass.get(key.slice(37)) ?? 0) + amount);
          return [...byClass].toSorted();
        };
        const had = new Map(
          move.occupant.held.map(({ provider, classId, amount }) => {
            return [`${provider.state.provider.uuid} ${forest.classes.get(classId)?.name}`, amount] as const;
          }),
        );
        expect(sums(ledger.usedBy(move.occupant))).toEqual(sums(had));
      }
      const left = withUseOf(drawn, forest);
      for (const { occupant, reason } of stuck) {
        if (reason !== 'NO_DESTINATION' || countCombinations(left, occupant.request) > 20_000) continue;
        expect(askOracle(left, occupant.request).candidates).toEqual([]);
      }
    }),
    { numRuns: sampled(200) },
  );
});
