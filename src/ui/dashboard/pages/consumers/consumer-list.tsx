// The consumers of a filter, as the caller may see them: of the whole cloud with their providers, or of the caller's own project without.
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'wouter';
import { countConsumers, ReleaseConsumers } from '../../actions/release-consumers.tsx';
import { useRight } from '../../actions/rights.ts';
import { ask } from '../../data/ask.ts';
import { bounds } from '../../data/bounds.ts';
import { type NewsCount, useNews } from '../../data/news.ts';
import { useReach } from '../../data/viewer.ts';
import { formatCount } from '../../formats/amounts.ts';
import { NewsBar } from '../../parts/news-bar.tsx';
import layout from '../../parts/page.module.css';
import { More, usePages } from '../../parts/pages-of.tsx';
import { Answered } from '../../parts/states.tsx';
import type { EventFilterInput } from '../events/events.generated.ts';
import { type ConsumerShown, ConsumerTable, consumerColumns } from './consumer-table.tsx';
import { type ConsumerFilterInput, Consumers, type ConsumersQuery, OwnConsumers } from './consumers.generated.ts';
import { WholeFiles } from './whole-files.tsx';

interface ConsumerListProps {
  readonly filter: ConsumerFilterInput;
  readonly title: string;
  /** The heading, with their number. */
  readonly heading: (count: string) => ReactNode;
  /** Whether they can be selected and released. */
  readonly isOfLeftovers?: boolean;
}

export function ConsumerList(props: ConsumerListProps) {
  const reach = useReach();
  if (reach === null) return null;
  return reach === 'cloud' ? <OfCloud {...props} /> : <OfProject {...props} />;
}

/** In pages that are quickly there. */
const shownFirst = 100;
const orders = {
  changed: ['changed last', { field: 'UPDATED_AT', direction: 'DESC' }],
  unchanged: ['unchanged for longest', { field: 'UPDATED_AT', direction: 'ASC' }],
  newest: ['created last', { field: 'CREATED_AT', direction: 'DESC' }],
  oldest: ['created first', { field: 'CREATED_AT', direction: 'ASC' }],
} as const;
type ConsumerOrder = keyof typeof orders;
const isOrder = (text: string | null): text is ConsumerOrder => text !== null && Object.hasOwn(orders, text);

/** The order of a list, which is in the address. */
function useOrder() {
  const [parameters, setParameters] = useSearchParams();
  const asked = parameters.get('order');
  const order: ConsumerOrder = isOrder(asked) ? asked : 'changed';
  const choose = (next: string) =>
    setParameters((old) => {
      const now = new URLSearchParams(old);
      now.delete('order');
      if (next !== 'changed') now.set('order', next);
      return now;
    });
  return { order, choose, inView: { first: shownFirst, orderBy: [orders[order][1]] } };
}

/** By age, so that what changes while the file is read keeps its place; pages that the gateway reads at once. */
const inFile = { first: 500, orderBy: null };

/** The writes that can create, delete or change consumers. */
const kinds: NonNullable<EventFilterInput['kinds']> = [
  'REPLACE_ALLOCATIONS',
  'MOVE_ALLOCATIONS',
  'RELEASE_ALLOCATIONS',
  'SET_EXPIRY',
  'RELEASE_EXPIRED',
  'RESHAPE',
  'APPLY_PROVIDER_TREE',
  'DELETE_RESOURCE_PROVIDER',
  'IMPORT_CONSUMER',
];

function OfCloud({ filter, isOfLeftovers = false, ...shown }: ConsumerListProps) {
  const { projects } = filter;
  const { inView, ...ordered } = useOrder();
  const news = useNews(Consumers, { kinds, ...(projects && { projects }) }, 'cloud');
  const pages = usePages(Consumers, { filter, ...inView }, ({ consumers }) => consumers);
  const readPage = async (after: string | null, signal: AbortSignal) =>
    (await ask(Consumers, { filter, ...inFile, after }, signal)).consumers;
  const mayRelease = useRight('placement:allocations:delete') && isOfLeftovers;
  const table = mayRelease ? (rows: readonly Leftover[]) => <Releasable consumers={rows} title={shown.title} /> : undefined;
  return <Listed {...{ ...shown, ...ordered, news, pages, readPage, table }} total={pages.first?.consumers.totalCount ?? 0} />;
}

