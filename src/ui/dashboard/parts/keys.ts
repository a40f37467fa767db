// Single-key shortcuts. They can be switched off, and do nothing while the person types.
import { useEffect } from 'react';
import { Store } from '../data/store.ts';
import { keySequence } from './key-sequence.ts';

const key = 'placement.keys';
export const keysStore = new Store(localStorage.getItem(key) !== 'off');

export function switchKeys(isOn: boolean): void {
  localStorage.setItem(key, isOn ? 'on' : 'off');
  keysStore.set(isOn);
}

const typed = 'input, textarea, select, [contenteditable]';

/** Calls the action of a key, such as `?`, or of two keys, such as `g h`. */
export function useKeys(actions: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const read = keySequence(Object.keys(actions));
    const listen = (event: KeyboardEvent) => {
      const { target } = event;
      if (!keysStore.get() || event.defaultPrevented) return;
      if (target instanceof Element && target.matches(typed)) return;
      // Wherever the focus is: a click in a dialog may leave it to the page.
      if (document.querySelector('dialog:modal')) return;
      const action = actions[read(event) ?? ''];
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [actions]);
}
