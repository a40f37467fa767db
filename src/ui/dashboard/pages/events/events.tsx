// The ledger: every write, latest first, with filters.
import { useLocation, useSearch } from 'wouter';
import { useReach } from '../../data/viewer.ts';
import { spoken } from '../../formats/names.ts';
import { printQuery, type QueryState, readQuery } from '../../formats/query-state.ts';
import layout from '../../parts/page.module.css';
import { EventsAbout } from './events-about.tsx';
import { eventFilter, eventKeys, eventKinds } from './filter.ts';

export default function EventsPage() {
  const [, navigate] = useLocation();
  const state = readQuery(eventKeys, useSearch());
  const { filter, problem } = eventFilter(state);
  return (
    <>
      <div className={layout.head}>
        <h1>History</h1>
      </div>
      <Filters key={JSON.stringify(state)} state={state} onChoose={(next) => navigate(`/events?${printQuery(next)}`)} />
      {problem === null ? <EventsAbout filter={filter} title="events" /> : <p role="alert">{problem}</p>}
    </>
  );
}

const texts = [
  ['provider', 'Provider (uuid)'],
  ['consumer', 'Consumer (uuid)'],
  ['project', 'Project'],
  ['user', 'User'],
  ['request', 'Request id'],
  ['until', 'Until (UTC)'],
] as const;

/** The filters for callers who see only their own project. */
const ofEveryCaller: ReadonlySet<string> = new Set(['request', 'until']);

interface FiltersProps {
  readonly state: QueryState<(typeof eventKeys)[number]>;
  readonly onChoose: (state: QueryState<(typeof eventKeys)[number]>) => void;
}

function Filters({ state, onChoose }: FiltersProps) {
  const reach = useReach();
  return (
    <form
      className={layout.filters}
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        onChoose({ ...state, ...Object.fromEntries(eventKeys.map((key) => [key, String(form.get(key) ?? '').trim()])) });
      }}
    >
      <label>
        Kind
        <select name="kind" defaultValue={state.kind}>
          <option value="">any</option>
          {eventKinds.map((kind) => (
            <option key={kind} value={kind}>
              {spoken(kind)}
            </option>
          ))}
        </select>
      </label>
      {texts
        .filter(([key]) => reach === 'cloud' || ofEveryCaller.has(key))
        .map(([key, label]) => (
          <label key={key}>
            {label}
            <input name={key} defaultValue={state[key]} placeholder={key === 'until' ? '2026-11-21T12:00:00Z' : ''} />
          </label>
        ))}
      <button type="submit">Show</button>
    </form>
  );
}
