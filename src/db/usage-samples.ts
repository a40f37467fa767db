// Samples of what the whole cloud has and uses: one a minute, later one a quarter of an hour, by the clock of the database.
import { sharingTrait } from '../domain/provider.ts';
import { fineSampleDays, type SampledTotal, type StoredSample, thinnedSampleMinutes } from '../domain/usage-samples.ts';
import type { Db } from './sql/client.ts';

const batch = 1000;
const safe = (sum: string) => `least(sum(${sum}), 9007199254740991)::float8`;

/**
 * Writes the sample of this minute unless there is one or another gateway is writing it. Returns whether it did. One statement, and so one snapshot; it reads all
 * inventories only if the sample is due.
 */
export async function insertUsageSample({ writes }: Db): Promise<boolean> {
  const rows = await writes`
    with due as materialized (
      select minute from (select date_trunc('minute', clock_timestamp()) as minute) now
      where not exists (select from usage_samples s where s.at = minute)
        and pg_try_advisory_xact_lock(8778006, hashtext('usage_samples'::regclass::oid::text))
    ), pools as materialized (
      select has.resource_provider_id as id from traits t join resource_provider_traits has on has.trait_id = t.id where t.name = ${sharingTrait}
    ), summed as (
      select i.resource_provider_id in (select id from pools) as shared, rc.name, count(*)::float8 as providers, ${writes.unsafe(safe('i.total'))} as total,
        ${writes.unsafe(safe('i.reserved'))} as reserved, ${writes.unsafe(safe('i.capacity'))} as capacity, ${writes.unsafe(safe('i.used'))} as used
      from inventories i join resource_classes rc on rc.id = i.resource_class_id
      where exists (select from due)
      group by 1, i.resource_class_id, rc.name
    )
    insert into usage_samples (at, totals)
    select due.minute, (
      select coalesce(jsonb_agg(jsonb_build_array(shared, name, providers, total, reserved, capacity, used) order by shared, name collate "C"), '[]')
      from summed
    ) from due
    on conflict do nothing
    returning at`;
  return rows.length > 0;
}

/**
 * Deletes a batch of samples: those older than so many days, those in the future, which a wrong clock has made, and all but the first of each quarter
 * of an hour of those that are too old to be fine. Returns how many.
 */
export async function deleteOldUsageSamples({ writes }: Db, days: number): Promise<number> {
  const quarter = writes`make_interval(mins => ${thinnedSampleMinutes}::int)`;
  const { count } = await writes`
    delete from usage_samples where at in (
      select s.at from usage_samples s
      where s.at < now() - make_interval(days => ${days}::int) or s.at > now() + interval '1 hour'
        or (s.at < now() - make_interval(days => ${fineSampleDays}::int)
          and exists (select from usage_samples first where first.at >= date_bin(${quarter}, s.at, 'epoch'::timestamptz) and first.at < s.at))
      order by s.at limit ${batch} for update skip locked
    )`;
  return count;
}

/** The first sample of each step from a moment on, oldest first. */
export async function selectUsageSamples(
  { sql }: Db,
  { from, until, stepSeconds }: { readonly from: string; readonly until: string; readonly stepSeconds: number },
): Promise<StoredSample[]> {
  return sql<{ at: string; totals: readonly SampledTotal[] }[]>`
    select s.at, s.totals from usage_samples s where s.at in (
      select min(c.at) from usage_samples c where c.at >= ${from}::timestamptz and c.at <= ${until}::timestamptz
      group by floor(extract(epoch from c.at - ${from}::timestamptz) / ${stepSeconds}::float8)
    ) order by s.at`;
}
