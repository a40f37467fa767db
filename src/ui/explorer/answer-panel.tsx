// Saves the answer in view as a file: one of its lists as CSV or JSON, or the whole answer.
import { pick, useGraphiQL } from '@graphiql/react';
import { useMemo, useState } from 'react';
import { saveFile } from '../dashboard/exports/save.ts';
import { csvOf, jsonOf } from '../dashboard/exports/table.ts';
import type { Json } from './example.ts';
import { listsOf } from './lists.ts';

const previewed = 5;

export function AnswerPanel() {
  const { tabs, activeTabIndex } = useGraphiQL(pick('tabs', 'activeTabIndex'));
  const tab = tabs[activeTabIndex];
  const response = tab?.response ?? '';
  const lists = useMemo(() => listsOf(parsed(response)), [response]);
  const [chosen, setChosen] = useState('');
  const list = lists.find(({ path }) => path === chosen) ?? lists[0];
  const name = tab?.operationName ?? 'answer';
  return (
    <section className="panel" aria-labelledby="answer-panel">
      <h2 id="answer-panel">Answer as a file</h2>
      {response === '' && <p>Run an operation first.</p>}
      {list && (
        <>
          <p>
            <label>
              List{' '}
              <select value={list.path} onChange={({ target }) => setChosen(target.value)}>
                {lists.map(({ path, rows }) => (
                  <option key={path} value={path}>
                    {path} ({rows.length.toLocaleString('en')})
                  </option>
                ))}
              </select>
            </label>
          </p>
          <p>
            <button type="button" onClick={() => saveFile(`${name} ${list.path}`, 'csv', csvOf(list.columns, list.rows))}>
              CSV
            </button>{' '}
            <button type="button" onClick={() => saveFile(`${name} ${list.path}`, 'json', jsonOf(list.columns, list.rows))}>
              JSON
            </button>
          </p>
          <textarea
            readOnly
            rows={previewed + 1}
            aria-label={`First lines of ${list.path}`}
            value={csvOf(list.columns, list.rows.slice(0, previewed))}
          />
        </>
      )}
      {response !== '' && (
        <p>
          {!list && 'There is no list in this answer. '}
          <button type="button" onClick={() => saveFile(name, 'json', response)}>
            The whole answer as JSON
          </button>
        </p>
      )}
    </section>
  );
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
