// One project: what it holds by type and by user, its consumers, and what happened to them. A reader of a project needs only this page.
import { Link, useParams } from 'wouter';
import { useAskAgain } from '../../data/live-queries.ts';
import { useAsk } from '../../data/queries.ts';
import { ProjectQuotas } from '../../data/quotas.generated.ts';
import { useTitle } from '../../data/title.ts';
import { useReach } from '../../data/viewer.ts';
import { exactAmount, formatAmount, formatCount } from '../../formats/amounts.ts';
import { DataTable, type ShownColumn } from '../../parts/data-table.tsx';
import { useNow } from '../../parts/moment.tsx';
import { Name } from '../../parts/name.tsx';
import layout from '../../parts/page.module.css';
import { Resources, resourceList, resourceText } from '../../parts/resources.tsx';
import { Answered, Placeholder } from '../../parts/states.tsx';
import { ConsumerList } from '../consumers/consumer-list.tsx';
import { EventsAbout } from '../events/events-about.tsx';
import { useReservations } from '../usage/kept.ts';
import { timesWords } from '../usage/reservation-times.ts';
import { Reservations, ReservationsAlone } from '../usage/reservations.generated.ts';
import { ReservationsSection } from '../usage/reservations.tsx';
import { UsageTrends } from '../usage/usage-trends.tsx';
import styles from './project.module.css';
import { Project, type UsageRowFragment } from './projects.generated.ts';
import { Quotas } from './quotas.tsx';

export default function ProjectPage() {
  const { id = '' } = useParams();
  const query = useAsk(Project, { id });
  const reach = useReach();
  useTitle(id);
  // Callers who see only their own project may not filter by it, and receive only its events.
  useAskAgain([Project, ProjectQuotas, Reservations, ReservationsAlone], reach === 'cloud' ? { projects: [id] } : {});
  return (
    <>
      <ol className={layout.crumbs}>
        <li>
          <Link href="/projects">Projects</Link>
        </li>
      </ol>
      <div className={layout.head}>
        <h1>
          <Name>{id}</Name>
        </h1>
      </div>
      <Answered query={query} height="page">
        {({ project }) =>
          project === null ? (
            <Placeholder
              title={
                <>
                  <Name>{id}</Name> does not exist
                </>
              }
            >
              <p>
                This project has never had a consumer. <Link href="/projects">Go to the projects</Link>
              </p>
            </Placeholder>
          ) : (
            <>
              <ReservationTimes id={id} />
              <ByClass usage={project.whole.nodes[0]} />
              <Quotas id={id} />
              <div className={layout.columns}>
                <UsageTable title="by type" rows={project.byType.nodes.map((row) => ({ ...row, key: row.consumerType ?? 'unknown' }))} />
                <UsageTable title="by user" rows={project.byUser.nodes.map((row) => ({ ...row, key: row.user?.externalId ?? '' }))} />
              </div>
              {project.byUser.pageInfo.hasNextPage && <p className={layout.muted}>Only the first 100 users are shown.</p>}
              <ReservationsOf id={id} />
              <UsageTrends key={id} of={{ project: id }} />
              <ProjectHistory id={id} />
              <ProjectConsumers id={id} />
            </>
          )
        }
      </Answered>
    </>
  );
}

/** What it holds in all, and the way to what still fits. */
function ByClass({ usage }: { readonly usage: UsageRowFragment | undefined }) {
  return (
    <section className={layout.section} aria-label="Use by class">
      <dl className={styles.totals}>
        {(usage?.resources ?? []).map(({ amount, resourceClass: { name } }) => (
          <div key={name}>
            <dt>
              <Name>{name}</Name>
            </dt>
            <dd title={exactAmount(amount, name)}>{formatAmount(amount, name)}</dd>
          </div>
        ))}
      </dl>
      <p>
        {usage === undefined || usage.resources.length === 0
          ? 'It holds nothing now. '
          : `Held by ${formatCount(usage.consumerCount)} consumers. `}
        <Link href="/fit">What still fits?</Link>
      </p>
    </section>
  );
}

interface KeyedUsage extends UsageRowFragment {
  readonly key: string;
}

const columnsOf = (title: string): readonly ShownColumn<KeyedUsage>[] => [
  { title, value: ({ key }) => key, show: ({ key }) => <Name>{key}</Name> },
  {
    title: 'consumers',
    value: ({ consumerCount }) => consumerCount,
    show: ({ consumerCount }) => formatCount(consumerCount),
    isNumber: true,
  },
  {
    title: 'holds',
    value: ({ resources }) => resourceText(resources),
    inJson: ({ resources }) => resourceList(resources),
    show: ({ resources }) => <Resources resources={resources} />,
  },
];

function UsageTable({ title, rows }: { readonly title: string; readonly rows: readonly KeyedUsage[] }) {
  return (
    <section aria-label={`Use ${title}`}>
      <h2>Use {title}</h2>
      {rows.length === 0 ? (
        <p className={layout.muted}>It holds nothing now.</p>
      ) : (
        <DataTable title={`use ${title}`} columns={columnsOf(title.replace('by ', ''))} rows={rows} keyOf={({ key }) => key} />
      )}
    </section>
  );
}

/** Nothing without reservations. */
function ReservationTimes({ id }: { readonly id: string }) {
  const { rows, totalCount } = useReservations({ projects: [id] });
  const words = timesWords(rows, totalCount, useNow());
  return words && <p>{words}</p>;
}

function ReservationsOf({ id }: { readonly id: string }) {
  return <ReservationsSection read={useReservations({ projects: [id] })} heading="Reservations" columns={['hosts']} />;
}

function ProjectConsumers({ id }: { readonly id: string }) {
  return (
    <section className={layout.section} aria-label="Consumers">
      <ConsumerList filter={{ projects: [id] }} title={`consumers of ${id}`} heading={(count) => <h2>{count} consumers</h2>} />
    </section>
  );
}

function ProjectHistory({ id }: { readonly id: string }) {
  return (
    <section className={layout.section} aria-label="History">
      <h2>History</h2>
      <EventsAbout filter={{ projects: [id] }} title={`history of ${id}`} />
    </section>
  );
}
