// The change feed of the forest in memory: the providers that changed since a reader's last snapshot, with all their parts. Knows the snapshot rule
// and the tables; keeps no state between calls, and never writes.
//
// Every write records which providers its transaction changed (`provider_changes`), and marks the names that it changes (`changed_xid`). A snapshot
// has not seen a transaction that began later (`>= xmax`) or was open then (`xip`). A standby does not report which were open: there everything from
// `xmin` on counts as unseen. Reading something twice does no harm: states replace each other.
import type { ForestNames, ProviderState, ProviderUse } from '../../domain/candidates/forest.ts';
import { Unavailable } from '../../domain/errors.ts';
import { type Inventory, type Provider, providerFrom } from '../../domain/provider.ts';
import { providerFields, providerValues } from '../schema/provider-columns.ts';
import type { Db } from '../sql/client.ts';

/** The position of a reader. */
export interface FeedPosition {
  /** Text of a pg_snapshot. */
  readonly snapshot: string;
  /**
   * Identifies the server and its history. When it differs, rows may have changed without a trace: another server or database, a crash, a promotion.
   */
  readonly history: string;
}

/** A snapshot of the forest, without its providers. */
export interface ForestStart {
  readonly position: FeedPosition;
  readonly names: ForestNames;
  /** All providers, grouped by tree, in the order of their roots. */
  readonly providerIds: readonly number[];
}

/** The changes since a position, from one snapshot. */
export interface ForestNews {
  readonly position: FeedPosition;
  /** False: the reader must start over, and the rest has no meaning. */
  readonly continues: boolean;
  /** All names, when any of them changed. */
  readonly names: ForestNames | null;
  readonly changed: readonly ProviderState[];
  /** The usage of providers that changed in nothing else. */
  readonly used: readonly ProviderUse[];
  /** Ids of deleted providers. */
  readonly removed: readonly number[];
  /** When more changed than one answer may contain: their ids, as in ForestStart; `changed` and `used` are then empty. */
  readonly unread: readonly number[];
}

/** Which providers have changed since a position. */
export interface ForestChangesSince {
  readonly history: string;
  /** False: that is unknown, and the rest has no meaning. */
  readonly continues: boolean;
  /** Whether names of classes, traits or aggregates have changed. */
  readonly hasNewNames: boolean;
  /** Ids of the providers of which only the usage has changed. */
  readonly used: readonly number[];
  /** Ids of the providers that came, went or were written. */
  readonly written: readonly number[];
  /** The providers that were deleted or renamed, by the names that they had. */
  readonly unnamed: readonly { readonly uuid: string; readonly name: string }[];
}

/** The name of a resource class by its id. */
export type ClassNameOf = (id: number) => string | undefined;

interface NamesRow {
  readonly classes: readonly [id: number, name: string][] | null;
  readonly traits: readonly [id: number, name: string][] | null;
  readonly aggregates: readonly [id: number, uuid: string, name: string | null][] | null;
}
type StartRow = FeedPosition & { readonly names: NamesRow; readonly providerIds: number[] };
interface NewsRow extends FeedPosition {
  readonly continues: boolean;
  readonly names: NamesRow | null;
  readonly changed: ProviderRow[] | null;
  readonly used: UseRow[] | null;
  readonly removed: number[] | null;
  readonly unread: number[] | null;
}
type ProviderRow = readonly [own: OwnValues, traitIds: string, aggregateIds: string, inventories: readonly InventoryRow[] | null];
/** The columns of a provider, in the order of `providerFields`. */
type OwnValues = readonly Provider[keyof Provider][];
type UseRow = readonly [id: number, generation: number, updatedAt: string, used: readonly number[]];
type InventoryRow = readonly [
  ...[classId: number, total: number, reserved: number, minUnit: number, maxUnit: number, stepSize: number],
  ...[allocationRatio: number, capacity: number, used: number, promised: number, updatedAt: string],
];

// The time of the last reset of statistics detects crashes: recovery resets them, and reuses the transaction ids that were lost.
const history = `concat_ws(' ', extract(epoch from pg_postmaster_start_time()), extract(epoch from pg_stat_get_bgwriter_stat_reset_time()),
    pg_is_in_recovery(), (select d.oid from pg_database d where d.datname = current_database()), f.tableoid)`;

const names = `json_build_object(
    'classes', (select json_agg(json_build_array(rc.id, rc.name)) from resource_classes rc),
    'traits', (select json_agg(json_build_array(t.id, t.name)) from traits t),
    'aggregates', (select json_agg(json_build_array(a.id, a.uuid, a.name)) from placement_aggregates a))`;

