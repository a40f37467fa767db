// Opens documents in the tabs of the editors, and keeps the address a link to what is in view.
import { pick, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useCallback, useEffect, useRef } from 'react';
import { linkTo } from '../explorer-link.ts';
import { operationOf } from './operation.ts';

export interface Opened {
  readonly query: string;
  /** As JSON; empty for none. */
  readonly variables: string;
  readonly operationName: string | null;
  /** The name of the example; null if it is none. */
  readonly example: string | null;
}

/** Milliseconds after which the address follows what is typed. */
const addressPause = 300;
/** Characters of an address. Browsers take more, but not every program that links are pasted into does. */
const longestAddress = 30_000;

/** The examples that have been opened, by their text. The link of an unchanged one is that of the example. */
const openedExamples = new Map<string, { readonly example: string; readonly variables: string }>();

/** Returns a function that opens a document in a tab of its own, unless the tab in view is empty or holds an unchanged example. */
export function useOpen(): (opened: Opened) => void {
  const { addTab, changeTab, setOperationName, stop, updateActiveTabValues } = useGraphiQLActions();
  const state = useGraphiQL(pick('tabs', 'queryEditor', 'variableEditor'));
  const latest = useRef(state);
  latest.current = state;
  return useCallback(
    ({ query, variables, operationName, example }) => {
      const { tabs, queryEditor, variableEditor } = latest.current;
      // A subscription would go on unseen, and hold what is run next.
      stop();
      if (example !== null) openedExamples.set(query, { example, variables });
      const there = tabs.findIndex((tab) => tab.query === query && (tab.variables ?? '') === variables);
      if (there >= 0) return changeTab(there);
      // Read from the editors, because their tab follows only a moment later.
      const shown = queryEditor?.getValue() ?? '';
      const isFree = shown.trim() === '' || openedExamples.get(shown)?.variables === variableEditor?.getValue();
      if (!isFree) addTab();
      queryEditor?.setValue(query);
      variableEditor?.setValue(variables);
      const operation = operationOf(query, operationName);
      const name = operation?.name ?? '';
      // The editors report their operation only a moment later; run at once, it would run under the name of the previous one.
      setOperationName(name);
      updateActiveTabValues({ query, variables, operationName: name, response: null });
      // The key to run an operation takes the one at the cursor.
      const position = queryEditor?.getModel()?.getPositionAt(operation?.start ?? 0);
      if (position) queryEditor?.setPosition(position);
      queryEditor?.focus();
    },
    [addTab, changeTab, setOperationName, stop, updateActiveTabValues],
  );
}

/** Keeps the address a link to what is in view. */
export function useAddress(): void {
  const { tabs, activeTabIndex } = useGraphiQL(pick('tabs', 'activeTabIndex'));
  const tab = tabs[activeTabIndex];
  const query = tab?.query ?? '';
  const variables = tab?.variables ?? '';
  const operationName = tab?.operationName ?? null;
  useEffect(() => {
    const timer = setTimeout(() => {
      const known = openedExamples.get(query);
      const link = known?.variables === variables ? linkTo({ example: known.example }) : linkTo({ query, variables, operationName });
      window.history.replaceState(null, '', link.length > longestAddress ? '/explorer' : link);
    }, addressPause);
    return () => clearTimeout(timer);
  }, [query, variables, operationName]);
}
