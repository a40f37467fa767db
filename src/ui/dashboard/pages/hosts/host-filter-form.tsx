// The filter above the table of hosts. Each field is a part of the address.
import type { CloudColumns } from '../../data/map-columns.ts';
import styles from './hosts.module.css';

interface HostFilterFormProps {
  readonly parameters: URLSearchParams;
  /** Null until they are loaded. */
  readonly columns: CloudColumns | null;
  /** All classes that hosts have, and those with a column. */
  readonly classes: readonly string[];
  readonly shown: readonly string[];
  /** `replace`: adds no entry to the browser's history. */
  readonly onChange: (key: string, values: readonly string[], replace?: boolean) => void;
}

export function HostFilterForm({ parameters, columns, classes, shown, onChange }: HostFilterFormProps) {
  const field = (key: string) => ({
    value: parameters.getAll(key).join(','),
    onChange: ({ target }: { target: { value: string } }) => onChange(key, [target.value], true),
  });
  const flag = (key: string) => ({
    checked: parameters.get(key) === '1',
    onChange: ({ target }: { target: { checked: boolean } }) => onChange(key, target.checked ? ['1'] : []),
  });
  const choice = (key: string) => ({
    value: parameters.get(key) ?? '',
    onChange: ({ target }: { target: { value: string } }) => onChange(key, [target.value]),
  });
  const aggregates = (columns?.aggregates ?? []).flatMap(({ name }) => name ?? []);
  const choices = [...new Set([...classes, ...shown])];
  return (
    <search>
      <form className={styles.filter} onSubmit={(event) => event.preventDefault()}>
        <label>
          Name contains
          <input type="search" {...field('q')} />
        </label>
        <label>
          Traits (- excludes one)
          <input list="traits" placeholder="HW_CPU_X86_AVX2,-CUSTOM_OLD" {...field('trait')} />
        </label>
        <label>
          In aggregate
          <select {...choice('in')}>
            <option value="">any</option>
            <Options names={aggregates} />
          </select>
        </label>
        <label>
          Has
          <select {...choice('has')}>
            <option value="">anything</option>
            <Options names={choices} />
          </select>
        </label>
        <label className={styles.flag}>
          <input type="checkbox" {...flag('over')} /> ▲ over capacity
        </label>
        <label className={styles.flag}>
          <input type="checkbox" {...flag('disabled')} /> ✕ disabled
        </label>
        <ColumnChoice choices={choices} shown={shown} onChange={(names) => onChange('cols', [names.join(',')])} />
        <datalist id="traits">
          {columns?.traitNames.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </form>
    </search>
  );
}

function Options({ names }: { readonly names: readonly string[] }) {
  return names.map((name) => (
    <option key={name} value={name}>
      {name}
    </option>
  ));
}

interface ColumnChoiceProps {
  readonly choices: readonly string[];
  readonly shown: readonly string[];
  readonly onChange: (shown: readonly string[]) => void;
}

/** The classes that have a column. */
function ColumnChoice({ choices, shown, onChange }: ColumnChoiceProps) {
  return (
    <details className={styles.columns}>
      <summary>Columns</summary>
      {choices.map((name) => (
        <label key={name} className={styles.flag}>
          <input
            type="checkbox"
            checked={shown.includes(name)}
            onChange={({ target }) => onChange(choices.filter((one) => (one === name ? target.checked : shown.includes(one))))}
          />{' '}
          {name}
        </label>
      ))}
    </details>
  );
}
