// Leads to the use over time of the zone in view, or else of the whole cloud.
import { Link, useSearchParams } from 'wouter';
import type { MapAggregate } from '../../data/map-columns.ts';
import { Name } from '../../parts/name.tsx';

export function TrendsLink({ aggregates }: { readonly aggregates: readonly MapAggregate[] }) {
  const inside = useSearchParams()[0].getAll('in').at(-1);
  const zone = aggregates.find(({ name }) => name !== null && name === inside);
  return zone ? (
    <Link href={`/trends?aggregate=${zone.uuid}`}>
      Trends of <Name>{zone.name ?? ''}</Name>
    </Link>
  ) : (
    <Link href="/trends">Trends</Link>
  );
}
