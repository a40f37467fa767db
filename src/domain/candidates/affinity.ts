// Groups of consumers that belong on one root, or on different ones: which roots may take the next member. The write checks the same rule under a lock
// (check_affinity.sql), because a search sees only what was committed before it.
import type { RootRule } from './request.ts';

/** TOGETHER: on roots that have members, or on any root while none has. APART: at most `perRoot` on each root. ANY: only counted, for weights. */
export interface Affinity {
  readonly policy: 'TOGETHER' | 'APART' | 'ANY';
  readonly perRoot: number;
  /** The number of members on each root, by its uuid, or on any that is united with it. */
  readonly present: ReadonlyMap<string, number>;
  /** Roots that count as one, by each of them; others count alone. */
  readonly united?: ReadonlyMap<string, readonly string[]> | undefined;
}

/** The roots that count as one with a root, including itself. */
export function unitedWith({ united }: Pick<Affinity, 'united'>, root: string): readonly string[] {
  return united?.get(root) ?? [root];
}

/** The rule for the next member; null if any root may take it. */
export function ruleOf({ policy, perRoot, present }: Affinity): RootRule | null {
  if (present.size === 0 || policy === 'ANY') return null;
  if (policy === 'TOGETHER') return { words: 'where others of the group are', only: new Set(present.keys()) };
  const full = [...present].flatMap(([root, count]) => (count >= perRoot ? root : []));
  const words = perRoot === 1 ? 'without others of the group' : `with fewer than ${perRoot} of the group`;
  return full.length > 0 ? { words, except: new Set(full) } : null;
}

/** The same affinity with one more member on a root. */
export function joinedBy(affinity: Affinity, root: string): Affinity {
  const present = new Map(affinity.present);
  for (const each of unitedWith(affinity, root)) present.set(each, (present.get(each) ?? 0) + 1);
  return { ...affinity, present };
}
