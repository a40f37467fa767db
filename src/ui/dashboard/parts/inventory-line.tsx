// The line of a list for an inventory: its bar with numbers.
import { exactAmount, formatAmount } from '../formats/amounts.ts';
import { type Amounts, barOf } from '../formats/bar-model.ts';
import styles from './bar.module.css';
import { Bar } from './bar.tsx';

interface InventoryLineProps {
  readonly amounts: Amounts;
  readonly isThin?: boolean;
  /** What reservations keep beside what is used. The section of reservations, to which it leads, says what that means. */
  readonly promised?: number | undefined;
}

/** Class, bar, and the numbers that matter. */
export function InventoryLine({ amounts, isThin = false, promised = 0 }: InventoryLineProps) {
  const { percent, amounts: text, room, isOver } = barOf(amounts);
  const { resourceClass, reserved, allocationRatio = 1, used, capacity } = amounts;
  return (
    <span className={styles.line}>
      <span className={styles.name}>{resourceClass.name}</span>
      <Bar amounts={amounts} isThin={isThin} />
      <span className={isOver ? styles.warning : ''} title={`${exactAmount(used, resourceClass.name)}, capacity ${capacity}`}>
        {isOver && '▲ '}
        <strong>{percent}</strong> {text}
      </span>
      <span className={styles.muted}>
        {room}
        {promised > 0 && (
          <>
            {' · '}
            <a href="#reservations" title={exactAmount(promised, resourceClass.name)}>
              {formatAmount(promised, resourceClass.name)} promised
            </a>
          </>
        )}
        {reserved > 0 && ` · ${formatAmount(reserved, resourceClass.name)} reserved`}
        {allocationRatio !== 1 && ` · ×${allocationRatio}`}
      </span>
    </span>
  );
}
