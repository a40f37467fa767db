// What reservations keep, as pages show it. Asks only if the caller may read reservations: a gateway of 0.1.0 knows no such right.
import { useRight } from '../../actions/rights.ts';
import { AskError } from '../../data/ask.ts';
import { useAsk } from '../../data/queries.ts';
import type { NamedProvider } from '../../formats/addresses.ts';
import type { Held } from '../../parts/resources.tsx';
import {
  type ReservationHeadFragment,
  Reservations,
  ReservationsAlone,
  type ReservationsQueryVariables,
} from './reservations.generated.ts';

/** A reservation, or the part of it on some providers: what it keeps and what is claimed of that, class by class. */
export interface ReservationRow extends ReservationHeadFragment {
  readonly keeps: readonly Held[];
  readonly claimed: readonly Held[];
  /** Null for callers who do not see hosts. */
  readonly hosts: readonly NamedProvider[] | null;
}

interface ReservationsRead {
  /** The first 50 by their beginning. */
  readonly rows: readonly ReservationRow[];
  readonly totalCount: number;
  readonly error: Error | null;
}

/** Those of a filter; of their amounts only those on some providers, if these are given. Asked now and then, too: no event tells that one begins. */
export function useReservations(
  filter: NonNullable<ReservationsQueryVariables['filter']>,
  { providers, withHosts = true }: { readonly providers?: readonly string[]; readonly withHosts?: boolean } = {},
): ReservationsRead {
  const mayRead = useRight('placement:graphql:reservations:read');
  const seesHosts = useRight('placement:graphql:resource_providers:read') && withHosts;
  const whole = useAsk(Reservations, { filter }, { enabled: mayRead && seesHosts, everySeconds: 60 });
  const alone = useAsk(ReservationsAlone, { filter }, { enabled: mayRead && !seesHosts, everySeconds: 60 });
  const { data, error } = seesHosts ? whole : alone;
  const isHidden = error instanceof AskError && (error.code === 'GRAPHQL_VALIDATION_FAILED' || error.trouble === 'forbidden');
  const here = providers && new Set(providers);
  return {
    rows: (data?.reservations.nodes ?? []).map(({ amounts, ...head }) => rowOf(head, amounts, here)),
    totalCount: data?.reservations.totalCount ?? 0,
    error: isHidden ? null : error,
  };
}

interface ReservedAmount {
  readonly resourceClassName: string;
  readonly amount: number;
  readonly claimed: number;
  readonly resourceProvider?: { readonly uuid: string; readonly root: NamedProvider } | null;
}

function rowOf(head: ReservationHeadFragment, amounts: readonly ReservedAmount[], here: ReadonlySet<string> | undefined): ReservationRow {
  const counted = here ? amounts.filter(({ resourceProvider }) => resourceProvider && here.has(resourceProvider.uuid)) : amounts;
  const roots = counted.flatMap(({ resourceProvider }) => (resourceProvider ? [resourceProvider.root] : []));
  return {
    ...head,
    keeps: heldOf(counted, ({ amount }) => amount),
    claimed: heldOf(counted, ({ claimed }) => claimed).filter(({ amount }) => amount > 0),
    hosts: roots.length > 0 ? [...new Map(roots.map((root) => [root.uuid, root])).values()] : null,
  };
}

function heldOf(amounts: readonly ReservedAmount[], amountOf: (one: ReservedAmount) => number): Held[] {
  const sums = new Map<string, number>();
  for (const one of amounts) sums.set(one.resourceClassName, (sums.get(one.resourceClassName) ?? 0) + amountOf(one));
  return [...sums]
    .map(([name, amount]) => ({ amount, resourceClass: { name } }))
    .toSorted((a, b) => (a.resourceClass.name < b.resourceClass.name ? -1 : 1));
}
