// The consumers of a filter, as far as the caller may see them: of the whole cloud with where they are, or of the caller's own project without.
import type { ReactNode } from 'react';
import { type NewsCount, useNews } from '../../data/news.ts';
import { formatCount } from '../../formats/amounts.ts';
import { NewsBar } from '../../parts/news-bar.tsx';
import { More, usePages } from '../../parts/pages-of.tsx';
import { Answered } from '../../states.tsx';
import type { EventFilterInput } from '../events/events.generated.ts';
import { useReach } from '../reach.ts';
import { type ConsumerShown, ConsumerTable } from './consumer-table.tsx';
import { type ConsumerFilterInput, Consumers, OwnConsumers } from './consumers.generated.ts';

interface ConsumerListProps {
  readonly filter: ConsumerFilterInput;
  readonly title: string;
  /** What is said of their number. */
  readonly heading: (count: string) => ReactNode;
}

export function ConsumerList(props: ConsumerListProps) {
  const reach = useReach();
  if (reach === null) return null;
  return reach === 'cloud' ? <OfCloud {...props} /> : <OfProject {...props} />;
}

/** The writes after which consumers are others, or hold something else. */
const kinds: NonNullable<EventFilterInput['kinds']> = [
  'REPLACE_ALLOCATIONS',
  'MOVE_ALLOCATIONS',
  'RELEASE_ALLOCATIONS',
  'RESHAPE',
  'IMPORT_CONSUMER',
];

function OfCloud({ filter, ...shown }: ConsumerListProps) {
  const { projects } = filter;
  const news = useNews(Consumers, { kinds, ...(projects && { projects }) }, 'cloud');
  const pages = usePages(Consumers, { filter }, ({ consumers }) => consumers);
  return <Listed {...shown} news={news} pages={pages} total={pages.first?.consumers.totalCount ?? 0} />;
}

function OfProject({ filter, ...shown }: ConsumerListProps) {
  const news = useNews(OwnConsumers, { kinds }, 'project');
  const pages = usePages(OwnConsumers, { filter }, ({ consumers }) => consumers);
  return <Listed {...shown} news={news} pages={pages} total={pages.first?.consumers.totalCount ?? 0} />;
}

interface ListedProps extends Omit<ConsumerListProps, 'filter'> {
  readonly pages: Pick<ReturnType<typeof usePages<unknown, ConsumerShown, object>>, 'query' | 'more' | 'isReading'>;
  readonly total: number;
  readonly news: NewsCount;
}

function Listed({ pages: { query, more, isReading }, total, title, heading, news }: ListedProps) {
  return (
    <Answered query={query} height="page">
      {(consumers) => (
        <>
          {heading(formatCount(total))}
          <NewsBar news={news} />
          <ConsumerTable consumers={consumers} title={title} />
          <More more={more} isReading={isReading} />
        </>
      )}
    </Answered>
  );
}
