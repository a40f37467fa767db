// Groups of consumers that must be in different trees, or in the same one. Knows where their members are while moves are planned.
import type { Tree } from '../candidates/forest.ts';
import type { Occupant } from './consumers.ts';
import type { Move } from './moves.ts';

export interface ConsumerGroup {
  /** TOGETHER: all in one tree, which may be any tree while no member is in one. APART: at most `perRoot` in one tree. */
  readonly policy: 'TOGETHER' | 'APART';
  readonly perRoot: number;
  /** Uuids. */
  readonly members: readonly string[];
}

interface Counted extends Pick<ConsumerGroup, 'policy' | 'perRoot'> {
  readonly counts: Map<Tree, number>;
}

export class ConsumerGroups {
  private readonly groupsOf = new Map<string, Counted[]>();

  /** `treeOf`: the tree of a member; it may be null for members in trees that are being emptied. */
  constructor(groups: readonly ConsumerGroup[], treeOf: (member: string) => Tree | null) {
    for (const { policy, perRoot, members } of groups) {
      const counted: Counted = { policy, perRoot, counts: new Map() };
      for (const member of new Set(members)) {
        this.groupsOf.set(member, [...(this.groupsOf.get(member) ?? []), counted]);
        const tree = treeOf(member);
        if (tree) add(counted, tree, 1);
      }
    }
  }

  /** Whether a consumer may be in a tree with the other members that are there. */
  mayShare({ uuid, home }: Occupant, tree: Tree): boolean {
    return (this.groupsOf.get(uuid) ?? []).every(({ policy, perRoot, counts }) => {
      if (policy === 'APART') return (counts.get(tree) ?? 0) < perRoot;
      const others = [...counts].filter(([where, count]) => count > (where === home ? 1 : 0));
      return others.length === 0 || others.some(([where]) => where === tree);
    });
  }

  /** Records a move (1) or undoes it (-1). */
  moved({ occupant, from, to }: Pick<Move, 'occupant' | 'from' | 'to'>, sign: 1 | -1): void {
    for (const counted of this.groupsOf.get(occupant.uuid) ?? []) {
      // A source that is being emptied was not counted.
      if (counted.counts.has(from)) add(counted, from, -sign);
      add(counted, to, sign);
    }
  }
}

function add({ counts }: Counted, tree: Tree, by: number): void {
  counts.set(tree, (counts.get(tree) ?? 0) + by);
}
