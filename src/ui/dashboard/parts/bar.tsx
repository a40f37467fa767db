// A bar for an inventory, or for a sum of several.
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
