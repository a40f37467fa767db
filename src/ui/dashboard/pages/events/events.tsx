// The ledger: every write, latest first, with filters.
import { useLocation, useSearch } from 'wouter';
import { useAsk } from '../../data/queries.ts';
import { useReach } from '../../data/viewer.ts';
import { formatCount } from '../../formats/amounts.ts';
import { spoken } from '../../formats/names.ts';
import { printQuery, type QueryState, readQuery } from '../../formats/query-state.ts';
import { Name } from '../../parts/name.tsx';
import layout from '../../parts/page.module.css';
import { Answered } from '../../parts/states.tsx';
import { type EventFilterInput, NamedProviders } from './events.generated.ts';
import { EventsAbout } from './events-about.tsx';
import { eventFilter, eventKeys, eventKinds, momentInField } from './filter.ts';

export default function EventsPage() {
  const [, navigate] = useLocation();
  const state = readQuery(eventKeys, useSearch());
  const { filter, name, problem } = eventFilter(state);
  return (
    <>
      <div className={layout.head}>
        <h1>History</h1>
      </div>
      <Filters key={JSON.stringify(state)} state={state} onChoose={(next) => navigate(`/events?${printQuery(next)}`)} />
      {problem !== null ? (
        <p role="alert">{problem}</p>
      ) : name !== null ? (
        <EventsOfNamed name={name} filter={filter} />
      ) : (
        <EventsAbout filter={filter} title="events" />
      )}
    </>
  );
}

/** The events of the host with a name, or else of the hosts whose names contain it. */
function EventsOfNamed({ name, filter }: { readonly name: string; readonly filter: EventFilterInput }) {
  const named = useAsk(NamedProviders, { name });
  return (
    <Answered query={named}>
      {({ exact, containing: { totalCount, nodes } }) => {
        const inTrees = exact ? [exact.uuid] : nodes.map(({ uuid }) => uuid);
        if (inTrees.length === 0) {
          return (
            <p role="alert">
              No host has <Name>{name}</Name> in its name. A deleted one is found by its uuid.
            </p>
          );
        }
        return (
          <>
            {!exact && (
              <p className={layout.muted}>
                Of the {totalCount > nodes.length ? `first ${formatCount(nodes.length)} of ` : ''}
                {formatCount(totalCount)} hosts with <Name>{name}</Name> in their names:
              </p>
            )}
            <EventsAbout filter={{ ...filter, inTrees }} title="events" />
          </>
        );
      }}
    </Answered>
  );
}

const texts = [
  ['provider', 'Host or provider (name or uuid)'],
  ['consumer', 'Consumer (uuid)'],
  ['project', 'Project'],
  ['user', 'User'],
  ['request', 'Request id'],
  ['since', 'From (UTC)'],
  ['until', 'To (UTC)'],
] as const;

const moments: readonly string[] = ['since', 'until'];
/** The filters for callers who see only their own project. */
const ofEveryCaller: ReadonlySet<string> = new Set(['request', ...moments]);

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
            <input
              name={key}
              {...(moments.includes(key)
                ? { type: 'datetime-local', step: 1, defaultValue: momentInField(state[key]) }
                : { defaultValue: state[key] })}
            />
          </label>
        ))}
      <button type="submit">Show</button>
    </form>
  );
}
