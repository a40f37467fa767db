// The first page: what is wrong, how full the cloud is by class, and what was written last.
import { useAsk } from '../data/queries.ts';
import { Answered, Empty } from '../states.tsx';
import { Overview } from './overview.generated.ts';

export default function OverviewPage() {
  const overview = useAsk(Overview, {});
  return (
    <Answered query={overview} height="page">
      {({ totals: { own, shared }, events }) => {
        if (own.length + shared.length + events.nodes.length === 0) {
          return (
            <Empty title="The ledger is empty">
              <p>
                Load the demo cloud with <code>npm start -- --demo</code>, or what another Placement knows with{' '}
                <code>placement-gateway import</code>.
              </p>
            </Empty>
          );
        }
        return (
          <>
            <h1>Overview</h1>
            <ul>
              {own.map(({ resourceClass, used, capacity }) => (
                <li key={resourceClass.name}>
                  {resourceClass.name} {used} of {capacity}
                </li>
              ))}
            </ul>
          </>
        );
      }}
    </Answered>
  );
}
