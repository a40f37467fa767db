// A bar for an inventory, and the line of a list around it.
import { exactAmount, formatAmount } from '../formats/amounts.ts';
import { type Amounts, barOf } from '../formats/bar-model.ts';
import styles from './bar.module.css';

const percentOf = (share: number) => `${(share * 100).toFixed(2)}%`;

export function Bar({ amounts, isThin = false }: { readonly amounts: Amounts; readonly isThin?: boolean }) {
  const { used, capacity, notch, isOver, step, words } = barOf(amounts);
  return (
    <span className={`${styles.bar} ${isThin ? styles.thin : ''}`} role="img" aria-label={words} title={words}>
      <span className={styles.track} style={{ width: percentOf(capacity) }} />
      <span
        className={`${styles.used} ${isOver ? styles.over : ''}`}
        style={{ width: percentOf(isOver ? 1 : used), ...(!isOver && step > 0 && { backgroundColor: `var(--step-${step})` }) }}
      />
      {notch !== null && !isOver && <span className={styles.notch} style={{ left: percentOf(notch) }} />}
    </span>
  );
}

/** Class, bar, and the numbers that matter. */
export function InventoryLine({ amounts, isThin = false }: { readonly amounts: Amounts; readonly isThin?: boolean }) {
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
        {reserved > 0 && ` · ${formatAmount(reserved, resourceClass.name)} reserved`}
        {allocationRatio !== 1 && ` · ×${allocationRatio}`}
      </span>
    </span>
  );
}
