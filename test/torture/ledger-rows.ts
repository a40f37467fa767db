// What the checker reads in the database: with SQL and a connection of its own, past all gateways. Nothing here comes from the product.
import postgres, { type ISql, type Sql } from 'postgres';
import { type Change, canonical, type LedgerEvent, type State, type Tables, type Violation } from './history.ts';

export interface Address {
  readonly socketDirectory: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/** A connection for the checker, or for a saboteur. */
export function connectTo({ socketDirectory, port, user, database }: Address, most = 2): Sql {
  return postgres({
    host: socketDirectory,
    port,
    user,
    database,
    max: most,
    fetch_types: false,
    connect_timeout: 5,
    connection: { application_name: 'torture', search_path: 'placement', statement_timeout: 30_000, TimeZone: 'UTC' },
    onnotice: () => {},
  });
}

export async function readEvents(sql: ISql): Promise<LedgerEvent[]> {
  const rows = await sql<(LedgerEvent & { changes: { records?: Readonly<Record<string, Change>> } })[]>`
    select id::int as id, xid::text as transaction, global_request_id as tag, kind, to_jsonb(at) #>> '{}' as at, changes from events order by id`;
  return rows.map(({ changes: { records = {}, ...changes }, ...event }) => {
    const named = Object.entries(records);
    const reservations = named.flatMap(([name, change]) => (name.startsWith('reservation ') ? [[name.slice(12), change] as const] : []));
    const quotas = named.filter(([name]) => name.includes('_quotas '));
    return { ...event, changes: { ...changes, reservations: Object.fromEntries(reservations), quotas: Object.fromEntries(quotas) } };
  });
}

/** Columns of providers that events do not have, or have under another name. `note`: from the next release of a test. */
const unrecorded = '{id,uuid,parent_provider_id,root_provider_id,created_at,updated_at,note}';

export async function readTables(sql: ISql): Promise<Tables> {
  const providers = await sql<{ uuid: string; state: State }[]>`
    select p.uuid, to_jsonb(p) - ${unrecorded}::text[] || jsonb_build_object('parent', parent.uuid,
      'inventories', (select coalesce(jsonb_object_agg(rc.name, jsonb_build_object('total', i.total, 'reserved', i.reserved,
          'minUnit', i.min_unit, 'maxUnit', i.max_unit, 'stepSize', i.step_size, 'allocationRatio', i.allocation_ratio)), '{}')
        from inventories i join resource_classes rc on rc.id = i.resource_class_id where i.resource_provider_id = p.id),
      'traits', (select coalesce(jsonb_agg(t.name order by t.name collate "C"), '[]')
        from resource_provider_traits pt join traits t on t.id = pt.trait_id where pt.resource_provider_id = p.id),
      'aggregates', (select coalesce(jsonb_agg(a.uuid order by a.uuid), '[]')
        from resource_provider_aggregates pa join placement_aggregates a on a.id = pa.aggregate_id where pa.resource_provider_id = p.id)
    ) as state
    from resource_providers p left join resource_providers parent on parent.id = p.parent_provider_id`;
  const consumers = await sql<{ uuid: string; state: State }[]>`
    select c.uuid, jsonb_build_object('generation', c.generation, 'project', p.external_id, 'user', u.external_id, 'type', t.name,
      'allocations', (select jsonb_agg(jsonb_build_object('provider', rp.uuid, 'resourceClass', rc.name, 'amount', a.used) order by rp.uuid, rc.name collate "C")
        from allocations a join resource_providers rp on rp.id = a.resource_provider_id join resource_classes rc on rc.id = a.resource_class_id
        where a.consumer_id = c.id)) || jsonb_strip_nulls(jsonb_build_object(
          'expiresAt', c.expires_at, 'reservation', (select r.uuid from reservations r where r.id = c.reservation_id))) as state
    from consumers c left join projects p on p.id = c.project_id left join users u on u.id = c.user_id left join consumer_types t on t.id = c.consumer_type_id`;
  const services = await sql<{ uuid: string; state: State }[]>`
    select program || ' ' || host as uuid, jsonb_build_object('version', version) as state from services`;
  const reservations = await sql<{ uuid: string; state: State }[]>`
    select r.uuid, jsonb_build_object('project', p.external_id, 'generation', r.generation, 'startsAt', r.starts_at, 'endsAt', r.ends_at,
      'amounts', (select jsonb_object_agg(kept.uuid, kept.amounts) from (
        select rp.uuid, jsonb_object_agg(rc.name, a.amount) as amounts
        from reservation_amounts a join resource_providers rp on rp.id = a.resource_provider_id join resource_classes rc on rc.id = a.resource_class_id
        where a.reservation_id = r.id group by 1) kept)) as state
    from reservations r join projects p on p.id = r.project_id`;
  const quotas = await sql<{ uuid: string; state: State }[]>`
    select kind || ' ' || uuid as uuid, body || jsonb_build_object('name', name) as state from records where kind in ('project_quotas', 'default_quotas')`;
  const byUuid = (rows: readonly { uuid: string; state: State }[]) => new Map(rows.map(({ uuid, state }) => [uuid, state]));
  return {
    ...{ providers: byUuid(providers), consumers: byUuid(consumers), services: byUuid(services) },
    ...{ reservations: byUuid(reservations), quotas: byUuid(quotas) },
  };
}

/** How many deadlocks the server has counted. A server that was killed counts anew. */
export async function countDeadlocks(sql: Sql): Promise<number> {
  const [row] = await sql<{ deadlocks: number }[]>`select deadlocks::int from pg_stat_database where datname = current_database()`;
  return row?.deadlocks ?? 0;
}

/** How many consumers have expired, and how many have claimed from reservations. */
export async function countInTime(sql: Sql): Promise<object> {
  const [row] = await sql`
    select count(*) filter (where e.kind = 'RELEASE_EXPIRED')::int as expired,
      count(*) filter (where change -> 'before' = 'null' and change -> 'after' ? 'reservation')::int as "fromReservations"
    from events e cross join jsonb_each(e.changes -> 'consumers') as _(uuid, change)`;
  return row ?? {};
}

/** How many calls several requests have shared, and how many of these were mixed: of new consumers, changes and releases. */
export async function countShared(sql: Sql): Promise<object> {
  const [row] = await sql`
    select count(*)::int as shared, count(*) filter (where kinds > 1)::int as mixed
    from (
      select count(distinct e.global_request_id) as requests,
        count(distinct case when change -> 'after' = 'null' then 'release' when change -> 'before' = 'null' then 'new' else 'change' end) as kinds
      from events e cross join jsonb_each(e.changes -> 'consumers') as _(uuid, change)
      group by e.xid
    ) calls
    where requests > 1`;
  return row ?? {};
}

/**
 * Rows that must never be, not even for a moment: one statement sees one snapshot. `steady` are the uuids of providers whose capacity nobody lowers,
 * so that it may not be exceeded at any time.
 */
export async function findBadRows(sql: Sql, steady: readonly string[]): Promise<Violation[]> {
  return [
    ...(await sql<Violation[]>`
    with recursive trees as (
      select p.id, p.id as root from resource_providers p where p.parent_provider_id is null
      union all
      select child.id, trees.root from resource_providers child join trees on child.parent_provider_id = trees.id
    ),
    sums as (select resource_provider_id, resource_class_id, sum(used) as used from allocations group by 1, 2)
    select 'capacity exceeded' as anomaly, p.name || ': ' || s.used as text
    from sums s join inventories i using (resource_provider_id, resource_class_id) join resource_providers p on p.id = s.resource_provider_id
    where p.uuid = any(string_to_array(${steady.join()}, ',')::uuid[]) and s.used > trunc((i.total - i.reserved) * i.allocation_ratio)
    union all
    select 'consumer without allocations', c.uuid::text from consumers c where not exists (select from allocations a where a.consumer_id = c.id)
    union all
    select 'consumer without project or user', c.uuid::text from consumers c
    where not exists (select from projects p where p.id = c.project_id) or not exists (select from users u where u.id = c.user_id)
    union all
    select 'allocation without consumer or inventory', a::text from allocations a
    where not exists (select from consumers c where c.id = a.consumer_id)
       or not exists (select from inventories i where (i.resource_provider_id, i.resource_class_id) = (a.resource_provider_id, a.resource_class_id))
    union all
    select 'used is not the sum', p.name || ': ' || i.used || ' is kept, ' || coalesce(s.used, 0) || ' are held'
    from inventories i join resource_providers p on p.id = i.resource_provider_id left join sums s using (resource_provider_id, resource_class_id)
    where i.used <> coalesce(s.used, 0)
    union all
    select 'usage is not the sum', format('project %s, user %s, type %s, class %s: %s is kept, %s is held', project_id, user_id, consumer_type_id,
      resource_class_id, sum(kept), sum(held))
    from (
      select project_id, user_id, consumer_type_id, null::int as resource_class_id, 1 as held, 0 as kept from consumers
      union all
      select c.project_id, c.user_id, c.consumer_type_id, a.resource_class_id, a.used, 0 from allocations a join consumers c on c.id = a.consumer_id
      union all
      select project_id, user_id, consumer_type_id, resource_class_id, 0, amount from project_usages
    ) rows
    group by project_id, user_id, consumer_type_id, resource_class_id having sum(held) <> sum(kept)    union all
    select 'loop of parents', p.name from resource_providers p where not exists (select from trees where trees.id = p.id)
    union all
    select 'wrong root', p.name from resource_providers p join trees using (id) where p.root_provider_id <> trees.root`),
  ];
}

/** What a server keeps of gateways that are at rest: open transactions, locks, prepared transactions. */
export async function findLeftovers(sql: Sql): Promise<Violation[]> {
  return [
    ...(await sql<Violation[]>`
    select 'left open' as anomaly, coalesce(application_name, '') || ' ' || state || ': ' || left(query, 100) as text
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and (state like 'idle in transaction%' or state = 'active' and now() - query_start > interval '5 s')
    union all
    select 'left locked', l.locktype || ' ' || l.mode || ' ' || coalesce(l.relation::regclass::text, '')
    from pg_locks l join pg_stat_activity a using (pid)
    where a.datname = current_database() and l.pid <> pg_backend_pid() and a.state = 'idle' and l.locktype in ('advisory', 'relation', 'tuple', 'transactionid')
    union all
    select 'left prepared', gid from pg_prepared_xacts where database = current_database()`),
  ];
}

/** What each provider has and how much of it is used, by `uuid/class`, and whether a claim that lasts finds room: what gateways must show. */
export async function readUsage(
  sql: Sql,
): Promise<Map<string, { readonly usage: { capacity: number; used: number }; readonly hasRoom: boolean }>> {
  const rows = await sql<{ key: string; capacity: number; used: number; promised: number }[]>`
    select p.uuid || '/' || rc.name as key, trunc((i.total - i.reserved) * i.allocation_ratio)::int as capacity,
           i.promised::int as promised, (select coalesce(sum(a.used), 0)::int from allocations a
            where (a.resource_provider_id, a.resource_class_id) = (i.resource_provider_id, i.resource_class_id)) as used
    from inventories i join resource_providers p on p.id = i.resource_provider_id join resource_classes rc on rc.id = i.resource_class_id`;
  return new Map(
    rows.map(({ key, capacity, used, promised }) => [key, { usage: { capacity, used }, hasRoom: used + promised < capacity }]),
  );
}

/** The differences between what a gateway shows and what there is, by key. */
export function differences(gateway: string, shown: ReadonlyMap<string, unknown>, there: ReadonlyMap<string, unknown>): Violation[] {
  return [...new Set([...shown.keys(), ...there.keys()])].flatMap((key) => {
    const [one, other] = [canonical(shown.get(key)), canonical(there.get(key))];
    return one === other
      ? []
      : [{ anomaly: 'gateway differs from database', text: `${gateway} shows ${key} as ${one}, the tables as ${other}` }];
  });
}
