// The query of the page, to copy or to open in the explorer.
import { linkTo } from '../../../explorer-link.ts';
import styles from './fit.module.css';
import { queryText } from './query-text.ts';
import type { FitRequest } from './request.ts';

export function QueryBox({ request }: { readonly request: FitRequest }) {
  const text = queryText(request);
  return (
    <details className={styles.query}>
      <summary>As GraphQL</summary>
      <p>
        <button type="button" onClick={() => void navigator.clipboard.writeText(text)}>
          Copy
        </button>{' '}
        <a href={linkTo({ query: text })}>Open in the explorer</a>
      </p>
      <pre>{text}</pre>
    </details>
  );
}
