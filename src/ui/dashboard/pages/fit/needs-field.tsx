// The needed and forbidden names of one kind: chips to remove them, and a field to add one. "-" before a name forbids it, "|" between names means one of them.
import { useId, useState } from 'react';
import { Name } from '../../parts/name.tsx';
import layout from '../../parts/page.module.css';
import styles from './fit.module.css';
import { parseNeeds, printNeeds, type TraitNeeds } from './request.ts';

interface NeedsFieldProps {
  readonly label: string;
  readonly needs: TraitNeeds;
  /** The names to choose from: the key is sent, the label shown. */
  readonly names: readonly { readonly key: string; readonly label: string }[];
  readonly onChange: (needs: TraitNeeds) => void;
}

export function NeedsField({ label, needs, names, onChange }: NeedsFieldProps) {
  const [text, setText] = useState('');
  const field = useId();
  const terms = printNeeds(needs)
    .split(',')
    .filter((term) => term !== '');
  const keys = new Map(names.map(({ key, label: shown }) => [shown, key]));
  const labels = new Map(names.map(({ key, label: shown }) => [key, shown]));
  const add = () => {
    if (text.trim() === '') return;
    const [, sign = '', typed = ''] = /^(-?)(.*)$/.exec(text.trim()) ?? [];
    const added = `${sign}${typed
      .split('|')
      .map((name) => keys.get(name) ?? name)
      .join('|')}`;
    onChange(parseNeeds([...terms, added].join(',')));
    setText('');
  };
  return (
    <div className={styles.needs}>
      <label htmlFor={field}>{label}</label>
      {terms.length > 0 && (
        <ul className={layout.chips}>
          {terms.map((term) => (
            <li key={term} className={layout.chip}>
              <Name>{wordsOf(term, labels)}</Name>{' '}
              <button
                type="button"
                className={styles.away}
                aria-label={`Remove ${wordsOf(term, labels)}`}
                onClick={() => onChange(parseNeeds(terms.filter((one) => one !== term).join(',')))}
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        id={field}
        list={`${field}-names`}
        value={text}
        placeholder="name, or -name to forbid it"
        onChange={({ target }) => setText(target.value)}
        onBlur={add}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || text.trim() === '') return;
          event.preventDefault();
          add();
        }}
      />
      <datalist id={`${field}-names`}>
        {names.map(({ key, label: shown }) => (
          <option key={key} value={shown} />
        ))}
      </datalist>
    </div>
  );
}

function wordsOf(term: string, labels: ReadonlyMap<string, string>): string {
  const isForbidden = term.startsWith('-');
  const names = (isForbidden ? term.slice(1) : term).split('|').map((key) => labels.get(key) ?? key);
  return `${isForbidden ? 'not ' : ''}${names.join(' or ')}`;
}
