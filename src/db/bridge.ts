// The bridge to another Placement: its mode, the notes of what may differ, the processes that work on it, and the differences that stay.
import { limits } from '../domain/limits.ts';
import { type Db, primaryOf } from './sql/client.ts';
import { sqlState } from './writes/apply-write.ts';
import type { MadeConsumer } from './writes/contract.ts';

/**
 * Who decides: the other Placement (following) or this ledger (leading). In between (toLeading, toFollowing), writes wait. At the end, requests are only passed on
 * (passing), or the other Placement is left behind (ended).
 */
export type BridgeMode = 'following' | 'toLeading' | 'leading' | 'toFollowing' | 'passing' | 'ended';

/** Whether requests are passed on to the other Placement. */
export const isOtherLeading = (mode: BridgeMode): boolean => mode === 'following' || mode === 'toLeading' || mode === 'passing';

/**
 * What a change may have touched. A new provider whose uuid the other side chooses is noted by its name. `generation`: of a provider on which something is allocated, and
 * nothing else of it.
 */
export type NotedNoun = 'provider' | 'providerName' | 'generation' | 'consumer' | 'resourceClass' | 'trait';

export interface NotedObject {
  readonly noun: NotedNoun;
  readonly key: string;
}

export interface BridgeState {
  readonly url: string;
  readonly mode: BridgeMode;
  readonly epoch: number;
  /** Milliseconds until a switch is given up; null if none is under way. */
  readonly left: number | null;
  /** The position in the feed that the other side has reached; null before this ledger has led. */
  readonly cursor: string | null;
  /** When the last comparison of everything ended. */
  readonly comparedAt: string | null;
  /** Whether a process carries changes over. */
  readonly isCarried: boolean;
}

/** Null when there is no bridge. */
export async function selectBridge({ writes }: Db): Promise<BridgeState | null> {
  const [row] = await writes<BridgeState[]>`
    select url, mode, epoch::float8 as epoch, extract(epoch from until - clock_timestamp())::float8 * 1000 as left, cursor, to_json(compared_at) #>> '{}' as "comparedAt",
      coalesce(carrier_until > now(), false) as "isCarried"
    from bridge`;
  return row ?? null;
}

/** Begins to follow another Placement, unless there is a bridge already. */
export async function insertBridge({ writes }: Db, url: string): Promise<void> {
  await writes`insert into bridge (url, mode) values (${url}, 'following') on conflict do nothing`;
}

/** Notes what a request to the other Placement may change. Null unless that one leads. */
export async function noteObjects({ writes }: Db, gateway: string, objects: readonly NotedObject[]): Promise<readonly number[] | null> {
  const [row] = await writes<{ ids: number[] | null }[]>`
    select note_objects(${gateway}::uuid, ${objects.map(({ noun }) => noun)}::text[], ${objects.map(({ key }) => key)}::text[])::float8[] as ids`;
  return row?.ids ?? null;
}

/** Notes what may differ although no request of ours has touched it. */
export async function noteDue({ writes }: Db, objects: readonly NotedObject[]): Promise<void> {
  await writes`
    insert into bridge_notes (noun, key, due_at)
    select noun, key, now() from unnest(${objects.map(({ noun }) => noun)}::text[], ${objects.map(({ key }) => key)}::text[]) as _(noun, key)
    where not exists (select from bridge_notes known where known.noun = _.noun and known.key = _.key and known.gateway is null)`;
}

/**
 * Notes whose request has its answer can be read; again after some seconds if the answer was lost. `made`: what the request has made of its consumer, if it says that.
 * Returns how many notes there still were.
 */
export async function endNotes(
  { writes }: Db,
  ids: readonly number[],
  { again, made }: { readonly again: number | null; readonly made: MadeConsumer | null },
): Promise<number> {
  const [row] = await writes<{ count: number }[]>`
    with ended as (
      update bridge_notes set gateway = null, due_at = now(), made = case noun when 'consumer' then ${made && JSON.stringify({ ...made, notes: ids })}::text::jsonb end
      where id = any(${[...ids]}::bigint[]) and gateway is not null returning noun, key),
    later as (
      insert into bridge_notes (noun, key, due_at) select noun, key, now() + make_interval(secs => ${again}::float8) from ended where ${again}::float8 is not null)
    select count(*)::int as count from ended`;
  return row?.count ?? 0;
}

