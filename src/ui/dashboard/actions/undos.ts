// The undos of the last writes of a tab.
import type { Undo } from './outcome.ts';

export interface KeptUndo extends Undo {
  /** Two writes may have the same words. */
  readonly key: number;
}

const mostKept = 3;

/** The latest first. */
export const withUndo = (undos: readonly KeptUndo[], undo: Undo): readonly KeptUndo[] =>
  [{ ...undo, key: (undos[0]?.key ?? 0) + 1 }, ...undos].slice(0, mostKept);
