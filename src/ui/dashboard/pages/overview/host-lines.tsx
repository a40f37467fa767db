// A few hosts, each with a bar of one class.
import type { CloudColumns } from '../../data/map-columns.ts';
import { barOf } from '../../formats/bar-model.ts';
import { HostLink } from '../../map/host-link.tsx';
import { Bar } from '../../parts/bar.tsx';
import styles from './overview.module.css';

interface HostLinesProps {
  readonly columns: CloudColumns;
  readonly hosts: readonly number[];
  readonly resourceClass: string;
}

export function HostLines({ columns, hosts, resourceClass }: HostLinesProps) {
  if (hosts.length === 0) return <p className={styles.aside}>None.</p>;
  return (
    <ul className={styles.hosts}>
      {hosts.map((host) => {
        const amounts = amountsOf(columns, host, resourceClass);
        const { percent, amounts: text, isOver } = barOf(amounts);
        return (
          <li key={host}>
            <HostLink name={columns.names[host] ?? ''} />
            <Bar amounts={amounts} />
            <span className={isOver ? styles.alarm : ''}>
              {isOver && '▲ '}
              <strong>{percent}</strong> <span className={styles.aside}>{text}</span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function amountsOf(columns: CloudColumns, host: number, name: string) {
  const numbers = columns.classes.get(name);
  const of = (column: 'total' | 'reserved' | 'capacity' | 'used') => numbers?.[column][host] || 0;
  return { resourceClass: { name }, total: of('total'), reserved: of('reserved'), capacity: of('capacity'), used: of('used') };
}
