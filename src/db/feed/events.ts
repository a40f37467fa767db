// The ledger as a feed: the events after a position, each exactly once. Knows the snapshot rule and the tables; keeps no state between calls.
//
// An event belongs to a moment if its transaction had finished by then and its id is not above the newest id of that moment. (A server that crashed
// may reuse the numbers of lost transactions, but never an id that it has shown.) A reader has received everything up to one moment; what belongs to
// the present moment but not to that one comes next, in the order of ids. A write draws the id of its event while it holds locks on everything that
// it changes. Hence the ids of one provider or consumer are in the order of commits, and a moment that includes a write includes every earlier write
// of the same subjects. A standby does not report which transactions are open: there a moment ends before the oldest of them.
import { type SQL, sql } from 'drizzle-orm';
import type { LedgerEvent } from '../../domain/event.ts';
import { beginning, type FeedPosition, type LedgerMoment } from '../../domain/event-feed.ts';
import { changedTraits, conditionsOn, type EventFilter, eventColumns, isReservation } from '../events.ts';
import type { Db } from '../sql/client.ts';
import { whereAll } from '../sql/keyset.ts';

export interface FeedPage {
  /** False: events after the position were deleted, or the position is from another database. */
  readonly continues: boolean;
  /** False: this is a standby that has not reached the position yet, so there is nothing to deliver. */
  readonly ready: boolean;
  /** The moment being read: that of the position, or that of this call. */
  readonly moment: LedgerMoment;
  /** The events of the page, in order, and one more. */
  readonly events: readonly FedEvent[];
  /** The last event that was examined; null if there was none. */
  readonly lookedUpTo: number | null;
  /** Whether the moment has further events that were not examined. */
  readonly more: boolean;
}

/** What an event is about; null where it was not asked for. */
export interface EventSubjects {
  readonly resourceProviders: readonly string[] | null;
  readonly consumers: readonly string[] | null;
  /** External ids of those that its consumers belong to or belonged to, and of those that its reservations are for. */
  readonly projects: readonly string[] | null;
  readonly resourceClasses: readonly string[] | null;
  /** Those that a provider got or lost. */
  readonly traits: readonly string[] | null;
}

export interface FedEvent extends LedgerEvent {
  readonly subjects: EventSubjects;
}

/** Which subjects to return: each costs something for every event. */
export type SubjectsAsked = Readonly<Record<keyof EventSubjects, boolean>>;

const noSubjects: SubjectsAsked = { resourceProviders: false, consumers: false, projects: false, resourceClasses: false, traits: false };

interface Row extends Omit<LedgerEvent, 'id'>, EventSubjects, LedgerMoment, Pick<FeedPage, 'continues' | 'ready' | 'lookedUpTo' | 'more'> {
  readonly id: number | null;
}

/** The present moment. */
export async function selectLedgerMoment({ orm }: Db): Promise<LedgerMoment> {
  const [row] = await orm.execute<LedgerMoment & Record<string, unknown>>(sql`
    select ${momentColumns} from ${currentMoment} left join events newest on newest.id = current.newest_id`);
  return row ?? beginning.delivered;
}

/**
 * The events after a position: examines at most `look` events, and returns up to `size` and one more of those that meet the filter. The cost depends
 * on these numbers, and once for each moment on how much was written since the previous one.
 */
