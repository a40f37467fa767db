// The whole state of the ledger as lines of JSON, read in one statement and therefore as of one moment; and what an import of such lines must know about
// the tables. Not part of the state: events and their subjects, and samples of usage, which are the past; idempotency keys, which are answers to callers of this
// database; the change feed, chunks and versions, which are its own bookkeeping; ids, which an import draws anew in the same order.
import { exportedFields, providerColumns } from './schema/provider-columns.ts';
import { connect, connectionOptions, type DatabaseTarget, type Db, reach } from './sql/client.ts';

/** The nouns in the order of their lines: a line refers only to lines above it. */
export const stateNouns = [
  'resourceClass',
  'trait',
  'project',
  'user',
  'consumerType',
  'aggregate',
  'provider',
  'reservation',
  'consumer',
  'service',
  'record',
] as const;
export type StateNoun = (typeof stateNouns)[number];
export type StateCounts = Readonly<Record<StateNoun, number>>;

/** How many lines each noun has. An aggregate without name and members is the same as a missing one. */
const counted: StateCountsSql = {
  resourceClass: 'resource_classes',
  trait: 'traits',
  project: 'projects',
  user: 'users',
  consumerType: 'consumer_types',
  aggregate: `placement_aggregates a where a.name is not null
    or exists (select from resource_provider_aggregates m where m.aggregate_id = a.id)`,
  provider: 'resource_providers',
  reservation: 'reservations',
  consumer: 'consumers',
  service: 'services',
  record: 'records',
};
type StateCountsSql = Readonly<Record<StateNoun, string>>;

const countsObject = `json_build_object(${stateNouns.map((noun) => `'${noun}', (select count(*) from ${counted[noun]})`).join(', ')})`;

/** The body of each line, in an order that an import keeps. Providers stand in the order of their ids, but below their parents. */
const bodies: Readonly<Record<StateNoun, string>> = {
  resourceClass: `select to_json(rc.name) as body from resource_classes rc order by rc.name collate "C"`,
  trait: `select to_json(t.name) as body from traits t order by t.name collate "C"`,
  project: `select to_json(p.external_id) as body from projects p order by p.external_id collate "C"`,
  user: `select to_json(u.external_id) as body from users u order by u.external_id collate "C"`,
  consumerType: `select to_json(t.name) as body from consumer_types t order by t.name collate "C"`,
  aggregate: `select row_to_json(line) as body from (select a.uuid, a.name from ${counted.aggregate} order by a.uuid) line`,
  provider: `
    with recursive placed(id, latest, depth) as (
      select p.id, p.id, 0 from resource_providers p where p.parent_provider_id is null
      union all
      select child.id, greatest(child.id, placed.latest), placed.depth + 1
      from placed join resource_providers child on child.parent_provider_id = placed.id
    )
    select row_to_json(line) as body from (
      select ${providerColumns('p', exportedFields)}, parent.uuid as parent,
        array(select t.name from resource_provider_traits has join traits t on t.id = has.trait_id
          where has.resource_provider_id = p.id order by t.name collate "C") as traits,
        array(select a.uuid from resource_provider_aggregates m join placement_aggregates a on a.id = m.aggregate_id
          where m.resource_provider_id = p.id order by a.uuid) as aggregates,
        array(select row_to_json(i) from (
          select rc.name as "resourceClass", i.total, i.reserved, i.min_unit as "minUnit", i.max_unit as "maxUnit", i.step_size as "stepSize",
            i.allocation_ratio as "allocationRatio"
          from inventories i join resource_classes rc on rc.id = i.resource_class_id
          where i.resource_provider_id = p.id order by rc.name collate "C") i) as inventories,
        array(select d.body || jsonb_build_object('address', d.address) from devices d where d.resource_provider_id = p.id
          order by d.address collate "C") as devices
      from placed join resource_providers p using (id) left join resource_providers parent on parent.id = p.parent_provider_id
      order by placed.latest, placed.depth, p.id
    ) line`,
  reservation: `
    select row_to_json(line) as body from (
      select r.uuid, r.generation, p.external_id as project, r.starts_at as "startsAt", r.ends_at as "endsAt", r.created_at as "createdAt",
        r.updated_at as "updatedAt",
        array(select row_to_json(a) from (
          select kept.uuid as provider, rc.name as "resourceClass", a.amount
          from reservation_amounts a join resource_providers kept on kept.id = a.resource_provider_id
          join resource_classes rc on rc.id = a.resource_class_id
          where a.reservation_id = r.id order by kept.uuid, rc.name collate "C") a) as amounts
      from reservations r join projects p on p.id = r.project_id
      order by r.id
    ) line`,
  consumer: `
    select case
      when line.reservation is not null then row_to_json(line)
      when line."expiresAt" is not null then row_to_json(expiring)
      else row_to_json(lasting) end as body from (
      select c.uuid, c.generation, p.external_id as project, u.external_id as "user", t.name as type, c.created_at as "createdAt",
        c.updated_at as "updatedAt", c.expires_at as "expiresAt",
        (select r.uuid from reservations r where r.id = c.reservation_id) as reservation,
        array(select row_to_json(a) from (
          select held.uuid as provider, rc.name as "resourceClass", a.used as amount
          from allocations a join resource_providers held on held.id = a.resource_provider_id join resource_classes rc on rc.id = a.resource_class_id
          where a.consumer_id = c.id order by held.uuid, rc.name collate "C") a) as allocations
      from consumers c left join projects p on p.id = c.project_id left join users u on u.id = c.user_id
      left join consumer_types t on t.id = c.consumer_type_id
      order by c.id
    ) line
    -- Exports without consumers that expire, and without reservations, can be read by 0.1.0.
    cross join lateral (
      select line.uuid, line.generation, line.project, line."user", line.type, line."createdAt", line."updatedAt", line."expiresAt", line.allocations
    ) expiring cross join lateral (
      select line.uuid, line.generation, line.project, line."user", line.type, line."createdAt", line."updatedAt", line.allocations
    ) lasting`,
  service: `
    select row_to_json(line) as body from (
      select s.host, s.program, s.version, s.disabled, s.disabled_reason as "disabledReason", s.forced_down as "forcedDown", s.updated_at as "updatedAt"
      from services s order by s.id
    ) line`,
  record: `
    select row_to_json(line) as body from (
      select r.kind, r.name, r.uuid, r.updated_at as "updatedAt", r.body from records r order by r.kind collate "C", r.name collate "C"
    ) line`,
};

