// The events of a subject since a moment, from which its past is reconstructed: found by index, and never more than may be read.
//
// Whether an event was written after a moment is decided in the order of ids: an event that follows one that began after the moment was not
// committed at that moment either. The ids of each subject are in the order of commits, so a reconstructed state did exist.
import { type SQL, sql } from 'drizzle-orm';
import type { HistorySubject } from '../domain/history.ts';
import type { MemberSpan } from '../domain/past-members.ts';
import { halving, subjectOfProject } from './events.ts';

/** Providers whose usage is summed, each over the moments at which it counts. */
export interface MemberSet {
  readonly noun: 'members';
  readonly spans: readonly MemberSpan[];
}

export type KeyedSubject = Exclude<HistorySubject, { readonly noun: 'cloud' }>;

export const uuids = (keys: readonly string[]) => sql`${sql.param(keys)}::uuid[]`;

export const sinceHalving = (moment: string) => halving(sql`since_halving`, sql`${moment}::timestamptz - interval '1 minute'`);
export const since = sql`(select max(low) as low from since_halving) bound`;
export const momentOf = (id: SQL, name = sql`e`) => sql`(select e.at from events e where e.id = ${id} offset 0) ${name}`;

// Each step is fenced by its limit: without it, a subject with a million events would be read whole.
export const mentionsOf = (keys: readonly string[], most: number, limit: number) => sql`
  select key, of_one.id from ${since} cross join unnest(${uuids(keys)}) key
  cross join lateral (
    select s.event_id as id from event_subjects s where s.subject = key and s.event_id >= bound.low order by s.event_id limit ${limit + 1}
  ) of_one limit ${most}`;

/** The events of a subject that were written after a moment. `eff`: no moment before it had the event. */
export function takenSince(subject: KeyedSubject | MemberSet, moment: string, limit: number): SQL {
  return sql`${sinceHalving(moment)},
    mentioned as materialized (${mentionsOf(keysOf(subject), fenceOf(subject, limit) + 1, limit)}),
    ${takenOf(subject.noun === 'members' ? sql`(select distinct id from mentioned)` : sql`mentioned`, moment)}`;
}

/** Those of the mentioned events that are after a moment. `eff`: no moment before it had the event. */
export const takenOf = (mentioned: SQL, moment: string) => sql`
  taken as materialized (
    select id, eff from (
      select m.id, max(e.at) over (order by m.id) as eff from ${mentioned} m cross join lateral ${momentOf(sql`m.id`)}
    ) told where eff > ${moment}::timestamptz
  )`;

/**
 * All events since the first of some moments, in `ranges` of ids with the number of moments before them: an event has as many before it as the latest of those
 * up to it. One by one, as above, the history of a whole cloud would take half as long again.
 */
export const rangesSince = (moment: string, limit: number) => sql`${sinceHalving(moment)},
  mentioned as materialized (
    select width_bucket(e.at - interval '1 microsecond', asked.moments) as since, min(e.id) as first, max(e.id) as last, count(*) as count
    from ${since} cross join asked cross join lateral (select e.id, e.at from events e where e.id >= bound.low order by e.id limit ${limit + 1}) e
    group by 1
  ),
  ranges as materialized (
    select since, first, coalesce(lead(first) over (order by since) - 1, (select max(last) from mentioned)) as last
    from (select since, min(first) over (order by since desc) as first from mentioned) told
    where since > 0 and (select sum(count) from mentioned) <= ${limit}
  ),`;

/** Since when all events are kept, in milliseconds, as callers see it: the beginning of the oldest chunk, or its first event if that is older. */
export const knownSince = sql`
  date_trunc('milliseconds', coalesce(least((select begun_at from event_chunks order by number limit 1), (select at from events order by id limit 1)), now()))`;

/**
 * The number of events taken since a moment; more than the limit if more were found than may be read; null if some have been deleted, perhaps after the moment
 * was found to be known.
 */
export const countWithin = (moment: string, limit: number, fence: number, { found, taken } = oneByOne) => sql`
  case when (select f.pruned_event_id > 0 and ${moment}::timestamptz < ${knownSince} from change_feed f) then null
    when (${found}) <= ${fence} then (${taken})::int else ${limit + 1}::int end`;
const oneByOne = { found: sql`select count(*) from mentioned`, taken: sql`select count(*) from taken` };
export const inRanges = {
  found: sql`select coalesce(sum(count), 0) from mentioned`,
  taken: sql`select count(*) from ranges r join events e on e.id between r.first and r.last`,
};

/** How often events may mention the members of a set: one on several hosts is read once, but found at each of them. */
export const mentionsFor = (limit: number) => 4 * limit;

export const fenceOf = (subject: HistorySubject | MemberSet, limit: number) => (subject.noun === 'members' ? mentionsFor(limit) : limit);

function keysOf(subject: KeyedSubject | MemberSet): readonly string[] {
  if (subject.noun === 'members') return [...new Set(subject.spans.map(({ provider }) => provider))];
  return [subject.noun === 'project' ? subjectOfProject(subject.key) : subject.key];
}

/** Fenced: Postgres expects many events, and would read all of them. */
export const changesOfTaken = sql`cross join lateral (select e.changes from events e where e.id = t.id offset 0) e`;
