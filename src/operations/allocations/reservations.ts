// Lists reservations. Single ones, and what they keep, come from the loaders.
import { countReservations, orderOfReservations, selectReservationPage } from '../../db/reservations.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { PageArguments } from '../../domain/page.ts';
import type { ReservationFilter } from '../../domain/reservation.ts';
import { InputCheck } from '../request/input.ts';
import { listPage } from '../request/list-page.ts';
import { nameForProject } from '../request/order.ts';
import type { ReservationPage } from '../request/parents.ts';
import type { RequestScope } from '../scope/scope.ts';

export interface ReservationListArguments extends PageArguments {
  /** Of their beginnings; ASC when omitted. */
  readonly direction?: Optional<'ASC' | 'DESC'>;
  readonly filter?: Optional<{ readonly [Field in keyof ReservationFilter]?: Optional<ReservationFilter[Field]> }>;
}

/** A page of the reservations, by their beginning. Refuses INVALID_INPUT. */
export async function listReservations(
  { db, ownProject, loaders }: RequestScope,
  { filter, direction, ...args }: ReservationListArguments,
): Promise<ReservationPage> {
  const descending = direction === 'DESC';
  const wanted = parseFilter(filter);
  const found = await listPage(args, {
    name: nameForProject(`reservations ${descending ? 'DESC' : 'ASC'}`, ownProject),
    order: orderOfReservations(descending),
    select: (page) => selectReservationPage(db, wanted, descending, page, ownProject),
    count: () => countReservations(db, wanted, ownProject),
  });
  for (const reservation of found.rows) loaders.reservationByUuid.prime(reservation.uuid, reservation);
  return found;
}

function parseFilter(filter: ReservationListArguments['filter']): ReservationFilter {
  const { projects, resourceProviders, during } = filter ?? {};
  const check = new InputCheck();
  for (const [name, list] of Object.entries({ projects, resourceProviders })) {
    if (list) check.size(['filter', name], list, 0, limits.filterKeys);
  }
  check.texts(['filter', 'projects'], projects);
  if (during && Date.parse(during.until) <= Date.parse(during.from)) check.add(['filter', 'during', 'until'], 'until must be after from');
  check.done();
  return { ...(projects && { projects }), ...(resourceProviders && { resourceProviders }), ...(during && { during }) };
}
