-- Imports records of another service. A record whose uuid or name already exists is left unchanged.
-- request: `records` ([{kind, name, uuid, body}], uuid null: that of the provider of this name, or a new one; of an export also `updatedAt`). Returns
-- `written`, `eventId`.
create or replace function import_records(request jsonb) returns jsonb language plpgsql as $$
declare
  has_quotas constant boolean := request -> 'records' @? '$[*] ? (@.kind == "project_quotas" || @.kind == "default_quotas")';
  counted bigint[];
  changes jsonb;
begin
  if has_quotas then
    perform ask_for_quota_names(request -> 'records');
    perform pg_advisory_xact_lock(8778009, hashtext('records'::regclass::oid::text));
    perform ensure_aggregates(jsonb_path_query_array(
      request -> 'records', '$[*] ? (@.kind == "project_quotas" || @.kind == "default_quotas").body.quotas[*].aggregate ? (@ != null)'));
    counted := array(
      select p.id from projects p
      where exists (select from records r where r.kind = 'default_quotas') or request -> 'records' @? '$[*] ? (@.kind == "default_quotas")'
        or p.external_id = any(array(
          select unnest(array[r ->> 'name', r #>> '{body,parent}']) from jsonb_array_elements(request -> 'records') r where r ->> 'kind' = 'project_quotas')));
    perform from quota_uses q where q.project_id = any(counted) order by q.id for update;
  end if;
  with added as (
    insert into records as r (kind, name, uuid, body, updated_at)
    select d ->> 'kind', d ->> 'name',
           coalesce((d ->> 'uuid')::uuid, (select p.uuid from resource_providers p where p.name = d ->> 'name'), gen_random_uuid()), d -> 'body',
           coalesce((d ->> 'updatedAt')::timestamptz, now())
    from jsonb_array_elements(request -> 'records') d order by d ->> 'kind', d ->> 'name'
    on conflict do nothing
    returning r.kind, r.uuid, r.body || jsonb_build_object('name', r.name) as state
  )
  select coalesce(jsonb_object_agg(kind || ' ' || uuid, changed_keys(null, state)), '{}') into changes from added;
  if has_quotas then
    perform count_quotas(counted);
  end if;
  -- Their roots may have disk only until a pool serves them (give_way_to_pools).
  perform mark_changed(array(
    select p.id from jsonb_object_keys(changes) named join resource_providers p on p.uuid = right(named, 36)::uuid
    join records r on r.uuid = p.uuid and r.body ? 'hasSharedStorage'));
  return jsonb_build_object(
    'written', (select count(*) from jsonb_object_keys(changes)),
    'eventId', case when changes <> '{}' then record_event(request ->> 'kind', request -> 'by', jsonb_build_object('records', changes)) end
  );
end $$;
