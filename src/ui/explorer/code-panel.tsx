// The operation in view as code: for a shell, for Python, for TypeScript.
import { pick, useGraphiQL } from '@graphiql/react';
import { useState } from 'react';
import { languages } from './code.ts';
import { operationOf } from './operation.ts';

type Language = keyof typeof languages;

export function CodePanel() {
  const { tabs, activeTabIndex, operationName } = useGraphiQL(pick('tabs', 'activeTabIndex', 'operationName'));
  const [language, setLanguage] = useState<Language>('curl');
  const [isCopied, setCopied] = useState(false);
  const tab = tabs[activeTabIndex];
  const text = codeOf(language, tab?.query ?? '', tab?.variables ?? '', operationName ?? null);
  const copy = () => {
    navigator.clipboard.writeText(text ?? '').then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <section className="panel" aria-labelledby="code-panel">
      <h2 id="code-panel">Code</h2>
      <p>
        The operation in view, with its variables. Set <code>PLACEMENT_TOKEN</code> to your token: it is not part of the code.
      </p>
      <p className="choices">
        {(Object.keys(languages) as Language[]).map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === language}
            onClick={() => {
              setLanguage(one);
              setCopied(false);
            }}
          >
            {one}
          </button>
        ))}
      </p>
      {text === null ? (
        <p>Complete the operation and its variables first.</p>
      ) : (
        <>
          <textarea readOnly rows={16} aria-label={`Code for ${language}`} value={text} />
          <p>
            <button type="button" onClick={copy}>
              Copy
            </button>{' '}
            <span role="status">{isCopied && 'Copied.'}</span>
          </p>
        </>
      )}
    </section>
  );
}

/** Null while what is typed is incomplete. */
function codeOf(language: Language, query: string, variables: string, operationName: string | null): string | null {
  const operation = operationOf(query, operationName);
  if (operation === null) return null;
  try {
    const given: unknown = variables.trim() === '' ? {} : JSON.parse(variables);
    if (typeof given !== 'object' || given === null) return null;
    const { name, kind } = operation;
    return languages[language]({
      origin: window.location.origin,
      query,
      operationName: name,
      variables: given,
      isSubscription: kind === 'subscription',
    });
  } catch {
    return null;
  }
}
