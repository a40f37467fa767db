// The first tab of a provider: its tree, the pools that serve it, the hosts that it serves, and what reservations keep here.
import { useAsk } from '../../data/queries.ts';
import { useReservations } from '../usage/kept.ts';
import { ReservationsSection } from '../usage/reservations.tsx';
import { Promised, type ProviderPageFragment, type TreeMemberFragment } from './provider.generated.ts';
import { ServedRootsList } from './served-roots.tsx';
import { SharedPools } from './shared-pools.tsx';
import { type Promises, placeOf, Tree } from './tree.tsx';

export function WholeTree({ provider }: { readonly provider: ProviderPageFragment }) {
  const { uuid, root, isSharing, sharedPools } = provider;
  const members = [root, ...root.descendants];
  const uuids = members.map((member) => member.uuid);
  const reservations = useReservations({ resourceProviders: uuids }, { providers: uuids });
  const promises = usePromises(root.uuid, reservations.rows.length > 0);
  return (
    <>
      <Tree members={members} focus={uuid} promises={promises} />
      <SharedPools pools={sharedPools} />
      {isSharing && <ServedRootsList provider={provider} />}
      <ReservationsSection read={reservations} heading="Reservations" columns={['project']} capacities={capacitiesOf(members)}>
        <strong>Promised</strong>, beside what is free of an inventory, is the most that reservations keep of it at once, now or later,
        without what is already claimed of them. A claim without a reservation finds what is free less what is promised; if it expires
        before a reservation begins, it may use the room until then.
      </ReservationsSection>
    </>
  );
}

function usePromises(root: string, areAny: boolean): Promises {
  const found = useAsk(Promised, { root }, { enabled: areAny, everySeconds: 60 }).data?.resourceProvider;
  return new Map(
    (found ? [found, ...found.descendants] : []).flatMap(({ uuid, inventories }) =>
      inventories.map(({ resourceClass, promised }) => [placeOf(uuid, resourceClass.name), promised] as const),
    ),
  );
}

function capacitiesOf(members: readonly TreeMemberFragment[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { resourceClass, capacity } of members.flatMap(({ inventories }) => inventories)) {
    sums.set(resourceClass.name, (sums.get(resourceClass.name) ?? 0) + capacity);
  }
  return sums;
}
