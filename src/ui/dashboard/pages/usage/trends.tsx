// The use of the whole cloud, or of an aggregate, over time.
import { Link, useSearch } from 'wouter';
import { useAsk } from '../../data/queries.ts';
import { Name } from '../../parts/name.tsx';
import layout from '../../parts/page.module.css';
import { useReservations } from './kept.ts';
import { ReservationsSection } from './reservations.tsx';
import { AggregateName } from './usage.generated.ts';
import { UsageTrends } from './usage-trends.tsx';

export default function TrendsPage() {
  const aggregate = new URLSearchParams(useSearch()).get('aggregate');
  return aggregate === null ? (
    <>
      <h1>Trends of the whole cloud</h1>
      <UsageTrends of={{ cloud: true }} />
      <OfCloud />
    </>
  ) : (
    <OfAggregate uuid={aggregate} />
  );
}

function OfCloud() {
  return <ReservationsSection read={useReservations({}, { withHosts: false })} heading="Kept by reservations" columns={['project']} />;
}

function OfAggregate({ uuid }: { readonly uuid: string }) {
  const { data } = useAsk(AggregateName, { uuid });
  return (
    <>
      <ol className={layout.crumbs}>
        <li>
          <Link href="/trends">Cloud</Link>
        </li>
      </ol>
      <h1>
        Trends of <Name>{data?.aggregate?.name ?? uuid}</Name>
      </h1>
      <UsageTrends key={uuid} of={{ aggregate: uuid }} />
    </>
  );
}
