// The dialog of every write: says what will change, asks, and reports the outcome. Its undo stays within reach after it is closed.
import { type ReactNode, useEffect, useRef } from 'react';
import styles from './action-dialog.module.css';
import type { Outcome } from './outcome.ts';
import { offerUndo } from './undo-bar.tsx';
import { useWrite } from './use-write.ts';
import { WriteResult } from './write-result.tsx';

interface ActionDialogProps {
  readonly title: ReactNode;
  /** The label of the button that writes; null while there is nothing to write yet. */
  readonly confirm: string | null;
  readonly onConfirm: () => Promise<Outcome>;
  readonly onClose: () => void;
  /** What will change, in words. */
  readonly children: ReactNode;
}

export function ActionDialog({ title, confirm, onConfirm, onClose, children }: ActionDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const write = useWrite(offerUndo);
  const { isWriting, outcome, run } = write;
  useEffect(() => dialog.current?.showModal(), []);
  const done = outcome?.done ?? null;
  const { undo = null } = done ?? {};
  return (
    <dialog ref={dialog} className={styles.dialog} onClose={onClose} aria-labelledby="action">
      <h1 id="action">{title}</h1>
      <div className={styles.body}>
        {done === null && children}
        <div role="status">
          <WriteResult write={write} refused={done ? 'undone' : 'written'} onReadAgain={() => dialog.current?.close()} />
        </div>
      </div>
      <div className={styles.buttons}>
        {done === null && confirm !== null && (
          <button type="button" disabled={isWriting} onClick={() => void run(onConfirm)}>
            {isWriting ? 'Writing …' : confirm}
          </button>
        )}
        {undo !== null && (
          <button type="button" disabled={isWriting} onClick={() => void run(undo.run)}>
            Undo
          </button>
        )}
        <button type="button" onClick={() => dialog.current?.close()}>
          {done === null ? 'Cancel' : 'Close'}
        </button>
      </div>
    </dialog>
  );
}
