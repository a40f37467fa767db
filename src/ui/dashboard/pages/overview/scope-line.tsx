// Says which part of the cloud the page is about, and leads back to the whole.
import { formatCount } from '../../formats/amounts.ts';
import { Name } from '../../parts/name.tsx';
import styles from './overview.module.css';

interface ScopeLineProps {
  readonly path: readonly string[];
  readonly hostCount: number | null;
  readonly onLeave: () => void;
}

export function ScopeLine({ path, hostCount, onLeave }: ScopeLineProps) {
  return (
    <p className={styles.scope} role="status">
      Everything here is about{' '}
      <strong>
        <Name>{path.join(' · ')}</Name>
      </strong>
      {hostCount !== null && ` (${formatCount(hostCount)} ${hostCount === 1 ? 'host' : 'hosts'})`}.{' '}
      <button type="button" onClick={onLeave}>
        Show the whole cloud
      </button>
    </p>
  );
}
