// The dialog of every write: says what will change, asks, and reports the outcome. A refusal is shown with the gateway's code and message.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { queryClient } from '../data/queries.ts';
import { formatCount } from '../formats/amounts.ts';
import { Name } from '../parts/name.tsx';
import layout from '../parts/page.module.css';
import styles from './action-dialog.module.css';
import { type Outcome, refusalWords } from './outcome.ts';

interface ActionDialogProps {
  readonly title: ReactNode;
  /** The label of the button that writes; null while there is nothing to write yet. */
  readonly confirm: string | null;
  readonly onConfirm: () => Promise<Outcome>;
  readonly onClose: () => void;
  /** What will change, in words. */
  readonly children: ReactNode;
}

const manyShown = 10;
const mostLeft = 100;

const readAgain = () => void queryClient.invalidateQueries();

export function ActionDialog({ title, confirm, onConfirm, onClose, children }: ActionDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isWriting, setWriting] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const run = async (write: () => Promise<Outcome>) => {
    setWriting(true);
    setFailure(null);
    try {
      const became = await write();
      // What a refused undo has left is still done.
      setOutcome((before) => ({ ...became, done: became.done ?? before?.done ?? null }));
      if (became.done) readAgain();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setWriting(false);
    }
  };
  const done = outcome?.done ?? null;
  const { undo = null } = done ?? {};
  return (
    <dialog ref={dialog} className={styles.dialog} onClose={onClose} aria-labelledby="action">
      <h1 id="action">{title}</h1>
      <div className={styles.body}>
        {done === null && children}
        <div role="status">
          {done && <p>{done.said}</p>}
          {done?.left && (
            <ul>
              {done.left.slice(0, mostLeft).map((line) => (
                <li key={line}>
                  <Name>{line}</Name>
                </li>
              ))}
              {done.left.length > mostLeft && <li>and {formatCount(done.left.length - mostLeft)} more.</li>}
            </ul>
          )}
          {outcome && outcome.refusals.length > 0 && <Refusals outcome={outcome} onReadAgain={() => dialog.current?.close()} />}
          {failure !== null && <p className={layout.warning}>{failure}</p>}
        </div>
      </div>
      <div className={styles.buttons}>
        {done === null && confirm !== null && (
          <button type="button" disabled={isWriting} onClick={() => void run(onConfirm)}>
            {isWriting ? 'Writing …' : confirm}
          </button>
        )}
        {undo !== null && (
          <button type="button" disabled={isWriting} onClick={() => void run(undo)}>
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

function Refusals({ outcome: { refusals, done }, onReadAgain }: { readonly outcome: Outcome; readonly onReadAgain: () => void }) {
  return (
    <>
      <p className={layout.warning}>▲ Nothing was {done ? 'undone' : 'written'}.</p>
      <ul>
        {refusals.slice(0, manyShown).map((refusal) => (
          <li key={`${refusal.code} ${refusal.message}`}>
            <code>{refusal.code}</code> <Name>{refusalWords(refusal)}</Name>
          </li>
        ))}
        {refusals.length > manyShown && <li>and {formatCount(refusals.length - manyShown)} more.</li>}
      </ul>
      {refusals.some(({ retry }) => retry === 'AFTER_READ') && (
        <p>
          Somebody has written there since this page was read.{' '}
          <button
            type="button"
            onClick={() => {
              readAgain();
              onReadAgain();
            }}
          >
            Close and read again
          </button>
        </p>
      )}
    </>
  );
}
