// Defects planted into the SQL functions of a test database: each replaces a piece of the text of one function, and fails if the piece is not there any
// more. None is part of the product. What the checker must say about each stands beside it.
import type { Sql } from 'postgres';

export interface Mutant {
  readonly name: string;
  readonly function: string;
  /** Another function with the same pieces. */
  readonly alsoIn?: string;
  /** Pieces of the function's text, and what stands in their places. */
  readonly replace: readonly (readonly [from: string | RegExp, to: string])[];
  /** What must meet for the defect to show: several writes in a call, or whatever depends on time and quotas. */
  readonly needs?: 'team' | 'time';
  /** One of these anomalies must be found. */
  readonly caughtAs: readonly string[];
}

export const mutants: readonly Mutant[] = [
  {
    name: "the consumer's generation is not checked",
    function: 'lock_consumers',
    replace: [[/if wanted -> 'expect' .*? then/s, 'if false then']],
    caughtAs: ['expectation ignored'],
  },
  {
    name: "the provider's generation is not checked",
    function: 'check_generation',
    replace: [[/if expect \? 'generation' and .*? then/s, 'if false then']],
    caughtAs: ['expectation ignored', 'two winners'],
  },
  {
    name: 'providers are not locked before they are read',
    function: 'lock_providers',
    // The time between reading and writing is short: a wait in place of the lock makes up for the few histories of a test.
    replace: [
      ['order by p.id for no key update);', 'order by p.id); perform pg_sleep(0.02);'],
      ['order by p.id for no key update skip locked);', 'order by p.id); perform pg_sleep(0.02);'],
    ],
    caughtAs: ['expectation ignored', 'two winners', 'capacity exceeded', 'broken chain', 'used is not the sum'],
  },
  {
    name: 'allocations are not checked against the capacity',
    function: 'has_room',
    replace: [['used + change <= capacity', 'true']],
    caughtAs: ['capacity exceeded'],
  },
  {
    name: 'units are not checked',
    function: 'obeys_units',
    replace: [['amount <= max_unit', 'true']],
    caughtAs: ['unit violated'],
  },
  {
    name: 'some events are missing',
    function: 'append_events',
    replace: [[/(consumers, providers, append_events\.changes\[place\]\s+from given)/, '$1 where random() < 0.9']],
    caughtAs: ['acknowledged but lost', 'broken chain', 'tables differ from events'],
  },
  {
    name: 'events are written twice',
    function: 'append_event',
    replace: [[/jsonb_build_array\((jsonb_build_object\(.*?\))\), array\[changes\]/, 'jsonb_build_array($1, $1), array[changes, changes]']],
    caughtAs: ['done twice', 'broken chain'],
  },
  {
    name: 'the change feed misses what claims change',
    function: 'mark_used',
    replace: [[/unnest\(ids\), true/, 'unnest(ids), true where random() < 0.2']],
    caughtAs: ['gateway differs from database'],
  },
  {
    name: 'the change feed misses what else changes',
    function: 'mark_changed',
    replace: [[/from unnest\(ids\) id/, 'from unnest(ids) id where random() < 0.2']],
    caughtAs: ['gateway differs from database'],
  },
  {
    name: 'an answer is not stored under its key',
    function: 'keep_answers',
    replace: [['where answers', 'where false and answers']],
    caughtAs: ['answers differ', 'done twice', 'bug told'],
  },
  {
    name: 'keys are ignored',
    function: 'find_first_answer',
    replace: [[/begin/, 'begin\n  return null;']],
    // A report that is sent again finds nothing to change, so its answer does not tell of the event that the first wrote.
    caughtAs: ['answers differ', 'done twice', 'acknowledged but hidden'],
  },
  {
    name: 'a released consumer stays',
    function: 'write_allocations',
    replace: [[/delete from consumers c where .*?;/s, '']],
    caughtAs: ['consumer without allocations'],
  },
  {
    name: 'what is released stays used',
    function: 'take_room',
    replace: [['sum(amount)::bigint as change', 'greatest(sum(amount), 0)::bigint as change']],
    caughtAs: ['used is not the sum'],
  },
  {
    name: 'what is released stays in the usage of its project',
    function: 'owned_changes',
    replace: [['class_ids[row_classes[n]], given from', 'class_ids[row_classes[n]], greatest(given, 0) from']],
    caughtAs: ['usage is not the sum'],
  },
  {
    name: 'a part of a write is lost',
    function: 'hold_allocations',
    replace: [[/(cardinality\(amounts\)\) n);/, '$1 limit 2;']],
    caughtAs: ['used is not the sum', 'tables differ from events'],
  },
  {
    name: 'what a consumer takes over loses its project',
    function: 'lock_consumers',
    replace: [['coalesce(projects[n], old_projects[sources[n]])', 'coalesce(projects[n], (select min(id) from projects))']],
    caughtAs: ['tables differ from events', 'broken chain'],
  },
  {
    name: "the consumer's generation is not raised",
    function: 'write_allocations',
    replace: [['else old_generations[place] + 1 end', 'else old_generations[place] end']],
    caughtAs: ['tables differ from events', 'broken chain', 'lost update'],
  },
  {
    name: "the provider's generation is not raised",
    function: 'raise_by',
    replace: [['p.generation + wanted.step', 'p.generation']],
    caughtAs: ['two winners', 'broken chain', 'tables differ from events'],
  },
  {
    name: 'consumers are released before they expire',
    function: 'release_expired',
    needs: 'time',
    replace: [['c.expires_at <= until order', "c.expires_at <= until + interval '1 hour' order"]],
    caughtAs: ['released too early'],
  },
  {
    name: 'a consumer that was confirmed is released',
    function: 'release_expired',
    needs: 'time',
    replace: [['c.expires_at <= until order', 'coalesce(c.expires_at, c.created_at) <= until order']],
    caughtAs: ['released though it lasts'],
  },
  {
    name: 'a consumer that was confirmed still expires',
    function: 'set_expiry',
    needs: 'time',
    replace: [['expires_at = excluded.expires_at', 'expires_at = coalesce(excluded.expires_at, c.expires_at)']],
    caughtAs: ['partial effect'],
  },
  {
    name: 'reservations are admitted beyond the capacity',
    function: 'misfits_in_time',
    needs: 'time',
    replace: [['l.load + l.change > l.capacity', 'l.load + l.change > l.capacity + 4']],
    caughtAs: ['promise broken'],
  },
  {
    name: 'new claims find room in what is promised',
    function: 'take_room',
    needs: 'time',
    alsoIn: 'fit_alone',
    replace: [['has_room(i.used + i.promised,', 'has_room(i.used,']],
    caughtAs: ['promise broken'],
  },
  {
    name: 'more is claimed from a reservation than it keeps',
    function: 'claim_from_reservations',
    needs: 'time',
    replace: [['where asked.claimed + asked.change > coalesce(kept.amount, 0)', 'where asked.change > coalesce(kept.amount, 0)']],
    caughtAs: ['claimed beyond a reservation'],
  },
  {
    name: 'what is claimed from a reservation does not expire with it',
    function: 'lock_reservations',
    needs: 'time',
    replace: [["expiries[n] := least(expiries[n], (own ->> 'endsAt')::timestamptz);", '']],
    caughtAs: ['outlives its reservation'],
  },
  {
    name: 'reservations are claimed from before they begin',
    function: 'lock_reservations',
    needs: 'time',
    replace: [["(own ->> 'startsAt')::timestamptz > now()", 'false']],
    caughtAs: ['claimed out of time'],
  },
  {
    name: 'reservations are removed before they end',
    function: 'end_reservations',
    needs: 'time',
    replace: [['where r.ends_at <= until and', "where r.ends_at <= until + interval '1 hour' and"]],
    caughtAs: ['ended too early'],
  },
  {
    name: 'quotas bind nobody',
    function: 'over_quotas',
    needs: 'time',
    replace: [['where g.gain > 0 and', 'where false and']],
    caughtAs: ['quota exceeded'],
  },
  // The rest do harm only in calls that several writes share.
  {
    name: 'a release is lost in a call that it shares with other writes',
    function: 'claim_together',
    needs: 'team',
    replace: [['previous[n] = any(released) and', 'previous[n] = any(released) and cardinality(released) = cardinality(uuids) and']],
    caughtAs: ['consumer without allocations'],
  },
  {
    name: 'a resize lets go of more than was held in a call that it shares with new consumers',
    function: 'held_rows',
    needs: 'team',
    replace: [['array_agg(-used)', 'array_agg(-used - (array_position(ids, null) is not null)::int)']],
    caughtAs: ['used is not the sum'],
  },
  {
    name: 'a write that shares a call does not see an earlier one of its consumer',
    function: 'lock_known',
    needs: 'team',
    // As with providers, a wait in place of the lock.
    replace: [['for no key update skip locked', 'and pg_sleep(0.02) is not null']],
    caughtAs: ['expectation ignored', 'lost update', 'broken chain', 'used is not the sum'],
  },
  {
    name: 'a write that shares a call is done after those that it does not know',
    function: 'lock_known',
    needs: 'team',
    replace: [[' and named.expected in (-1, c.generation)', '']],
    caughtAs: ['expectation ignored'],
  },
];

/** Plants a defect. Everything that calls the function from now on has it. */
export async function plant(sql: Sql, { function: name, alsoIn, replace }: Mutant): Promise<void> {
  await plantIn(sql, name, replace);
  if (alsoIn) await plantIn(sql, alsoIn, replace);
}

async function plantIn(sql: Sql, name: string, replace: Mutant['replace']): Promise<void> {
  const [found] = await sql<{ text: string; schema: string }[]>`
    select pg_get_functiondef(p.oid) as text, release.functions as schema
    from (select functions from schema_versions order by version desc limit 1) release
    join pg_proc p on p.pronamespace::regnamespace::text = release.functions and p.proname = ${name}`;
  if (!found) throw new Error(`there is no function ${name}`);
  let { text } = found;
  for (const [from, to] of replace) {
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`${name} has no such piece any more: ${String(from)}`);
    text = changed;
  }
  await sql.unsafe(`set search_path = ${found.schema}, placement; ${text}; set search_path = placement`);
}
