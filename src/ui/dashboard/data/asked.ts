// The documents that the page in view asks, for readers who want to send them themselves.
import { useEffect, useRef } from 'react';
import type { TypedDocument } from './document.ts';

export interface Asked {
  readonly name: string;
  readonly text: string;
  readonly variables: object;
}

const shown = new Set<{ readonly current: Asked }>();

/** The documents of the page in view, in the order in which its parts appeared. */
export function askedNow(): readonly Asked[] {
  return [...new Map([...shown].map(({ current }) => [`${current.name} ${JSON.stringify(current.variables)}`, current])).values()];
}

/** Lists a document as asked by the page while the component that calls this is in view. */
export function useAsked({ name, text }: TypedDocument<unknown, unknown>, variables: object, isAsked = true): void {
  const entry = useRef<Asked>({ name, text, variables });
  useEffect(() => {
    entry.current = { name, text, variables };
  });
  useEffect(() => {
    if (!isAsked) return;
    shown.add(entry);
    return () => {
      shown.delete(entry);
    };
  }, [isAsked]);
}