type Leftover = ConsumersQuery['consumers']['nodes'][number];

function Releasable({ consumers, title }: { readonly consumers: readonly Leftover[]; readonly title: string }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [released, setReleased] = useState<readonly Leftover[] | null>(null);
  // Consumers that have gone meanwhile are not selected.
  const selected = consumers.filter(({ uuid }) => chosen.has(uuid));
  const isTooMuch = selected.length > bounds.writeConsumers;
  return (
    <>
      {selected.length > 0 && (
        <div>
          <span role="status">
            {countConsumers(selected.length)} selected
            {isTooMuch && `: at most ${formatCount(bounds.writeConsumers)} can be released at once`}.
          </span>{' '}
          <button type="button" disabled={isTooMuch} onClick={() => setReleased(selected)}>
            Keep or release…
          </button>{' '}
          <button type="button" onClick={() => setChosen(new Set())}>
            Clear selection
          </button>
        </div>
      )}
      <ConsumerTable consumers={consumers} title={title} selected={new Set(selected.map(({ uuid }) => uuid))} onSelect={setChosen} />
      {released && <ReleaseConsumers consumers={released} onClose={() => setReleased(null)} />}
    </>
  );
}

function OfProject({ filter, ...shown }: ConsumerListProps) {
  const { inView, ...ordered } = useOrder();
  const news = useNews(OwnConsumers, { kinds }, 'project');
  const pages = usePages(OwnConsumers, { filter, ...inView }, ({ consumers }) => consumers);
  const readPage = async (after: string | null, signal: AbortSignal) =>
    (await ask(OwnConsumers, { filter, ...inFile, after }, signal)).consumers;
  return <Listed {...{ ...shown, ...ordered, news, pages, readPage }} total={pages.first?.consumers.totalCount ?? 0} />;
}

interface ListedProps<Row extends ConsumerShown> extends Omit<ConsumerListProps, 'filter' | 'isOfLeftovers'> {
  readonly pages: Pick<ReturnType<typeof usePages<unknown, Row, object>>, 'query' | 'more' | 'isReading'>;
  /** A table with actions, in place of the plain one. */
  readonly table?: ((consumers: readonly Row[]) => ReactNode) | undefined;
  readonly readPage: Parameters<typeof WholeFiles<Row>>[0]['readPage'];
  readonly total: number;
  readonly news: NewsCount;
  readonly order: ConsumerOrder;
  readonly choose: (order: string) => void;
}

function Listed<Row extends ConsumerShown>({ pages, readPage, table, total, title, heading, news, order, choose }: ListedProps<Row>) {
  const { query, more, isReading } = pages;
  return (
    <>
      <Answered query={query} height="page">
        {(consumers) => (
          <>
            <div className={layout.head}>
              {heading(formatCount(total))}
              <label>
                First those{' '}
                <select value={order} onChange={({ target }) => choose(target.value)}>
                  {Object.entries(orders).map(([key, [words]]) => (
                    <option key={key} value={key}>
                      {words}
                    </option>
                  ))}
                </select>
              </label>
            </div>
            <NewsBar news={news} />
            {table ? table(consumers) : <ConsumerTable consumers={consumers} title={title} />}
            <More more={more} isReading={isReading} />
          </>
        )}
      </Answered>
      {/* Outside, so that a file is read on while the list is read anew. */}
      <WholeFiles isOffered={more !== null} title={title} columns={consumerColumns} total={total} readPage={readPage} />
    </>
  );
}
