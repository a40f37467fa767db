// Says which part of the cloud the page is about, and leads back to the whole.
import { formatCount } from '../../formats/amounts.ts';
import { Name } from '../../parts/name.tsx';
import styles from './overview.module.css';

interface ScopeLineProps {
  readonly path: readonly string[];
  readonly hostCount: number | null;
  /** Whether the gateway lists the writes and consumers of these hosts, too. */
  readonly areListsScoped: boolean;
  readonly onLeave: () => void;
}

export function ScopeLine({ path, hostCount, areListsScoped, onLeave }: ScopeLineProps) {
  return (
    <p className={styles.scope} role="status">
      {areListsScoped ? 'Everything' : 'Capacity'} here is about{' '}
      <strong>
        <Name>{path.join(' · ')}</Name>
      </strong>
      {hostCount !== null && ` (${formatCount(hostCount)} ${hostCount === 1 ? 'host' : 'hosts'})`}
      {areListsScoped ? '. ' : '; consumers and writes are those of the whole cloud. '}
      <button type="button" onClick={onLeave}>
        Show the whole cloud
      </button>
    </p>
  );
}
