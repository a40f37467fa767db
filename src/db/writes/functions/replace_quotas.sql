-- Replaces the quotas of a project, or the defaults for all, which are stored as settings (replace_settings), and counts what is used of them. No other write
-- happens meanwhile (fence_write). Names that are unknown are asked for first. A project with a parent may have no projects below it. Refuses NOT_FOUND (a
-- resource class or an aggregate), INVALID_INPUT (projects in more than two levels), SETTINGS_CONFLICT.
-- request: as for replace_settings, of the kind `project_quotas` (named like the project) or `default_quotas`; the body has `parent`, a project or null, and
-- `quotas` ([{user, consumerType, resourceClass, amount}]; also `aggregate`, a uuid, for what is held there).
create or replace function replace_quotas(request jsonb) returns jsonb language plpgsql as $$
declare
  project constant text := request #>> '{record,name}';
  parent constant text := request #>> '{record,body,parent}';
  missing text;
  was_below bigint;
  counted bigint[];
  written jsonb;
begin
  perform ask_for_quota_names(jsonb_build_array(request -> 'record'));
  perform pg_advisory_xact_lock(8778009, hashtext('records'::regclass::oid::text));
  select q ->> 'resourceClass' into missing from jsonb_array_elements(request #> '{record,body,quotas}') q
  where q ->> 'resourceClass' is not null and not exists (select from resource_classes rc where rc.name = q ->> 'resourceClass');
  if found then
    perform refuse('NOT_FOUND', jsonb_build_object('noun', 'resourceClass', 'key', missing));
  end if;
  select q ->> 'aggregate' into missing from jsonb_array_elements(request #> '{record,body,quotas}') q
  where q ->> 'aggregate' is not null and not exists (select from placement_aggregates a where a.uuid = (q ->> 'aggregate')::uuid);
  if found then
    perform refuse('NOT_FOUND', jsonb_build_object('noun', 'aggregate', 'key', missing));
  end if;
  if parent is not null and exists (
    select from project_parents below join projects p on p.id in (below.project_id, below.parent_id)
    where below.project_id = p.id and p.external_id = parent or below.parent_id = p.id and p.external_id = project
  ) then
    perform refuse('INVALID_INPUT', jsonb_build_object('message', 'parent must have no parent, and the project none below it: there are two levels'));
  end if;
  select below.parent_id into was_below from project_parents below join projects p on p.id = below.project_id where p.external_id = project;
  counted := array(
    select p.id from projects p where request #>> '{record,kind}' = 'default_quotas' or p.external_id in (project, parent) or p.id = was_below);
  perform from quota_uses q where q.project_id = any(counted) order by q.id for update;
  written := replace_settings(request);
  -- Equal ones, too: an import by an older release has not counted them.
  perform count_quotas(counted);
  return written;
end $$;
