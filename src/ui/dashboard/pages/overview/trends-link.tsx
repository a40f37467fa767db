// Leads to the use over time of the aggregate in view, or else of the whole cloud.
import { Link } from 'wouter';
import { Name } from '../../parts/name.tsx';

export function TrendsLink({ aggregate, name }: { readonly aggregate: string | null; readonly name: string }) {
  return aggregate === null ? (
    <Link href="/trends">Trends</Link>
  ) : (
    <Link href={`/trends?aggregate=${aggregate}`}>
      Trends of <Name>{name}</Name>
    </Link>
  );
}
