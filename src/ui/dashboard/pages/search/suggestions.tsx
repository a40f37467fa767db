// What the search box suggests while the person types: an option for each match, chosen with the arrow keys or the mouse, in the pattern of a combobox. Loaded
// when the box first gets the focus.
import { type RefObject, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { Name } from '../../parts/name.tsx';
import { addressOf, type Match, nameOf } from './found.ts';
import styles from './search.module.css';
import { useSearchFor } from './use-search.ts';

export interface SuggestionsProps {
  /** Of the list; its options have it with their place. */
  readonly id: string;
  readonly text: string;
  /** What the box does with a pressed key; returns whether the list has used it. */
  readonly keys: RefObject<(key: string) => boolean>;
  /** Called with the id of the option that the arrow keys have reached, null for none, and with undefined while there is no list. */
  readonly onActive: (option: string | null | undefined) => void;
  /** Called when the list should go: an option was opened, or Escape was pressed. */
  readonly onClose: (hasOpened: boolean) => void;
}

const ofEachKind = 4;
/** Milliseconds without a key before the gateway is asked. */
const pause = 50;

export default function Suggestions({ id, text, keys, onActive, onClose }: SuggestionsProps) {
  const [, navigate] = useLocation();
  const asked = useSettled(text.trim());
  const { query, reach, isOld } = useSearchFor(asked, { first: ofEachKind, isAside: true });
  // The classes of a project lead nowhere.
  const matches = (query.data?.matches ?? []).filter(({ __typename }) => reach === 'cloud' || __typename !== 'ResourceClass');
  // Chosen in the list of one text; another text has another list.
  const [chosen, setChosen] = useState({ asked, place: -1 });
  // Meanwhile nothing can be chosen from the list of another text, and Enter searches for this one.
  const isOfText = asked === text.trim() && !isOld;
  const place = isOfText && chosen.asked === asked ? Math.min(chosen.place, matches.length - 1) : -1;
  const isEmpty = matches.length === 0;
  const option = place < 0 ? null : `${id}-${place}`;
  useEffect(() => onActive(isEmpty ? undefined : option), [isEmpty, option, onActive]);
  useEffect(() => {
    if (option !== null) document.getElementById(option)?.scrollIntoView({ block: 'nearest' });
  }, [option]);
  const open = (match: Match) => {
    navigate(addressOf(match));
    onClose(true);
  };
  useEffect(() => {
    keys.current = (key) => {
      const match = matches[place];
      // From the last option the arrows lead to the box itself, and from there to the first.
      const by = { ArrowDown: 1, ArrowUp: -1 }[key];
      if (by !== undefined && !isEmpty && isOfText)
        setChosen({ asked, place: ((place + 1 + by + matches.length + 1) % (matches.length + 1)) - 1 });
      else if (key === 'Enter' && match) open(match);
      else if (key === 'Escape') onClose(false);
      else return false;
      return true;
    };
    return () => {
      keys.current = () => false;
    };
  });
  if (query.data === undefined) return null;
  return (
    <div className={styles.suggestions}>
      <div role="listbox" id={id} aria-label="Suggestions">
        {matches.map((match, index) => (
          <div
            key={`${match.__typename} ${nameOf(match)}`}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === place}
            // The box keeps the focus, so that the list stays until the click.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => isOfText && open(match)}
            onKeyDown={({ key }) => key === 'Enter' && isOfText && open(match)}
          >
            <span className={styles.name}>
              <Name>{nameOf(match)}</Name>
            </span>
            <span className={styles.kind}>
              <Name>{kindOf(match)}</Name>
            </span>
          </div>
        ))}
      </div>
      <p role="status">{isOfText ? statusOf({ isEmpty, hasPlace: place >= 0, isCut: query.data.truncated }) : 'Searching …'}</p>
    </div>
  );
}

function statusOf({
  isEmpty,
  hasPlace,
  isCut,
}: {
  readonly isEmpty: boolean;
  readonly hasPlace: boolean;
  readonly isCut: boolean;
}): string {
  if (isEmpty) return 'Nothing has this in its name.';
  if (hasPlace) return 'Enter opens it.';
  return isCut ? 'There is more: Enter shows all.' : 'Enter shows all results.';
}

function kindOf(match: Match): string {
  switch (match.__typename) {
    case 'ResourceProvider':
      return match.root.name === match.name ? 'provider' : `in ${match.root.name}`;
    case 'Consumer':
      return match.consumerType ?? 'consumer';
    case 'ResourceClass':
      return 'class';
    default:
      return match.__typename.toLowerCase();
  }
}

/** The text once no key has changed it for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
