// The events about something, as the caller may see them: of the whole cloud with their writers, or of the caller's own project without.
import { type NewsCount, useNews } from '../../data/news.ts';
import { useReach } from '../../data/viewer.ts';
import { NewsBar } from '../../parts/news-bar.tsx';
import { More, usePages } from '../../parts/pages-of.tsx';
import { Answered } from '../../parts/states.tsx';
import { EventList, type EventShown } from './event-list.tsx';
import { type EventFilterInput, Events, OwnConsumerEvents, type OwnEventLineFragment, OwnEvents } from './events.generated.ts';

interface EventsAboutProps {
  readonly filter: EventFilterInput;
  readonly title: string;
}

/** Callers who see only their own project may not filter by consumers, so the events of a consumer are read through that consumer. */
export function EventsAbout({ filter, title }: EventsAboutProps) {
  const reach = useReach();
  if (reach === null) return null;
  if (reach === 'cloud') return <OfCloud filter={filter} title={title} />;
  const { consumers, projects: _, ...allowed } = filter;
  const [consumer] = consumers ?? [];
  return consumer === undefined ? <OfProject filter={allowed} title={title} /> : <OfConsumer uuid={consumer} title={title} />;
}

function OfCloud({ filter, title }: EventsAboutProps) {
  const news = useNews(Events, filter, 'cloud');
  return <Listed pages={usePages(Events, { filter }, ({ events }) => events)} title={title} news={news} />;
}

function OfProject({ filter, title }: EventsAboutProps) {
  const news = useNews(OwnEvents, filter, 'project');
  return <Listed pages={anonymous(usePages(OwnEvents, { filter }, ({ events }) => events))} title={title} news={news} />;
}

function OfConsumer({ uuid, title }: { readonly uuid: string; readonly title: string }) {
  return <Listed pages={anonymous(usePages(OwnConsumerEvents, { uuid }, ({ consumer }) => consumer?.events))} title={title} />;
}

type Pages<Event> = Pick<ReturnType<typeof usePages<unknown, Event, object>>, 'query' | 'more' | 'isReading'>;

function anonymous({ query, more, isReading }: Pages<OwnEventLineFragment>): Pages<EventShown> {
  const data = query.data?.map((event) => ({ ...event, id: null, requestedBy: null, requestedFor: null, changes: ownChanges(event) }));
  return { query: { ...query, data }, more, isReading };
}

/** All of them are of consumers, without the providers that these use. */
const ownChanges = ({ changes: { totalCount, nodes } }: OwnEventLineFragment) => ({
  totalCount,
  nodes: nodes.flatMap((change) => (change.__typename === 'ConsumerChange' ? [{ ...change, allocations: [] }] : [])),
});

interface ListedProps {
  readonly pages: Pages<EventShown>;
  readonly title: string;
  readonly news?: NewsCount;
}

function Listed({ pages: { query, more, isReading }, title, news }: ListedProps) {
  return (
    <Answered query={query}>
      {(events) => (
        <>
          {news && <NewsBar news={news} />}
          <EventList events={events} title={title} />
          <More more={more} isReading={isReading} />
        </>
      )}
    </Answered>
  );
}