export async function selectEventsBehind(
  { orm }: Db,
  position: FeedPosition,
  filter: EventFilter,
  { size, look, asked = noSubjects }: { readonly size: number; readonly look: number; readonly asked?: SubjectsAsked },
): Promise<FeedPage> {
  const { delivered, reading } = position;
  const known = reading ?? delivered;
  const begins = position === beginning;
  const upTo = reading?.upTo ?? 0;
  const { xmax, open } = partsOf(delivered);
  const within = sql`e.id <= current.newest_id and pg_visible_in_snapshot(e.xid, current.snapshot)`;
  const next = sql`order by e.id limit ${look + 1}`;
  const rows = await orm.execute<Row & Record<string, unknown>>(sql`
    with current as materialized (select * from ${reading ? givenMoment(reading) : currentMoment}),
    state as materialized (
      select ${begins} or ${Math.max(upTo, delivered.newestId)}::bigint >= f.pruned_event_id
          and (${known.newestId}::bigint <= f.pruned_event_id or exists (
            select from events e where e.id = ${known.newestId}::bigint and e.xid = ${known.newestXid}::xid8)) as continues,
        not pg_is_in_recovery() or pg_snapshot_xmin(pg_current_snapshot()) >= greatest(${xmax}::xid8, ${
          reading ? sql`pg_snapshot_xmax(current.snapshot)` : sql`'0'::xid8`
        }) as ready
      from change_feed f cross join current
    ),
    -- Those that were written before the newest one, but not finished. Fenced, so that they are found by their transactions.
    late as materialized (
      select e.id, e.xid from events e where ${delivered.newestId}::bigint > ${upTo}::bigint and e.xid >= ${xmax}::xid8
      union all
      select e.id, e.xid from events e where ${delivered.newestId}::bigint > ${upTo}::bigint and e.xid = any(${sql.param(open)}::text[]::xid8[])
    ),
    looked as materialized (
      select id from (
        (select e.id from late e cross join current where e.id <= ${delivered.newestId}::bigint and e.id > ${upTo}::bigint and ${within} ${next})
        union all
        (select e.id from events e cross join current where e.id > ${Math.max(upTo, delivered.newestId)}::bigint and ${within} ${next})
      ) found
      where (select continues and ready from state) order by id limit ${look + 1}
    ),
    matching as (
      select ${eventColumns}, ${subjectColumns(asked)} from (select id from looked order by id limit ${look}) e_id join events e on e.id = e_id.id
      ${whereAll(conditionsOn(filter))} order by e.id limit ${size + 1}
    )
    select state.continues, state.ready, ${momentColumns},
      (select max(id)::float8 from (select id from looked order by id limit ${look}) _) as "lookedUpTo",
      (select count(*) > ${look} from looked) as more,
      matching.*
    from state cross join current left join events newest on newest.id = current.newest_id left join matching on true
    order by matching.id`);
  const [first] = rows;
  if (!first) throw new Error('the feed sent no row');
  const { continues, ready, snapshot, newestId, newestXid, lookedUpTo, more } = first;
  return {
    ...{ continues, ready, lookedUpTo, more },
    moment: reading ?? { snapshot, newestId, newestXid },
    events: rows.flatMap(({ id, at, kind, user, project, roles, method, requestId, globalRequestId, ...row }) => {
      if (id === null) return [];
      const { resourceProviders, consumers, projects, resourceClasses, traits } = row;
      const subjects = { resourceProviders, consumers, projects, resourceClasses, traits };
      return [{ id, at, kind, user, project, roles, method, requestId, globalRequestId, subjects }];
    }),
  };
}

function subjectColumns({ resourceProviders, consumers, projects, resourceClasses, traits }: SubjectsAsked): SQL {
  return sql`
    ${resourceProviders ? sql`e.provider_uuids` : sql`null`} as "resourceProviders", ${consumers ? sql`e.consumer_uuids` : sql`null`} as consumers,
    ${resourceClasses ? sql`changed_classes(e.changes)` : sql`null`} as "resourceClasses", ${traits ? changedTraits : sql`null`} as traits,
    ${
      projects
        ? sql`array(
            select distinct side.project from (
              select value from jsonb_each(e.changes -> 'consumers') union all
              select value from jsonb_each(e.changes -> 'records') where ${isReservation(sql`key`)}
            ) c
            cross join lateral (values (c.value #>> '{before,project}'), (c.value #>> '{after,project}')) side(project) where side.project is not null)`
        : sql`null`
    } as projects`;
}

const momentColumns = sql`
  current.snapshot::text as snapshot, current.newest_id::float8 as "newestId", coalesce(newest.xid::text, '0') as "newestXid"`;

/** On a standby all transactions from the oldest open one on count as open: the list of open ones is empty there. */
const currentMoment = sql`(
  select case when pg_is_in_recovery() then format('%s:%s:', pg_snapshot_xmin(now), pg_snapshot_xmin(now))::pg_snapshot else now end as snapshot,
    (select coalesce(max(id), 0) from events) as newest_id
  from (select pg_current_snapshot() as now) _
) current`;

function givenMoment({ snapshot, newestId }: LedgerMoment): SQL {
  return sql`(select ${snapshot}::pg_snapshot as snapshot, ${newestId}::bigint as newest_id) current`;
}

/** Of a snapshot, the first transaction after all that had ended, and the earlier ones that were open. */
function partsOf({ snapshot }: LedgerMoment): { readonly xmax: string; readonly open: readonly string[] } {
  const [, xmax = '', open = ''] = snapshot.split(':');
  return { xmax, open: open === '' ? [] : open.split(',') };
}
