// The states of every page besides the good one: loading, empty, lost, forbidden, gone. A page gets all of them from
// `<Answered query={query} height="list">{(data) => …}</Answered>`.
import type { ReactNode } from 'react';
import { AskError } from '../data/ask.ts';
import type { Reading } from '../data/queries.ts';
import styles from './states.module.css';

interface AnsweredProps<Data> {
  readonly query: Reading<Data>;
  /** The expected height of the content, so that nothing jumps when it arrives. */
  readonly height?: Height;
  readonly children: (data: Data) => ReactNode;
}

export type Height = 'line' | 'list' | 'page';

/** What the answer shows, or why there is none. An old answer stays in view with its time. */
export function Answered<Data>({ query: { data, error, dataUpdatedAt, refetch }, height = 'list', children }: AnsweredProps<Data>) {
  if (data === undefined) {
    if (error === null || (error instanceof AskError && error.trouble === 'signed out')) return <Loading height={height} />;
    return <Failure error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      {error !== null && (
        <p className={styles.old}>
          As of {clock(new Date(dataUpdatedAt))}. {error.message}
        </p>
      )}
      {children(data)}
    </>
  );
}

export function Loading({ height = 'list' }: { readonly height?: Height | undefined }) {
  return (
    <div className={`${styles.loading} ${styles[height]}`} role="status">
      <span className={styles.word}>Loading …</span>
    </div>
  );
}

/** In place of what is not there: nothing yet, or gone, or never existed; and what would change that. */
export function Placeholder({ title, children }: { readonly title: ReactNode; readonly children?: ReactNode }) {
  return (
    <div className={styles.box}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

function Failure({ error, onRetry }: { readonly error: Error; readonly onRetry?: () => void }) {
  const asked = error instanceof AskError ? error : null;
  const isAnswered = asked?.trouble === 'lost' && asked.code !== null;
  const title = isAnswered ? 'The gateway cannot answer this now' : titles[asked?.trouble ?? 'failed'];
  return (
    <div className={styles.box} role="alert">
      <h2>{title}</h2>
      <p>{error.message}</p>
      {asked?.rule && (
        <p>
          You lack the right <code>{asked.rule}</code>.
        </p>
      )}
      {asked?.requestId && <RequestId id={asked.requestId} />}
      {onRetry && asked?.trouble !== 'forbidden' && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

const titles = {
  lost: 'The gateway does not answer',
  forbidden: 'Your roles do not allow this',
  'signed out': 'Sign in first',
  refused: 'The gateway refused this',
  failed: 'This page has failed',
} as const;

function RequestId({ id }: { readonly id: string }) {
  return (
    <p>
      Request <code>{id}</code>{' '}
      <button type="button" onClick={() => void navigator.clipboard.writeText(id)}>
        Copy
      </button>
    </p>
  );
}

export function clock(moment: Date): string {
  return moment.toLocaleTimeString('en-GB');
}
