// Says that a list has something new, and reads it on request. Its height is fixed, so that nothing below it moves.
import type { NewsCount } from '../data/news.ts';
import { formatCount } from '../formats/amounts.ts';
import styles from './news-bar.module.css';

export function NewsBar({ news: { count, isUnknown, show } }: { readonly news: NewsCount }) {
  return (
    <div role="status" className={styles.bar}>
      {(count > 0 || isUnknown) && (
        <button type="button" onClick={show}>
          {isUnknown ? 'Show what is new' : `Show ${formatCount(count)} new`}
        </button>
      )}
    </div>
  );
}
