// Reads the quotas of projects: those that apply, with what is used of them, and those that were set.
import { createHash } from 'node:crypto';
import type { QuotaSettings, QuotaUse } from '../domain/quota.ts';
import type { StoredSettings } from '../domain/service.ts';
import { parseUuid } from '../domain/uuid.ts';
import type { Db } from './sql/client.ts';

/** The record that has the quotas of a project; null for the defaults. */
export function quotaRecord(project: string | null): { readonly kind: string; readonly name: string; readonly uuid: string } {
  const kind = project === null ? 'default_quotas' : 'project_quotas';
  const name = project ?? kind;
  return { kind, name, uuid: parseUuid(createHash('md5').update(`${kind} ${name}`).digest('hex')) as string };
}

/** With the project that was asked for. */
interface AskedUse extends QuotaUse {
  readonly asked: string;
}

/**
 * The quotas of the projects with these external ids, by type, class, user and aggregate; `withParents`: then those of the projects above. One that does not exist
 * yet has the defaults.
 */
export function selectQuotaUses({ sql }: Db, projects: readonly string[], withParents: boolean): Promise<AskedUse[]> {
  return sql<AskedUse[]>`
    with asked as (
      select p.id, p.external_id as asked, false as is_above from projects p where p.external_id = any(${projects}::text[])
      union all
      select above.parent_id, p.external_id, true from projects p join project_parents above on above.project_id = p.id
      where ${withParents}::boolean and p.external_id = any(${projects}::text[])
    )
    (select a.asked, p.external_id as project, q.is_default as "isDefault", u.external_id as "user", t.name as "consumerType",
      rc.name as "resourceClass", g.uuid as aggregate, q.most::float8 as amount, q.used::float8 as used
    from asked a join quota_uses q on q.project_id = a.id join projects p on p.id = q.project_id
    left join users u on u.id = q.user_id left join consumer_types t on t.id = q.consumer_type_id
    left join resource_classes rc on rc.id = q.resource_class_id left join placement_aggregates g on g.id = q.aggregate_id
    where q.resource_class_id = -1 or rc.id is not null
    order by a.asked, a.is_above, t.name nulls first, rc.id nulls first, u.external_id nulls first, g.uuid nulls first)
    union all
    select unknown.id, unknown.id, true, null, q."consumerType", q."resourceClass", q.aggregate, q.amount::float8, 0
    from unnest(${projects}::text[]) as unknown(id)
    join records r on r.kind = 'default_quotas' and not exists (select from projects p where p.external_id = unknown.id)
    cross join lateral jsonb_to_recordset(r.body -> 'quotas') as q("consumerType" text, "resourceClass" text, "aggregate" uuid, "amount" bigint)`;
}

/** The quotas that were set for projects, a page in the order of their external ids. */
export function selectProjectQuotas(
  { sql }: Db,
  after: string,
  count: number,
): Promise<{ readonly project: string; readonly settings: QuotaSettings }[]> {
  return sql<{ project: string; settings: QuotaSettings }[]>`
    select r.name as project, r.body as settings from records r where r.kind = 'project_quotas' and r.name > ${after}
    order by r.name limit ${count}::int`;
}

/** The record of a kind and name, as replace_settings stored it; null before the first replacement. */
export async function selectStoredSettings({ sql }: Db, kind: string, name: string): Promise<StoredSettings | null> {
  const [row] = await sql<{ body: StoredSettings }[]>`select r.body from records r where r.kind = ${kind} and r.name = ${name}`;
  return row?.body ?? null;
}

/** Rounds are kept as idempotency keys, which end after a day. No caller has this principal: theirs are lists. */
const rounds = { principal: 'placement-gateway', operation: 'followLimits' } as const;

/** Begins the round of this minute, by the clock of the database. Returns its key; null if another gateway has begun it. */
export async function beginLimitRound({ writes }: Db): Promise<string | null> {
  const [row] = await writes<{ key: string }[]>`
    insert into idempotency_keys (principal, operation, key, input_hash)
    values (${rounds.principal}, ${rounds.operation}, date_trunc('minute', clock_timestamp())::text, '')
    on conflict do nothing returning key`;
  return row?.key ?? null;
}

/** Notes that the round has made the quotas those of Keystone. */
export async function noteLimitRound({ writes }: Db, key: string): Promise<void> {
  await writes`
    update idempotency_keys set answer = '{}'
    where principal = ${rounds.principal} and operation = ${rounds.operation} and key = ${key}`;
}

/** Seconds since the quotas were those of Keystone, or since rounds failed for a day; null if no gateway has begun a round within a day. */
export async function selectLimitsAge({ sql }: Db): Promise<number | null> {
  const [row] = await sql<{ seconds: number | null }[]>`
    select extract(epoch from now() - coalesce(max(created_at) filter (where answer is not null), min(created_at)))::float8 as seconds
    from idempotency_keys where principal = ${rounds.principal} and operation = ${rounds.operation}`;
  return row?.seconds ?? null;
}