// Arrays without keys, and sets as text: half the bytes, and equal sets are recognized by their text.
const providerRow = `json_build_array(json_build_array(${providerValues('p')}),
    array_to_string(array(select pt.trait_id from resource_provider_traits pt where pt.resource_provider_id = p.id order by pt.trait_id), ','),
    array_to_string(array(select pa.aggregate_id from resource_provider_aggregates pa where pa.resource_provider_id = p.id order by pa.aggregate_id), ','),
    (select json_agg(json_build_array(i.resource_class_id, i.total, i.reserved, i.min_unit, i.max_unit, i.step_size, i.allocation_ratio, i.capacity,
        i.used, i.promised, i.updated_at::text) order by i.resource_class_id)
      from inventories i where i.resource_provider_id = p.id))`;

/** A quarter of the server's cost of a whole row. */
const useRow = `json_build_array(p.id, p.generation, p.updated_at::text,
    array(select i.used from inventories i where i.resource_provider_id = p.id order by i.resource_class_id))`;

// The redundant bounds tell the planner, which does not know the values, that the ranges are small.
const isUnseen = (xid: string) => `(
    ${xid} >= since.xid and ${xid} < since.current_xmax
    or ${xid} = any(since.open) and ${xid} >= since.xmin and ${xid} < since.xid
  )`;

const startStatement = `
  select pg_current_snapshot()::text as snapshot, ${history} as history, ${names} as names,
    array_to_json(array(select p.id from resource_providers p order by p.root_provider_id, p.id)) as "providerIds"
  from change_feed f`;

const statesStatement = `select json_agg(${providerRow}) as providers from resource_providers p where p.id = any($1::bigint[])`;

// The values are in a CTE, so that the planner expects the same of every call and keeps one plan. Names are counted: for `exists` it would scan a
// table from its beginning, expecting to find one soon.
const since = `since as materialized (
    select array(select pg_snapshot_xip(snapshot)) as open, pg_snapshot_xmin(snapshot) as xmin, pg_snapshot_xmax(snapshot) as xmax,
      case when pg_is_in_recovery() then pg_snapshot_xmin(snapshot) else pg_snapshot_xmax(snapshot) end as xid,
      pg_snapshot_xmax(pg_current_snapshot()) as current_xmax
    from (select $1::pg_snapshot as snapshot) last
  )`;
const continues = 'f.pruned_xid < since.xmin and since.current_xmax >= since.xmax';
const hasNewNames = `${isUnseen('f.names_deleted_xid')}
      or (select count(*) from traits t where ${isUnseen('t.changed_xid')}) > 0
      or (select count(*) from resource_classes rc where ${isUnseen('rc.changed_xid')}) > 0
      or (select count(*) from placement_aggregates a where ${isUnseen('a.changed_xid')}) > 0`;
/** Providers that were changed by writes that the position has not seen. */
const unseen = `(
      select c.resource_provider_id as id, bool_and(c.use_only) as use_only
      from provider_changes c where ${isUnseen('c.xid')} group by c.resource_provider_id
    ) change`;

const newsStatement = `
  with ${since}
  select pg_current_snapshot()::text as snapshot, ${history} as history,
    ${continues} as continues,
    case when ${hasNewNames} then ${names} end as names,
    case when cardinality(changed.ids) between 1 and $2::int
      then (select json_agg(${providerRow}) from resource_providers p where p.id = any(touched.whole)) end as changed,
    case when cardinality(changed.ids) between 1 and $2::int
      then (select json_agg(${useRow}) from resource_providers p where p.id = any(touched.used)) end as used,
    case when cardinality(changed.ids) > $2::int then array_to_json(changed.ids) end as unread,
    (select json_agg(touched_id) from unnest(touched.ids) touched_id
      where not exists (select from resource_providers p where p.id = touched_id)) as removed
  from since cross join change_feed f cross join lateral (
    select coalesce(array_agg(id), '{}') as ids, array_agg(id) filter (where not use_only) as whole, array_agg(id) filter (where use_only) as used
    from ${unseen} offset 0
  ) touched cross join lateral (
    select array(select p.id from resource_providers p where p.id = any(touched.ids) order by p.root_provider_id, p.id) as ids offset 0
  ) changed`;

const changesStatement = `
  with ${since}
  select ${history} as history, ${continues} as continues,
    ${hasNewNames} as "hasNewNames", touched.used, touched.written, (
      select coalesce(json_agg(json_build_object('uuid', c.key, 'name', c.value #>> '{before,name}')), '[]')
      from events e cross join jsonb_each(e.changes -> 'providers') c
      where ${continues} and ${isUnseen('e.xid')} and c.value #>> '{before,name}' is not null
    ) as unnamed
  from since cross join change_feed f cross join lateral (
    select coalesce(json_agg(id) filter (where not use_only), '[]') as written,
      coalesce(json_agg(id) filter (where use_only), '[]') as used
    from ${unseen} offset 0
  ) touched`;

