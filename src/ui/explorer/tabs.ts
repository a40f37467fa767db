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
  /** Name of the example that it is. */
  readonly example: string | null;
}

/** Milliseconds after which the address follows what is typed. */
const addressPause = 300;
/** Characters of an address; browsers take more, but not every place that links are pasted into does. */
const longestAddress = 30_000;

/** What has been opened as an example, by its text: as long as it is unchanged, its link is the example's. */
const openedExamples = new Map<string, { readonly example: string; readonly variables: string }>();

/** Returns what opens a document: in its own tab, unless the one in view is empty or an unchanged example. */
export function useOpen(): (opened: Opened) => void {
  const { addTab, changeTab, setOperationName, updateActiveTabValues } = useGraphiQLActions();
  const state = useGraphiQL(pick('tabs', 'queryEditor', 'variableEditor'));
  const latest = useRef(state);
  latest.current = state;
  return useCallback(
    ({ query, variables, operationName, example }) => {
      const { tabs, queryEditor, variableEditor } = latest.current;
      if (example !== null) openedExamples.set(query, { example, variables });
      const there = tabs.findIndex((tab) => tab.query === query && (tab.variables ?? '') === variables);
      if (there >= 0) return changeTab(there);
      // What the editors hold: their tab knows it only a moment later.
      const shown = queryEditor?.getValue() ?? '';
      const isFree = shown.trim() === '' || openedExamples.get(shown)?.variables === variableEditor?.getValue();
      if (!isFree) addTab();
      queryEditor?.setValue(query);
      variableEditor?.setValue(variables);
      const operation = operationOf(query, operationName);
      const name = operation?.name ?? '';
      // The editors tell what they hold only a moment later: who runs it at once would run it under the name of the one before.
      setOperationName(name);
      updateActiveTabValues({ query, variables, operationName: name, response: null });
      // The keys run the operation in which the cursor stands.
      const position = queryEditor?.getModel()?.getPositionAt(operation?.start ?? 0);
      if (position) queryEditor?.setPosition(position);
      queryEditor?.focus();
    },
    [addTab, changeTab, setOperationName, updateActiveTabValues],
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
