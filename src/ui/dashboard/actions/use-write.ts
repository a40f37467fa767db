// Runs a write or its undo, one at a time, and keeps what became of it.
import { useEffect, useRef, useState } from 'react';
import { queryClient } from '../data/queries.ts';
import type { Outcome, Undo } from './outcome.ts';

export interface Write {
  readonly isWriting: boolean;
  readonly outcome: Outcome | null;
  readonly failure: string | null;
  readonly run: (write: () => Promise<Outcome>) => Promise<void>;
}

export const readAgain = () => void queryClient.invalidateQueries();

/** `onLeave` gets the undo of what was written when the component goes; if it goes while it writes, once that is written. */
export function useWrite(onLeave: ((undo: Undo) => void) | null): Write {
  const [isWriting, setWriting] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const known = useRef<{ undo: Undo | null; isBusy: boolean; isGone: boolean }>({ undo: null, isBusy: false, isGone: false });
  const leaveUndo = useRef(() => {
    const { undo, isBusy, isGone } = known.current;
    if (isGone && !isBusy && undo) onLeave?.(undo);
  });
  useEffect(() => {
    const leave = leaveUndo.current;
    known.current.isGone = false;
    return () => {
      known.current.isGone = true;
      leave();
    };
  }, []);
  const run = async (write: () => Promise<Outcome>) => {
    known.current.isBusy = true;
    setWriting(true);
    setFailure(null);
    try {
      const became = await write();
      // What a refused undo has left is still done.
      setOutcome((before) => ({ ...became, done: became.done ?? before?.done ?? null }));
      if (became.done) {
        known.current.undo = became.done.undo;
        readAgain();
      }
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      known.current.isBusy = false;
      setWriting(false);
      leaveUndo.current();
    }
  };
  return { isWriting, outcome, failure, run };
}