/** Ends the notes of a process but these, if it has noted them some seconds ago. */
export async function endOthersOf({ writes }: Db, gateway: string, known: readonly number[]): Promise<void> {
  await writes`
    update bridge_notes set gateway = null, due_at = now()
    where gateway = ${gateway}::uuid and noted_at < now() - interval '5 seconds' and id <> all(${[...known]}::bigint[])`;
}

/** Says that a process serves and knows an epoch. */
export async function seeBridge({ writes }: Db, gateway: string, epoch: number): Promise<void> {
  await writes`
    insert into bridge_gateways (gateway, epoch) values (${gateway}::uuid, ${epoch})
    on conflict (gateway) do update set epoch = excluded.epoch, seen_at = now()`;
}

/** Forgets a process that ends. */
export async function forgetGateway({ writes }: Db, gateway: string): Promise<void> {
  await writes`
    with a as (update bridge set carrier_until = now() where carrier = ${gateway}::uuid) delete from bridge_gateways where gateway = ${gateway}::uuid`;
}

/** The epoch of the process as the one that carries changes over; null if another one does. */
export async function becomeCarrier({ writes }: Db, process: string, seconds: number): Promise<number | null> {
  const [row] = await writes<{ epoch: number | null }[]>`
    select become_carrier(${process}::uuid, make_interval(secs => ${seconds}))::float8 as epoch`;
  return row?.epoch ?? null;
}

/** Lets notes of dead processes be read: now, and again when their requests have certainly ended, after so many seconds. */
export async function adoptNotes({ writes }: Db, seconds: number): Promise<void> {
  await writes`
    with dead as (delete from bridge_gateways where seen_at < now() - interval '10 seconds' returning gateway),
    adopted as (
      update bridge_notes n set gateway = null, due_at = now()
      where gateway is not null and not exists (
        select from bridge_gateways g where g.gateway = n.gateway and g.seen_at >= now() - interval '10 seconds')
      returning noun, key, noted_at)
    insert into bridge_notes (noun, key, due_at) select noun, key, noted_at + make_interval(secs => ${seconds}) from adopted`;
}

export interface DueObject extends NotedObject {
  readonly ids: readonly number[];
  /** Of a consumer: what one request has made of it, with the ids of all notes of that request; null if that is not known or other requests touch it. */
  readonly made: (MadeConsumer & { readonly notes: readonly number[] }) | null;
}

/** What can be read back now, the oldest first. */
export async function selectDue({ writes }: Db, most: number): Promise<readonly DueObject[]> {
  return writes<DueObject[]>`
    with due as (select id, noun, key, made from bridge_notes where due_at <= now() order by id limit ${most}),
    alone as (
      select key from bridge_notes where noun = 'consumer' and key in (select key from due where made is not null) group by key having count(*) = 1)
    select noun, key, array_agg(id order by id)::float8[] as ids,
      case when noun = 'consumer' and key in (select key from alone) then (array_agg(made))[1] end as made
    from due group by noun, key order by min(id)`;
}

/** The id of the last note: what is noted from here on has a higher one. */
export async function selectLastNote({ writes }: Db): Promise<number> {
  const [row] = await writes<[{ id: number }]>`select coalesce(pg_sequence_last_value('bridge_notes_id_seq'), 0)::float8 as id`;
  return row.id;
}

export async function deleteNotes({ writes }: Db, ids: readonly number[]): Promise<void> {
  await writes`delete from bridge_notes where id = any(${[...ids]}::bigint[])`;
}

export async function countNotes({ writes }: Db): Promise<{ readonly count: number }> {
  const [row] = await writes<[{ count: number }]>`select count(*)::int as count from bridge_notes`;
  return row;
}

/** Changes the mode; false if it is another one than expected, or if something keeps it from that for now (change_bridge.sql). */
export async function changeBridge(
  { writes }: Db,
  [from, to]: readonly [BridgeMode, BridgeMode],
  {
    patience = null,
    carrier = null,
    cursor = null,
  }: { readonly patience?: number | null; readonly carrier?: number | null; readonly cursor?: string | null } = {},
): Promise<boolean> {
  try {
    const [row] = await writes<{ changed: boolean }[]>`
      select change_bridge(${from}, ${to}, make_interval(secs => ${patience}::float8), ${carrier}::bigint, ${cursor}) as changed`;
    return row?.changed ?? false;
  } catch (error) {
    // A write takes long.
    if (sqlState(error) === '55P03') return false;
    throw error;
  }
}

