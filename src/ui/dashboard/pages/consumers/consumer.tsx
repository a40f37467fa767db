// One consumer: what it holds, whose it is, and what happened to it; also when it is gone.
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { ReleaseConsumer } from '../../actions/release-consumer.tsx';
import { useRight } from '../../actions/rights.ts';
import { useAsk } from '../../data/queries.ts';
import { exactAmount, formatAmount, formatCount } from '../../formats/amounts.ts';
import { Name } from '../../name.tsx';
import { DataTable, type ShownColumn } from '../../parts/data-table.tsx';
import { ProjectLink, ProviderLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import layout from '../../parts/page.module.css';
import { More, usePages } from '../../parts/pages-of.tsx';
import { Answered, Gone } from '../../states.tsx';
import { EventList } from '../events/event-list.tsx';
import { Events } from '../events/events.generated.ts';
import { isUuid } from '../events/filter.ts';
import { Consumer, type ConsumerQuery, type ConsumerRowFragment } from './consumers.generated.ts';

export default function ConsumerPage() {
  const { uuid = '' } = useParams();
  return isUuid(uuid) ? (
    <Known uuid={uuid} />
  ) : (
    <Gone what={<Name>{uuid}</Name>}>
      <p>
        Consumers are known by their uuids. <Link href="/consumers">To the consumers</Link>
      </p>
    </Gone>
  );
}

function Known({ uuid }: { readonly uuid: string }) {
  const query = useAsk(Consumer, { uuid });
  const mayRelease = useRight('placement:allocations:delete');
  const [released, setReleased] = useState<NonNullable<ConsumerQuery['consumer']> | null>(null);
  return (
    <Answered query={query} height="page">
      {({ consumer }) => (
        <>
          <ol className={layout.crumbs}>
            <li>
              <Link href="/consumers">Consumers</Link>
            </li>
            {consumer && (
              <li>
                <ProjectLink id={consumer.project.externalId} />
              </li>
            )}
          </ol>
          <div className={layout.head}>
            <h1>
              <code>{uuid}</code>
            </h1>
            {consumer && mayRelease && (
              <button type="button" onClick={() => setReleased(consumer)}>
                Release …
              </button>
            )}
          </div>
          {consumer === null ? (
            <p>It holds nothing now, or never did. What the ledger knows of it is below.</p>
          ) : (
            <Facts consumer={consumer} />
          )}
          {released && <ReleaseConsumer consumer={released} onClose={() => setReleased(null)} />}
          <h2 className={layout.section}>History</h2>
          <History uuid={uuid} />
        </>
      )}
    </Answered>
  );
}

const columns: readonly ShownColumn<ConsumerRowFragment['allocations'][number]>[] = [
  {
    title: 'provider',
    value: ({ resourceProvider }) => resourceProvider.name,
    show: ({ resourceProvider }) => <ProviderLink provider={resourceProvider} />,
  },
  { title: 'class', value: ({ resourceClass }) => resourceClass.name },
  {
    title: 'amount',
    value: ({ amount }) => amount,
    show: ({ amount, resourceClass }) => (
      <span title={exactAmount(amount, resourceClass.name)}>{formatAmount(amount, resourceClass.name)}</span>
    ),
    isNumber: true,
  },
];

function Facts({ consumer }: { readonly consumer: NonNullable<ConsumerQuery['consumer']> }) {
  const { uuid, consumerType, generation, createdAt, updatedAt, user, roots, allocations } = consumer;
  return (
    <>
      <p className={layout.facts}>
        <Name>{consumerType ?? 'of unknown type'}</Name>
        <span>
          user <Name>{user.externalId}</Name>
        </span>
        <span>generation {formatCount(generation)}</span>
        <span>
          created <Moment at={createdAt} />
        </span>
        <span>
          updated <Moment at={updatedAt} />
        </span>
      </p>
      {roots.length > 1 && (
        <p className={layout.warning}>
          ▲ It holds resources in {roots.length} trees: it is migrating, uses a shared pool, or was left over.
        </p>
      )}
      <DataTable
        title={`allocations of ${uuid}`}
        columns={columns}
        rows={allocations}
        keyOf={({ resourceProvider, resourceClass }) => `${resourceProvider.uuid} ${resourceClass.name}`}
      />
    </>
  );
}

function History({ uuid }: { readonly uuid: string }) {
  const { query, more, isReading } = usePages(Events, { filter: { consumers: [uuid] } }, ({ events }) => events);
  return (
    <Answered query={query}>
      {(events) => (
        <>
          <EventList events={events} title={`history of ${uuid}`} />
          <More more={more} isReading={isReading} />
        </>
      )}
    </Answered>
  );
}
