// The consumers and the events of a provider; for a root, those of the whole tree.
import { ConsumerList } from '../consumers/consumer-list.tsx';
import { EventsAbout } from '../events/events-about.tsx';

interface Subject {
  readonly uuid: string;
  readonly name: string;
  readonly depth: number;
}

const about = ({ uuid, depth }: Subject) => (depth === 0 ? { inTrees: [uuid] } : { resourceProviders: [uuid] });

export function ProviderConsumers({ provider }: { readonly provider: Subject }) {
  return (
    <ConsumerList
      filter={about(provider)}
      title={`consumers of ${provider.name}`}
      heading={(count) => (
        <p>
          {count} consumers hold resources {provider.depth === 0 ? 'in this tree' : 'on this provider'}.
        </p>
      )}
    />
  );
}

export function ProviderHistory({ provider }: { readonly provider: Subject }) {
  return <EventsAbout filter={about(provider)} title={`history of ${provider.name}`} />;
}
