// What the colours and signs of the map mean.
import styles from './overview.module.css';

const steps = ['0', '>0', '20', '40', '60', '80', '95–100 %'];

export function Legend() {
  return (
    <ul className={styles.legend} aria-label="Legend: use of capacity, from 0 to 100 percent">
      {steps.map((words, step) => (
        <li key={words}>
          <span className={styles.step} style={{ backgroundColor: step === 0 ? 'var(--track)' : `var(--step-${step})` }} />
          {words}
        </li>
      ))}
      <li className={styles.sign}>
        <span className={styles.alarm}>▲</span> over capacity
      </li>
      <li className={styles.sign}>✕ disabled</li>
      <li className={styles.sign}>□ has none</li>
      <li className={styles.sign}>▣ has none, but a shared pool</li>
    </ul>
  );
}
