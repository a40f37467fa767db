// Planted defects in the rules of reservations.
import type { Defect } from './defect.ts';

const model = ['test/db/writes/reservations.test.ts'];
const overdrawn = ['test/db/writes/overdrawn-reservations.test.ts'];
const use = ['test/operations/candidates/reservations.test.ts'];

export const ofReservations: readonly Defect[] = [
  {
    name: 'a reservation is admitted beyond the capacity',
    file: 'src/db/writes/steps/misfits_in_time.sql',
    text: 'l.load + l.change > l.capacity',
    instead: 'l.load + l.change > l.capacity + 1',
    tests: model,
  },
  {
    name: 'the room of a consumer counts as free before it expires',
    file: 'src/db/writes/steps/loads_in_time.sql',
    text: 'when ends_at is null then expires_at',
    instead: "when ends_at is null then '-infinity'",
    tests: model,
  },
  {
    name: 'of several reservations the least is promised, not the most',
    file: 'src/db/writes/steps/promises_of.sql',
    text: 'max(unclaimed)',
    instead: 'min(unclaimed)',
    tests: model,
  },
  {
    name: 'what an import uses beyond its reservation is taken from what others keep',
    file: 'src/db/writes/steps/promises_of.sql',
    text: 'greatest(sum(amount), sum(claimed)) as amount',
    instead: 'sum(amount) as amount',
    tests: [...model, ...overdrawn],
  },
  {
    name: 'what an import uses beyond its reservation stays in the way of the write that releases it',
    file: 'src/db/writes/steps/misfits_in_time.sql',
    text: 'where claimed > amount and',
    instead: 'where false and',
    tests: [...model, ...overdrawn],
  },
  {
    name: 'a reservation may keep less than what an import has claimed from it',
    file: 'src/db/writes/functions/replace_reservation.sql',
    text: 'coalesce(sum(now_kept), 0) < coalesce(sum(was_kept), 0)',
    instead: 'false',
    tests: [...model, ...overdrawn],
  },
  {
    name: 'what is claimed from a reservation does not expire with it',
    file: 'src/db/writes/steps/lock_reservations.sql',
    text: "expiries[n] := least(expiries[n], (own ->> 'endsAt')::timestamptz);",
    instead: '',
    tests: [...model, ...use],
  },
  {
    name: 'more is claimed from a reservation than it keeps',
    file: 'src/db/writes/steps/claim_from_reservations.sql',
    text: 'where asked.claimed + asked.change > coalesce(kept.amount, 0)',
    instead: 'where asked.change > coalesce(kept.amount, 0)',
    tests: [...model, ...use],
  },
  {
    name: 'what is claimed from a reservation stays promised',
    file: 'src/db/writes/steps/take_reserved_room.sql',
    text: ', claimed.reservations, claimed.providers, claimed.classes, claimed.changes',
    instead: '',
    tests: [...model, ...use],
  },
  {
    name: 'a consumer is confirmed although its room is reserved for later',
    file: 'src/db/writes/functions/set_expiry.sql',
    text: "perform refuse_to_stay(request -> 'consumers', locked);",
    instead: '',
    tests: [...model, ...use],
  },
  {
    name: 'a search forgets what is promised once something is claimed',
    file: 'src/domain/provider.ts',
    text: '    used,\n    promised,\n',
    instead: '    used,\n',
    tests: use,
  },
  {
    name: 'a claim searches beyond what its reservation keeps',
    file: 'src/operations/forest/forest-in-time.ts',
    text: '?.left ?? 0), 0),',
    instead: '?.left ?? 0), 0) * 0,',
    tests: use,
  },
];
