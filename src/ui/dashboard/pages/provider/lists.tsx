// Who holds resources in a tree, and what happened to it. Of a root the whole tree counts, of any other provider itself.
import { formatCount } from '../../formats/amounts.ts';
import { More, usePages } from '../../parts/pages-of.tsx';
import { Answered } from '../../states.tsx';
import { ConsumerTable } from '../consumers/consumer-table.tsx';
import { Consumers } from '../consumers/consumers.generated.ts';
import { EventList } from '../events/event-list.tsx';
import { Events } from '../events/events.generated.ts';

interface Subject {
  readonly uuid: string;
  readonly name: string;
  readonly depth: number;
}

const about = ({ uuid, depth }: Subject) => (depth === 0 ? { inTrees: [uuid] } : { resourceProviders: [uuid] });

export function ProviderConsumers({ provider }: { readonly provider: Subject }) {
  const { query, first, more, isReading } = usePages(Consumers, { filter: about(provider) }, ({ consumers }) => consumers);
  return (
    <Answered query={query}>
      {(consumers) => (
        <>
          <p>
            {formatCount(first?.consumers.totalCount ?? 0)} consumers hold resources{' '}
            {provider.depth === 0 ? 'in this tree' : 'on this provider'}.
          </p>
          <ConsumerTable consumers={consumers} title={`consumers of ${provider.name}`} />
          <More more={more} isReading={isReading} />
        </>
      )}
    </Answered>
  );
}

export function ProviderHistory({ provider }: { readonly provider: Subject }) {
  const { query, more, isReading } = usePages(Events, { filter: about(provider) }, ({ events }) => events);
  return (
    <Answered query={query}>
      {(events) => (
        <>
          <EventList events={events} title={`history of ${provider.name}`} />
          <More more={more} isReading={isReading} />
        </>
      )}
    </Answered>
  );
}
