// What the cloud has of a class of which a request asks for too much: the most that is free on one provider, and the largest host.
import { useLiveMap } from '../../data/live-map.ts';
import { useAsk } from '../../data/queries.ts';
import { formatAmount } from '../../formats/amounts.ts';
import { ProviderLink } from '../../parts/links.tsx';
import { MostFree } from './fit.generated.ts';
import type { Refused } from './readable.ts';

export function Largest({ refused }: { readonly refused: readonly Refused[] }) {
  const map = useLiveMap(refused.map(({ resourceClass }) => resourceClass));
  return (
    <ul>
      {refused.map((one) => (
        <li key={one.resourceClass}>
          <OfClass refused={one} capacities={map.data?.columns.classes.get(one.resourceClass)?.capacity ?? null} />
        </li>
      ))}
    </ul>
  );
}

interface OfClassProps {
  readonly refused: Refused;
  /** Of all hosts, with everything below them; NaN for hosts without the class. */
  readonly capacities: Float64Array | null;
}

function OfClass({ refused: { resourceClass, amount }, capacities }: OfClassProps) {
  const { data } = useAsk(MostFree, { resourceClass });
  const [most] = data?.resourceProviders.nodes ?? [];
  const inventory = most?.inventory;
  const words = (value: number) => formatAmount(value, resourceClass);
  const largest = capacities?.reduce((most, capacity) => (capacity > most ? capacity : most), 0) ?? 0;
  return (
    <>
      <strong>{resourceClass}</strong>: {words(amount)} asked for
      {most && inventory && (
        <>
          ; the most that is free on one provider is <strong>{words(Math.max(0, inventory.free))}</strong>, on{' '}
          <ProviderLink provider={most} />
          {inventory.maxUnit < amount && `, which gives at most ${words(inventory.maxUnit)} to one consumer`}
        </>
      )}
      {largest > 0 && (
        <>
          ; the largest host has {largest < amount && 'only '}
          <strong>{words(largest)}</strong>
        </>
      )}
      .
    </>
  );
}
