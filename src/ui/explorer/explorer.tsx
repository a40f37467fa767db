// The explorer: GraphiQL's editors, documentation and history, with panels for examples, code and files.
import { pick, useGraphiQL, useMonaco } from '@graphiql/react';
import { GraphiQL, HISTORY_PLUGIN } from 'graphiql';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { sessionStore } from '../dashboard/data/session.ts';
import { useStore } from '../dashboard/data/store.ts';
import { SignIn } from '../dashboard/sign-in/sign-in.tsx';
import { ThemeChoice, themeStore } from '../dashboard/theme/theme.tsx';
import { type Linked, readLink } from '../explorer-link.ts';
import { AnswerPanel } from './answer-panel.tsx';
import { CodePanel } from './code-panel.tsx';
import { type Example, fill, type Json } from './example.ts';
import { examples } from './examples.ts';
import { ExampleOpening, ExamplesPanel } from './examples-panel.tsx';
import { fetchAnswer } from './fetcher.ts';
import { storageWithoutHeaders } from './storage.ts';
import { useAddress, useOpen } from './tabs.ts';

const examplesPlugin = { title: 'Examples', icon: () => <Icon>✎</Icon>, content: ExamplesPanel };
const codePlugin = { title: 'Code', icon: () => <Icon>{'</>'}</Icon>, content: CodePanel };
const answerPlugin = { title: 'Answer as CSV or JSON', icon: () => <Icon>⤓</Icon>, content: AnswerPanel };
const plugins = [examplesPlugin, codePlugin, answerPlugin, HISTORY_PLUGIN];

const historyLength = 50;
/** The size of the editors' text, as in GraphiQL: 15 of 16 pixels. */
const editorRem = 15 / 16;
/** The example that a first visit opens. */
const firstExample = 'hypervisors';

/** The theme, which the dashboard shares; follows the system if the person chose so. */
function useTheme(): 'light' | 'dark' {
  const chosen = useStore(themeStore);
  const isDark = useSyncExternalStore(followSystem, () => systemIsDark.matches);
  if (chosen !== 'system') return chosen;
  return isDark ? 'dark' : 'light';
}

const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');

function followSystem(onChange: () => void): () => void {
  systemIsDark.addEventListener('change', onChange);
  return () => systemIsDark.removeEventListener('change', onChange);
}

function Icon({ children }: { readonly children: string }) {
  return (
    <span className="icon" aria-hidden="true">
      {children}
    </span>
  );
}

export function Explorer() {
  const { session } = useStore(sessionStore);
  const [wasSignedIn, setSignedIn] = useState(session !== null);
  if (session !== null && !wasSignedIn) setSignedIn(true);
  return (
    <>
      {wasSignedIn && <Editors />}
      {session === null && <SignIn />}
    </>
  );
}

function Editors() {
  const theme = useTheme();
  const [opening, setOpening] = useState<OpeningState>({ example: null, said: '' });
  const open = useCallback((example: Example) => setOpening({ example, said: '' }), []);
  const context = useMemo(() => ({ open, said: opening.said }), [open, opening.said]);
  return (
    <ExampleOpening value={context}>
      <GraphiQL
        fetcher={fetchAnswer}
        defaultQuery=""
        plugins={plugins}
        visiblePlugin={examplesPlugin}
        defaultEditorToolsVisibility="variables"
        forcedTheme={theme}
        maxHistoryLength={historyLength}
        storage={storageWithoutHeaders}
        inputValueDeprecation
        schemaDescription
      >
        <GraphiQL.Logo>
          <a href="/">Dashboard</a> <ThemeChoice />
        </GraphiQL.Logo>
        <Opener opening={opening} onOpened={setOpening} />
        <EditorSize />
      </GraphiQL>
    </ExampleOpening>
  );
}

/** Gives the editors the size of the other text, because they know only pixels. */
function EditorSize(): ReactNode {
  const monaco = useMonaco(({ monaco }) => monaco);
  useEffect(() => {
    if (monaco === undefined) return;
    const size = () => ({ fontSize: Number.parseFloat(getComputedStyle(document.documentElement).fontSize) * editorRem });
    const resize = () => {
      for (const editor of monaco.editor.getEditors()) editor.updateOptions(size());
    };
    resize();
    const created = monaco.editor.onDidCreateEditor((editor) => editor.updateOptions(size()));
    window.addEventListener('resize', resize);
    return () => {
      created.dispose();
      window.removeEventListener('resize', resize);
    };
  }, [monaco]);
  return null;
}

interface OpeningState {
  /** The example to open. */
  readonly example: Example | null;
  readonly said: string;
}

/** Opens what the address names and what the person chooses. It is inside the editors, because only they know their tabs. */
function Opener({
  opening: { example },
  onOpened,
}: {
  readonly opening: OpeningState;
  readonly onOpened: (state: OpeningState) => void;
}): ReactNode {
  const [linked] = useState(() => readLink(window.location));
  const open = useOpen();
  const { queryEditor, variableEditor, tabs } = useGraphiQL(pick('queryEditor', 'variableEditor', 'tabs'));
  const areReady = queryEditor !== undefined && variableEditor !== undefined;
  useAddress();
  const openLink = useCallback(
    (link: Linked) => {
      const named = examples.find(({ name }) => name === link.example);
      if (named) onOpened({ example: named, said: '' });
      else if (link.query === null) onOpened({ example: null, said: `There is no example named ${link.example}.` });
      else open({ query: link.query, variables: link.variables ?? '', operationName: link.operationName, example: null });
    },
    [open, onOpened],
  );
  const hasStarted = useRef(false);
  useEffect(() => {
    // Once, as soon as the editors are ready.
    if (!areReady || hasStarted.current) return;
    hasStarted.current = true;
    const first = examples.find(({ name }) => name === firstExample);
    const known = tabs.find(({ query }) => query === examples.find(({ name }) => name === linked?.example)?.text);
    if (known) open({ query: known.query ?? '', variables: known.variables ?? '', operationName: null, example: linked?.example ?? null });
    else if (linked) openLink(linked);
    else if (first && tabs.every(({ query }) => !query?.trim())) onOpened({ example: first, said: '' });
  }, [areReady, linked, tabs, open, openLink, onOpened]);
  useEffect(() => {
    // The event's address, because the current one may have been set to what is in view.
    const follow = ({ newURL }: HashChangeEvent) => {
      const link = readLink(new URL(newURL));
      if (link) openLink(link);
    };
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [openLink]);
  useEffect(() => {
    if (example === null) return;
    let isLate = false;
    void fill(example, askForValue).then(({ variables, missing }) => {
      if (isLate) return;
      const isEmpty = Object.keys(variables).length === 0;
      open({
        query: example.text,
        variables: isEmpty ? '' : JSON.stringify(variables, null, 2),
        operationName: null,
        example: example.name,
      });
      onOpened({
        example: null,
        said: missing.length === 0 ? '' : `This cloud has nothing yet for ${missing.join(', ')}: enter your own.`,
      });
    });
    return () => {
      isLate = true;
    };
  }, [example, open, onOpened]);
  return null;
}

/** The data of a small query; null if there is none. */
async function askForValue(query: string): Promise<Json> {
  const token = sessionStore.get().session?.token ?? '';
  try {
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', 'x-auth-token': token },
      body: JSON.stringify({ query }),
    });
    return (await response.json()).data ?? null;
  } catch {
    return null;
  }
}