const stateStatement = `
  select 'counts' as noun, ${countsObject}::text as body
  ${stateNouns.map((noun) => `union all select '${noun}', body::text from (${bodies[noun]}) "${noun}"`).join('\n')}`;

/** A line: first the counts of all nouns, then their bodies, as JSON. */
interface StateLine {
  readonly noun: StateNoun | 'counts';
  readonly body: string;
}

/**
 * Reads the whole state of one moment, line by line, over a connection of its own. The server waits while `take` works, so neither side
 * accumulates anything.
 */
export async function readState(target: DatabaseTarget, take: (line: StateLine) => void): Promise<void> {
  // Parallel workers would mix the order of the parts.
  const settings = { application_name: 'placement-gateway export', statement_timeout: 0, max_parallel_workers_per_gather: 0 };
  const sql = connect(target, { ...connectionOptions(target, settings), max: 1 });
  try {
    await reach(sql, target);
    await sql.unsafe<StateLine[]>(stateStatement).forEach((line) => {
      take(line as StateLine);
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** How many lines an export would have now. */
export async function countState({ sql }: Db): Promise<StateCounts> {
  const [row] = await sql.unsafe<{ counts: StateCounts }[]>(`select ${countsObject} as counts`);
  if (!row) throw new Error('the database sent no counts');
  return row.counts;
}

/**
 * Whether the ledger has anything that the requests with this global id have not written. Gateways that run beside an import release what has expired, and remove
 * reservations that have ended.
 */
export async function hasOtherState({ sql }: Db, globalRequestId: string): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    with written as not materialized (select global_request_id from events where kind not in ('RELEASE_EXPIRED', 'END_RESERVATIONS'))
    select exists (select from written where global_request_id is distinct from ${globalRequestId})
      or not exists (select from written) and (
        exists (select from resource_providers) or exists (select from consumers) or exists (select from records) or exists (select from services)) as found`;
  return row?.found ?? true;
}

/** The clock by which consumers expire and reservations end, in milliseconds since 1970. */
export async function readClock({ sql }: Db): Promise<number> {
  const [row] = await sql<{ now: number }[]>`select extract(epoch from clock_timestamp())::float8 * 1000 as now`;
  if (!row) throw new Error('the database sent no time');
  return row.now;
}

/** Tells the planner how large the tables have become. A role that does not own them leaves that to autovacuum. */
export async function analyzeState({ writes }: Db): Promise<void> {
  await writes.unsafe(`analyze resource_providers, inventories, resource_provider_traits, resource_provider_aggregates, placement_aggregates, consumers,
    allocations, reservations, reservation_amounts, project_usages, quota_uses, project_parents, projects, users, devices, records, services, events, event_subjects, provider_changes`);
}
