// The menu of worked examples, by user or by noun.
import { createContext, useContext, useState } from 'react';
import { linkTo } from '../explorer-link.ts';
import { type Example, users } from './example.ts';
import { examples } from './examples.ts';

/** Opens an example; `said` is the message about the last one. */
export const ExampleOpening = createContext<{ readonly open: (example: Example) => void; readonly said: string }>({
  open: () => {},
  said: '',
});

const orders = { user: 'By user', noun: 'By noun' } as const;
type Order = keyof typeof orders;

export function ExamplesPanel() {
  const { open, said } = useContext(ExampleOpening);
  const [order, setOrder] = useState<Order>('user');
  const [text, setText] = useState('');
  const found = examples.filter((example) => mentions(example, text.trim().toLowerCase()));
  return (
    <section className="panel" aria-labelledby="examples-panel">
      <h2 id="examples-panel">Examples</h2>
      <p>Each opens with values of this cloud. Nothing is sent until you run it.</p>
      <p className="choices">
        {(Object.keys(orders) as Order[]).map((one) => (
          <button key={one} type="button" aria-pressed={one === order} onClick={() => setOrder(one)}>
            {orders[one]}
          </button>
        ))}
      </p>
      <p>
        <input
          type="search"
          aria-label="Search the examples"
          placeholder="Search the examples"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </p>
      <p role="status">{said || (found.length === 0 ? 'No example mentions that.' : '')}</p>
      {groupsOf(found, order).map(([heading, members]) => (
        <section key={heading} aria-label={heading}>
          <h3>{heading}</h3>
          <ul>
            {members.map((example) => (
              <li key={example.name}>
                <a
                  href={linkTo({ example: example.name })}
                  onClick={(event) => {
                    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                    event.preventDefault();
                    open(example);
                  }}
                >
                  {example.title}
                </a>
                {example.kind !== 'query' && <span className="mark">{example.kind === 'mutation' ? 'writes' : 'live'}</span>}
                <p>{example.says}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}

function mentions({ title, says, nouns, text }: Example, wanted: string): boolean {
  return [title, says, text, ...nouns].some((place) => place.toLowerCase().includes(wanted));
}

/** An example with several nouns is in the group of each. */
function groupsOf(found: readonly Example[], order: Order): (readonly [heading: string, members: readonly Example[]])[] {
  const headings = order === 'user' ? users : [...new Set(found.flatMap(({ nouns }) => nouns))].toSorted();
  return headings
    .map(
      (heading) => [heading, found.filter(({ user, nouns }) => (order === 'user' ? user === heading : nouns.includes(heading)))] as const,
    )
    .filter(([, members]) => members.length > 0);
}
