// Undoes the last writes, at the foot of every page: until they are undone or dismissed, the person signs out, or the tab is closed or reloaded. It is drawn
// beside the pages, which come and go, and only once something was written: the first page need not load it.
import { useEffect, useRef } from 'react';
import { createRoot } from 'react-dom/client';
import { sessionStore } from '../data/session.ts';
import { Store, useStore } from '../data/store.ts';
import { visible } from '../formats/names.ts';
import { Name } from '../parts/name.tsx';
import type { Undo } from './outcome.ts';
import styles from './undo-bar.module.css';
import { type KeptUndo, withUndo } from './undos.ts';
import { useWrite } from './use-write.ts';
import { WriteResult } from './write-result.tsx';

const undoStore = new Store<readonly KeptUndo[]>([]);
let isDrawn = false;

export function offerUndo(undo: Undo): void {
  undoStore.set(withUndo(undoStore.get(), undo));
  if (isDrawn) return;
  isDrawn = true;
  const place = document.createElement('div');
  place.className = styles.place ?? '';
  document.body.append(place);
  createRoot(place).render(<UndoBar />);
}

function UndoBar() {
  const undos = useStore(undoStore);
  const { session, reason } = useStore(sessionStore);
  // A session that has only expired has a reason: its owner signs in again, and goes on.
  const hasLeft = session === null && reason === null;
  useEffect(() => {
    if (hasLeft) undoStore.set([]);
  }, [hasLeft]);
  if (undos.length === 0) return null;
  return (
    <aside className={styles.bar} aria-label="What can be undone">
      <ul>
        {undos.map((undo) => (
          <Line key={undo.key} undo={undo} onDismiss={() => undoStore.set(undos.filter((one) => one !== undo))} />
        ))}
      </ul>
    </aside>
  );
}

function Line({ undo, onDismiss }: { readonly undo: Undo; readonly onDismiss: () => void }) {
  const write = useWrite(null);
  const { isWriting, outcome, run } = write;
  const dismiss = useRef<HTMLButtonElement>(null);
  const isDone = Boolean(outcome?.done);
  useEffect(() => {
    // The button that had the focus is gone.
    if (isDone && document.activeElement === document.body) dismiss.current?.focus();
  }, [isDone]);
  return (
    <li className={styles.line}>
      {!isDone && (
        <button type="button" disabled={isWriting} onClick={() => void run(undo.run)}>
          {isWriting ? 'Undoing' : 'Undo'}: <Name>{undo.what}</Name>
        </button>
      )}
      <div role="status">
        {isDone && (
          <p>
            <strong>
              <Name>{undo.what}</Name>
            </strong>
          </p>
        )}
        <WriteResult write={write} refused="undone" onReadAgain={null} />
      </div>
      <button
        ref={dismiss}
        type="button"
        aria-label={`Dismiss: ${visible(undo.what)}`}
        onClick={() => {
          onDismiss();
          document.getElementById('main')?.focus();
        }}
      >
        ✕
      </button>
    </li>
  );
}
