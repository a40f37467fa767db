// Single-key shortcuts. They can be switched off, and do nothing while the person types.
import { useEffect } from 'react';
import { Store } from '../data/store.ts';

const key = 'placement.keys';
export const keysStore = new Store(localStorage.getItem(key) !== 'off');

export function switchKeys(isOn: boolean): void {
  localStorage.setItem(key, isOn ? 'on' : 'off');
  keysStore.set(isOn);
}

const typed = 'input, textarea, select, [contenteditable]';
/** Milliseconds that a prefix waits for its key. */
const patience = 1500;

/** Calls the action of a key, such as `?`, or of two keys, such as `g h`. */
export function useKeys(actions: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    let prefix: { readonly key: string; readonly at: number } | null = null;
    const listen = (event: KeyboardEvent) => {
      const { target } = event;
      if (!keysStore.get() || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (target instanceof Element && (target.matches(typed) || target.closest('dialog'))) return;
      const isLate = prefix === null || event.timeStamp - prefix.at > patience;
      const name = isLate ? event.key : `${prefix?.key} ${event.key}`;
      const action = actions[name];
      prefix = action || !isLate ? null : { key: event.key, at: event.timeStamp };
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [actions]);
}
