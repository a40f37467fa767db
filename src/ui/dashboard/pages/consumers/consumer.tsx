// One consumer: what it holds, whose it is, and what happened to it, even if it is gone.
import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'wouter';
import { ReleaseConsumers } from '../../actions/release-consumers.tsx';
import { useRight } from '../../actions/rights.ts';
import { useAskAgain } from '../../data/live-queries.ts';
import { type Reading, useAsk } from '../../data/queries.ts';
import { useTitle } from '../../data/title.ts';
import { useReach } from '../../data/viewer.ts';
import { exactAmount, formatAmount, formatCount } from '../../formats/amounts.ts';
import { exactMoment } from '../../formats/moments.ts';
import { DataTable, type ShownColumn } from '../../parts/data-table.tsx';
import { ProjectLink, ProviderLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Name } from '../../parts/name.tsx';
import layout from '../../parts/page.module.css';
import { Answered, Loading, Placeholder } from '../../parts/states.tsx';
import { EventsAbout } from '../events/events-about.tsx';
import { isUuid } from '../events/filter.ts';
import type { ConsumerShown } from './consumer-table.tsx';
import { Consumer, ConsumerExpiry, type ConsumerQuery, OwnConsumer } from './consumers.generated.ts';

export default function ConsumerPage() {
  const { uuid = '' } = useParams();
  const reach = useReach();
  useTitle(`Consumer ${uuid}`);
  if (isUuid(uuid)) {
    if (reach === null) return <Loading height="page" />;
    return reach === 'cloud' ? <OfCloud uuid={uuid} /> : <OfProject uuid={uuid} />;
  }
  return (
    <Placeholder
      title={
        <>
          <Name>{uuid}</Name> does not exist
        </>
      }
    >
      <p>
        Consumers are identified by their uuids. <Link href="/consumers">Go to the consumers</Link>
      </p>
    </Placeholder>
  );
}

function OfCloud({ uuid }: { readonly uuid: string }) {
  const query = useAsk(Consumer, { uuid });
  useAskAgain([Consumer, ConsumerExpiry], { consumers: [uuid] });
  const mayRelease = useRight('placement:allocations:delete');
  const [released, setReleased] = useState<NonNullable<ConsumerQuery['consumer']> | null>(null);
  const consumer = query.data?.consumer;
  return (
    <>
      <Known uuid={uuid} query={query}>
        {consumer && mayRelease && (
          <button type="button" onClick={() => setReleased(consumer)}>
            Release …
          </button>
        )}
      </Known>
      {released && <ReleaseConsumers consumers={[released]} onClose={() => setReleased(null)} />}
    </>
  );
}

function OfProject({ uuid }: { readonly uuid: string }) {
  return <Known uuid={uuid} query={useAsk(OwnConsumer, { uuid })} />;
}

interface KnownConsumer extends ConsumerShown {
  readonly generation: number;
  readonly createdAt: string;
  readonly roots?: readonly object[];
}

interface KnownProps {
  readonly uuid: string;
  readonly query: Reading<{ readonly consumer: KnownConsumer | null }>;
  readonly children?: ReactNode;
}

function Known({ uuid, query, children }: KnownProps) {
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
            {children}
          </div>
          {consumer === null ? (
            <p>It holds nothing now, or never did. What the ledger knows about it is below.</p>
          ) : (
            <Facts consumer={consumer} />
          )}
          <h2 className={layout.section}>History</h2>
          <EventsAbout filter={{ consumers: [uuid] }} title={`history of ${uuid}`} />
        </>
      )}
    </Answered>
  );
}

const columns: readonly ShownColumn<ConsumerShown['allocations'][number]>[] = [
  {
    title: 'provider',
    value: ({ resourceProvider }) => resourceProvider?.name ?? null,
    show: ({ resourceProvider }) => resourceProvider && <ProviderLink provider={resourceProvider} />,
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

function Facts({ consumer }: { readonly consumer: KnownConsumer }) {
  const { uuid, consumerType, generation, createdAt, updatedAt, user, roots = [], allocations } = consumer;
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
        <Expiry uuid={uuid} />
      </p>
      {roots.length > 1 && (
        <p className={layout.warning}>
          ▲ It holds resources in {roots.length} trees: it is migrating, uses a shared pool, or was left over.
        </p>
      )}
      <DataTable
        title={`allocations of ${uuid}`}
        columns={allocations.some(({ resourceProvider }) => resourceProvider) ? columns : columns.slice(1)}
        rows={allocations}
        keyOf={({ resourceProvider, resourceClass }, index) => `${resourceProvider?.uuid ?? index} ${resourceClass.name}`}
      />
    </>
  );
}

/** When it is released unless its holder extends it; nothing if it lasts. */
function Expiry({ uuid }: { readonly uuid: string }) {
  const at = useAsk(ConsumerExpiry, { uuid }, { isAside: true }).data?.consumer?.expiresAt;
  return at ? (
    <span>
      expires <time dateTime={at}>{exactMoment(at)}</time>
    </span>
  ) : null;
}
