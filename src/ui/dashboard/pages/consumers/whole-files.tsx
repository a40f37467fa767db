// Saves a long list as a file, all of its pages. Each page becomes a part of the file as soon as it is read, and is forgotten: the browser keeps parts outside of the
// memory of the page.
import { useEffect, useRef, useState } from 'react';
import { AskError } from '../../data/ask.ts';
import { saveFile } from '../../exports/save.ts';
import { type Column, tableFormats } from '../../exports/table.ts';
import { formatCount } from '../../formats/amounts.ts';
import { visible } from '../../formats/names.ts';

interface Page<Row> {
  readonly nodes: readonly Row[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

interface WholeFilesProps<Row> {
  /** Whether there are more rows than in view. */
  readonly isOffered: boolean;
  /** What the rows are, for screen readers and the name of the file. */
  readonly title: string;
  readonly columns: readonly Column<Row>[];
  readonly total: number;
  readonly readPage: (after: string | null, signal: AbortSignal) => Promise<Page<Row>>;
}

type Kind = keyof typeof tableFormats;

/** Milliseconds until a page is asked for again that the gateway could not, or would not yet, answer. */
const pause = 3000;

export function WholeFiles<Row>({ isOffered, title, columns, total, readPage }: WholeFilesProps<Row>) {
  const [rows, setRows] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const save = async (kind: Kind) => {
    running.current = new AbortController();
    const { signal } = running.current;
    const format = tableFormats[kind];
    const parts = [new Blob([format.head(columns)])];
    let [count, after, hasNext] = [0, null as string | null, true];
    setSaid('');
    setRows(0);
    try {
      while (hasNext) {
        const page = await untilAnswered(() => readPage(after, signal), signal, setSaid);
        parts.push(new Blob([format.rows(columns, page.nodes, count === 0)]));
        count += page.nodes.length;
        after = page.pageInfo.endCursor;
        hasNext = page.pageInfo.hasNextPage;
        setRows(count);
      }
      saveFile(title, kind, ...parts, format.tail);
      setSaid(`Saved ${formatCount(count)} rows.`);
    } catch (error) {
      if (!signal.aborted) setSaid(error instanceof Error ? error.message : String(error));
    }
    if (!signal.aborted) setRows(null);
  };
  const cancel = () => {
    running.current?.abort();
    setRows(null);
    setSaid('Cancelled: nothing was saved.');
  };
  if (!isOffered && rows === null && said === '') return null;
  return (
    <p>
      {rows === null ? (
        <>
          All {formatCount(total)} rows as{' '}
          {(['csv', 'json'] as const).map((kind) => (
            <button key={kind} type="button" aria-label={`All ${visible(title)} as ${kind.toUpperCase()}`} onClick={() => void save(kind)}>
              {kind.toUpperCase()}
            </button>
          ))}{' '}
        </>
      ) : (
        <>
          <progress aria-label="Rows read" value={rows} max={Math.max(total, rows)} /> {formatCount(rows)} of {formatCount(total)} rows{' '}
          <button type="button" onClick={cancel}>
            Cancel
          </button>{' '}
        </>
      )}
      <span role="status">{said}</span>
    </p>
  );
}

/** Asks again while the gateway is away, or has answered as much as it may in this minute. */
async function untilAnswered<Answer>(read: () => Promise<Answer>, signal: AbortSignal, say: (why: string) => void): Promise<Answer> {
  for (;;) {
    try {
      const answer = await read();
      say('');
      return answer;
    } catch (error) {
      const passes = error instanceof AskError && (error.trouble === 'lost' || error.code === 'RATE_LIMITED');
      if (signal.aborted || !passes) throw error;
      say(error.code === 'RATE_LIMITED' ? 'Waiting: the gateway limits how much may be read in a minute.' : error.message);
      await new Promise((resolve) => setTimeout(resolve, pause));
      signal.throwIfAborted();
    }
  }
}