/** What has changed since a position, without the states. */
export async function selectForestChanges(db: Db, { snapshot }: FeedPosition): Promise<ForestChangesSince> {
  return onlyRow(await db.sql.unsafe<ForestChangesSince[]>(changesStatement, [snapshot], { prepare: true }));
}

/** The start of a read: a position, the names, and the ids of the providers to read next; what changed since then is read last. */
export async function selectForestStart(db: Db): Promise<ForestStart> {
  const row = onlyRow(await db.sql.unsafe<StartRow[]>(startStatement, [], { prepare: true }));
  return { position: positionOf(row), names: namesOf(row.names), providerIds: row.providerIds };
}

/** The current states of some providers; deleted ones are omitted. */
export async function selectProviderStates(db: Db, ids: readonly number[], classNameOf: ClassNameOf): Promise<ProviderState[]> {
  const row = onlyRow(await db.sql.unsafe<{ providers: ProviderRow[] | null }[]>(statesStatement, [ids as number[]], { prepare: true }));
  return statesOf(row.providers ?? [], classNameOf);
}

/** All changes since a position, with the states of up to `most` providers. One small indexed statement when nothing changed. */
export async function selectForestNews(db: Db, since: FeedPosition, most: number, classNameOf: ClassNameOf): Promise<ForestNews> {
  const row = onlyRow(await db.sql.unsafe<NewsRow[]>(newsStatement, [since.snapshot, most], { prepare: true }));
  const names = row.names && namesOf(row.names);
  const newClasses = names && new Map(names.resourceClasses.map(({ id, name }) => [id, name]));
  return {
    position: positionOf(row),
    continues: row.continues && row.history === since.history,
    names,
    changed: statesOf(row.changed ?? [], newClasses ? (id) => newClasses.get(id) : classNameOf),
    used: (row.used ?? []).map(([id, generation, updatedAt, used]) => ({ id, generation, updatedAt, used })),
    removed: row.removed ?? [],
    unread: row.unread ?? [],
  };
}

/** These statements always return one row: no row means that the connection broke at the wrong moment. */
function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Unavailable(new Error('the feed sent no row'));
  return row;
}

function positionOf({ snapshot, history }: FeedPosition): FeedPosition {
  return { snapshot, history };
}

function namesOf({ classes, traits, aggregates }: NamesRow): ForestNames {
  return {
    resourceClasses: (classes ?? []).map(([id, name]) => ({ id, name })),
    traits: (traits ?? []).map(([id, name]) => ({ id, name })),
    aggregates: (aggregates ?? []).map(([id, uuid, name]) => ({ id, uuid, name })),
  };
}

function statesOf(rows: readonly ProviderRow[], classNameOf: ClassNameOf): ProviderState[] {
  // Many providers share most timestamps and sets: stored once, they use a tenth of the memory.
  const moments = new Map<string, string>();
  const sets = new Map<string, readonly number[]>();
  const once = (moment: string) => {
    const known = moments.get(moment);
    if (known === undefined) moments.set(moment, moment);
    return known ?? moment;
  };
  const setOf = (text: string) => {
    const known = sets.get(text) ?? (text === '' ? [] : text.split(',').map(Number));
    sets.set(text, known);
    return known;
  };
  const inventoryOf = (providerId: number, row: InventoryRow): Inventory => {
    const [classId, total, reserved, minUnit, maxUnit, stepSize, allocationRatio, capacity, used, promised, updatedAt] = row;
    // Written out: objects built with spread use a sixth more memory.
    return {
      providerId,
      classId,
      // A class without a name is newer than the names that were read: the next read returns both again.
      className: classNameOf(classId) ?? '',
      total,
      reserved,
      minUnit,
      maxUnit,
      stepSize,
      allocationRatio,
      capacity,
      used,
      promised,
      updatedAt: once(updatedAt),
    };
  };
  return rows.map(([values, traitIds, aggregateIds, inventories]): ProviderState => {
    const provider = providerFrom((field) => {
      const value = values[placeOf[field]];
      return (field === 'createdAt' || field === 'updatedAt' ? once(value as string) : value) as Provider[typeof field];
    });
    return {
      provider,
      inventories: (inventories ?? []).map((row) => inventoryOf(provider.id, row)),
      traitIds: setOf(traitIds),
      aggregateIds: setOf(aggregateIds),
    };
  });
}

const placeOf = Object.fromEntries(providerFields.map((field, place) => [field, place])) as Readonly<Record<keyof Provider, number>>;