/** Forgets what differs, for a switch at any price. What is refused again comes back. */
export async function forgetDifferences({ writes }: Db): Promise<void> {
  await writes`delete from bridge_differences`;
}

/** Has everything compared anew, without pauses. */
export async function compareAnew({ writes }: Db): Promise<void> {
  await writes`update bridge set compared_at = null`;
}

/** Moves the position that the other side has reached. */
export async function moveCursor({ writes }: Db, carrier: number, cursor: string): Promise<void> {
  await writes`update bridge set cursor = ${cursor} where carrier_epoch = ${carrier} and mode in ('leading', 'toFollowing')`;
}

export interface BridgeDifference extends NotedObject {
  readonly reason: string;
  readonly foundAt: string;
}

/** How far both sides are apart, and who works on that. */
export interface BridgeStanding {
  /** Changes that were not carried over yet: objects to be read back, or events to be written to the other side; counted up to a limit. */
  readonly pending: number;
  /** Seconds since the oldest of them; 0 if there is none. */
  readonly lag: number;
  /** Objects that differ because the side that follows refused them. */
  readonly differenceCount: number;
  /** The first of them. */
  readonly differences: readonly BridgeDifference[];
  /** Processes that serve and have been seen within the last seconds; `behind`: those that do not know of the epoch yet. */
  readonly gateways: number;
  readonly behind: number;
}

/** `carriedTo`: the id of the last event that the other side has; null while that side leads. At most so many differences. */
export async function selectStanding(db: Db, epoch: number, carriedTo: number | null, most: number): Promise<BridgeStanding> {
  const [row] = await primaryOf(db).sql<[BridgeStanding]>`
    select pending, lag, (select count(*)::int from bridge_differences) as "differenceCount",
      (
        select coalesce(jsonb_agg(first), '[]')
        from (select noun, key, reason, found_at as "foundAt" from bridge_differences order by found_at, noun, key limit ${most}) as first) as differences,
      gateways, behind
    from (
      select count(*)::int as pending, coalesce(extract(epoch from now() - min(at))::float8, 0) as lag
      from (
        (select at from events where id > ${carriedTo}::bigint order by id limit ${limits.changesCounted})
        union all
        (select noted_at from bridge_notes where ${carriedTo}::bigint is null order by id limit ${limits.changesCounted})) as waiting) as waiting,
      (
        select count(*)::int as gateways, (count(*) filter (where epoch < ${epoch}))::int as behind
        from bridge_gateways where seen_at > now() - interval '3 seconds') as serving`;
  return row;
}

/** Those that were not tried for longest. */
export async function selectTriedLongAgo({ writes }: Db, most: number): Promise<readonly NotedObject[]> {
  return writes<NotedObject[]>`select noun, key from bridge_differences order by tried_at, noun, key limit ${most}`;
}

export async function countDifferences({ writes }: Db): Promise<number> {
  const [row] = await writes<{ count: number }[]>`select count(*)::int as count from bridge_differences`;
  return row?.count ?? 0;
}

/** Those that differ now among the objects that were tried: others of these differ no more. */
export async function keepDifferences(
  { writes }: Db,
  tried: readonly NotedObject[],
  differing: readonly (NotedObject & { readonly reason: string })[],
): Promise<void> {
  await writes`
    with gone as (
      delete from bridge_differences d using unnest(${tried.map(({ noun }) => noun)}::text[], ${tried.map(({ key }) => key)}::text[]) as _(noun, key)
      where (d.noun, d.key) = (_.noun, _.key) and (d.noun, d.key) not in (
        select * from unnest(${differing.map(({ noun }) => noun)}::text[], ${differing.map(({ key }) => key)}::text[])))
    insert into bridge_differences (noun, key, reason)
    select distinct on (noun, key) noun, key, reason
    from unnest(${differing.map(({ noun }) => noun)}::text[], ${differing.map(({ key }) => key)}::text[], ${differing.map(({ reason }) => reason)}::text[])
      as _(noun, key, reason)
    on conflict (noun, key) do update set reason = excluded.reason, tried_at = now()`;
}

/** A read that was put to both sides. */
export interface ComparedRead {
  readonly route: string;
  readonly request: string;
  readonly version: string;
  readonly difference: string | null;
  /** Milliseconds. */
  readonly otherTime: number;
  readonly ownTime: number;
  readonly choiceFits: boolean | null;
  readonly choiceRank: number | null;
}

