// The dialog of the keys.
import { useEffect, useRef } from 'react';
import { useStore } from '../data/store.ts';
import { keysStore, switchKeys } from '../parts/keys.ts';
import { pages } from './pages.ts';
import styles from './shell.module.css';

const keys: readonly (readonly [key: string, meaning: string])[] = [
  ['/', 'search'],
  ...pages.flatMap(({ key, label }) => (key === undefined ? [] : [[`g ${key}`, label ?? ''] as const])),
  ['← ↑ → ↓', 'move on the map and in tables'],
  ['Enter', 'open'],
  ['Backspace', 'go up'],
  ['+ − 0', 'zoom in, zoom out, the whole map'],
  ['[ ]', 'previous class, next class'],
  ['l', 'pause or resume live updates'],
  ['y', 'the GraphQL of this page'],
  ['?', 'these keys'],
];

export default function KeysHelp({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const areOn = useStore(keysStore);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="keys" onClose={onClose}>
      <h1 id="keys">Keys</h1>
      <table className={styles.keys}>
        <tbody>
          {keys.map(([key, meaning]) => (
            <tr key={key}>
              <th scope="row">
                <kbd>{key}</kbd>
              </th>
              <td>{meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={styles.settings}>
        <label>
          <input type="checkbox" checked={areOn} onChange={({ target }) => switchKeys(target.checked)} /> Single-key shortcuts
        </label>
      </div>
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
