-- Corrects derived values (mendable_rows). Events do not contain them, so it writes none. Idempotent.
-- Scans whole tables, which the plans for claims (writeSettings) would do once for each row.
-- request: `contested` (uuids of providers), `dryRun` (takes no locks). Returns `mended`: the numbers of inventories, providers, consumers and
-- rows that were missing in project_usages, and quotas.
create or replace function mend_derived(request jsonb) returns jsonb language plpgsql
set enable_seqscan = on set enable_hashjoin = on set enable_mergejoin = on set enable_material = on as $$
declare
  contested constant uuid[] := array(select jsonb_array_elements_text(request -> 'contested')::uuid);
  consumer_ids bigint[]; provider_ids bigint[];
  inventories_mended bigint; providers_mended bigint; consumers_mended bigint; usages_mended bigint; quotas_mended bigint;
begin
  if (request ->> 'dryRun')::boolean then
    return (
      select jsonb_build_object('mended', jsonb_build_object('inventories', count(*) filter (where m.kind in ('use', 'promise')),
        'providers', count(*) filter (where m.kind = 'root'), 'consumers', count(*) filter (where m.kind = 'consumer'),
        'usages', (select count(*) from usage_differences()), 'quotas', (select count(*) from quota_differences(null))))
      from mendable_rows(contested) m);
  end if;
  perform lock_forest();
  select array_agg(m.id) filter (where m.kind = 'consumer'), array_agg(distinct m.id) filter (where m.kind <> 'consumer') into consumer_ids, provider_ids
  from mendable_rows(contested) m;
  perform from consumers c where c.id = any(consumer_ids) order by c.uuid for update;
  perform lock_providers(coalesce(provider_ids, '{}'));

  -- Read again, because others may have written before the locks were granted.
  with mended as (
    update inventories i set used = m.due from mendable_rows(contested) m
    where m.kind = 'use' and m.id = any(provider_ids) and i.resource_provider_id = m.id and i.resource_class_id = m.class returning 1
  ) select count(*) into inventories_mended from mended;
  with mended as (
    update inventories i set promised = m.due from mendable_rows(contested) m
    where m.kind = 'promise' and m.id = any(provider_ids) and i.resource_provider_id = m.id and i.resource_class_id = m.class returning 1
  ) select inventories_mended + count(*) into inventories_mended from mended;
  with mended as (
    update resource_providers p set root_provider_id = m.due from mendable_rows(contested) m
    where m.kind = 'root' and m.id = any(provider_ids) and p.id = m.id returning 1
  ) select count(*) into providers_mended from mended;
  with mended as (
    delete from consumers c using mendable_rows(contested) m where m.kind = 'consumer' and m.id = any(consumer_ids) and c.id = m.id
    returning c.project_id, c.user_id, c.consumer_type_id
  ), counted as (
    insert into project_usages (project_id, user_id, consumer_type_id, amount) select project_id, user_id, consumer_type_id, -1 from mended
  ) select count(*) into consumers_mended from mended;
  -- Whoever has changed one of these has ended by then, and whoever is about to change one waits.
  perform from quota_uses q order by q.id for update;
  perform pg_advisory_xact_lock(8778007, hashtext('project_usages'::regclass::oid::text));
  insert into project_usages (project_id, user_id, consumer_type_id, resource_class_id, amount) select * from usage_differences();
  get diagnostics usages_mended = row_count;
  update quota_uses q set used = wrong.due from quota_differences(null) wrong where q.id = wrong.id;
  get diagnostics quotas_mended = row_count;
  perform mark_changed(provider_ids);
  return jsonb_build_object('mended', jsonb_build_object(
    'inventories', inventories_mended, 'providers', providers_mended, 'consumers', consumers_mended, 'usages', usages_mended, 'quotas', quotas_mended));
end $$;