/** Keeps a read, and forgets the oldest ones. */
export async function insertRead({ writes }: Db, read: ComparedRead): Promise<void> {
  const { route, request, version, difference, otherTime, ownTime, choiceFits, choiceRank } = read;
  await writes`
    with kept as (
      insert into bridge_reads (route, request, version, difference, other_time, own_time, choice_fits, choice_rank)
      values (${route}, ${request}, ${version}, ${difference}, ${otherTime}, ${ownTime}, ${choiceFits}, ${choiceRank}) returning id)
    delete from bridge_reads where id <= (select id - ${limits.readsKept} from kept)`;
}

/** The reads of a route that were put to both sides. */
export interface RouteReads {
  readonly route: string;
  readonly compared: number;
  readonly differing: number;
  /** The last difference; null if there is none. */
  readonly example: string | null;
  /** Medians in milliseconds. */
  readonly otherTime: number;
  readonly ownTime: number;
  /** Of searches: the first candidates that could be judged, those of them that the other side offers, too, and the mean share of its candidates that would be fuller. */
  readonly choices: number;
  readonly fitting: number;
  readonly rank: number | null;
}

export async function selectReads(db: Db): Promise<readonly RouteReads[]> {
  return primaryOf(db).sql<RouteReads[]>`
    select route, count(*)::int as compared, count(difference)::int as differing,
      (array_agg(request || ' (' || version || '): ' || difference order by id desc) filter (where difference is not null))[1] as example,
      percentile_cont(0.5) within group (order by other_time) as "otherTime", percentile_cont(0.5) within group (order by own_time) as "ownTime",
      count(choice_fits)::int as choices, (count(*) filter (where choice_fits))::int as fitting, avg(choice_rank) as rank
    from bridge_reads group by route order by route`;
}

/** Those of these providers and consumers that exist here. */
export async function selectExisting(
  { writes }: Db,
  providers: readonly string[],
  consumers: readonly string[],
): Promise<{ readonly providers: ReadonlySet<string>; readonly consumers: ReadonlySet<string> }> {
  const rows = await writes<{ uuid: string; isConsumer: boolean }[]>`
    select uuid, false as "isConsumer" from resource_providers where uuid = any(${[...providers]}::uuid[])
    union all select uuid, true from consumers where uuid = any(${[...consumers]}::uuid[])`;
  const uuids = (wanted: boolean) => new Set(rows.filter(({ isConsumer }) => isConsumer === wanted).map(({ uuid }) => uuid));
  return { providers: uuids(false), consumers: uuids(true) };
}

/** The objects that some events changed. A generation alone is no change: each side counts its own. */
export async function selectChanged({ writes }: Db, events: readonly number[]): Promise<readonly NotedObject[]> {
  return writes<NotedObject[]>`
    select distinct case noun when 'providers' then 'provider' when 'consumers' then 'consumer' when 'resourceClasses' then 'resourceClass' else 'trait' end as noun, key
    from events e cross join unnest('{providers,consumers,resourceClasses,traits}'::text[]) noun cross join jsonb_each(e.changes -> noun) as _(key, value)
    where e.id = any(${[...events]}::bigint[])
      and (noun <> 'providers' or value -> 'before' is null or value -> 'after' is null or jsonb_typeof(value -> 'before') <> jsonb_typeof(value -> 'after')
        or (jsonb_typeof(value -> 'before') = 'object' and (value -> 'before') - 'generation' <> (value -> 'after') - 'generation'))`;
}

/** Those of these objects that are noted, as `noun key`. */
export async function selectNoted({ writes }: Db, objects: readonly NotedObject[]): Promise<ReadonlySet<string>> {
  const rows = await writes<NotedObject[]>`
    select distinct n.noun, n.key from unnest(${objects.map(({ noun }) => noun)}::text[], ${objects.map(({ key }) => key)}::text[]) as _(noun, key)
    join bridge_notes n on n.key = _.key and (n.noun = _.noun or (_.noun = 'provider' and n.noun = 'generation'))`;
  return new Set(rows.map(({ noun, key }) => `${noun} ${key}`));
}

/** Everything was compared in the mode of this epoch: at once (urgent), or slowly, which counts only while nobody has asked for it anew. */
export async function markCompared(
  { writes }: Db,
  { epoch, isUrgent }: { readonly epoch: number; readonly isUrgent: boolean },
): Promise<void> {
  await writes`update bridge set compared_at = now() where epoch = ${epoch} and (${isUrgent} or compared_at is not null)`;
}
