-- The parts of a claim_together in which consumers exist, with what the gateway could not know: their events, as for append_events, and their changes, null for
-- one that was left out. Step of claim_together, after it has raised the generations of the providers.
-- states, generations, projects: of the consumers before, null for new ones. keeps: the parts that keep the generations of their providers.
-- Allocations, and releases as negative amounts, have the form that take_room takes; `row_parts` is the part of each.
-- As json, which is assembled as text and parsed once: an object of jsonb is decoded and encoded again for every object that contains it.
create or replace function known_parts(
  parts jsonb, apart int[], keeps boolean[], uuids uuid[], part_of int[], states json[], generations bigint[], projects text[],
  provider_ids bigint[], row_providers int[], class_ids int[], row_classes int[], row_parts int[], out events jsonb, out changes jsonb[]
) language plpgsql as $$
begin
  with consumer as materialized (
    select part_of[n] as place, json_agg(projects[n]) filter (where projects[n] is not null) as projects, json_object_agg(uuids[n], case
             when states[n] is null then json_build_object('before', null, 'after', after)
             when jsonb_typeof(after) = 'null' then json_build_object('before', states[n], 'after', null)
             else json_build_object('before', states[n], 'after', json_build_object(
               'generation', generations[n] + 1, 'project', coalesce(after ->> 'project', projects[n]), 'user', coalesce(after ->> 'user', states[n] ->> 'user'),
               'type', case when after ? 'type' then after ->> 'type' else states[n] ->> 'type' end, 'allocations', after -> 'allocations')) end) as changes
    from generate_series(1, cardinality(uuids)) n
    cross join lateral (select parts #> array[part_of[n]::text, 'changes', uuids[n]::text, 'after'] as after offset 0) wanted
    group by 1
  ), provider as materialized (
    select place, json_agg(p.uuid order by provider) as uuids, json_object_agg(p.uuid, generation_change(p.generation - later)) filter (where not keeps[place + 1]) as changes
    from (
      select place, provider, count(*) filter (where not keeps[place + 1]) over (partition by provider order by place rows between 1 following and unbounded following) as later
      from (select distinct row_parts[n] as place, row_providers[n] as provider from generate_series(1, cardinality(row_parts)) n) used
    ) turn
    cross join lateral (select p.uuid, p.generation from resource_providers p where p.id = provider_ids[provider] offset 0) p
    group by 1
  ), class as materialized (
    select place, json_agg(rc.name) as names
    from (select distinct row_parts[n] as place, class_ids[row_classes[n]] as id from generate_series(1, cardinality(row_parts)) n) held
    join resource_classes rc using (id)
    group by 1
  )
  select json_agg(json_build_object(
           'by', part -> 'by', 'kind', part -> 'kind', 'consumers', part -> 'consumers', 'providers', coalesce(provider.uuids, '[]'),
           'projects', (part -> 'projects') || coalesce(consumer.projects::jsonb, '[]'), 'classes', coalesce(class.names, '[]')) order by n)::jsonb,
         array_agg(case
           when n - 1 = any(apart) then null
           when provider.changes is null then json_build_object('consumers', consumer.changes)
           else json_build_object('consumers', consumer.changes, 'providers', provider.changes) end::jsonb order by n)
  into events, changes
  from jsonb_array_elements(parts) with ordinality as _(part, n)
  left join consumer on consumer.place = n - 1 left join provider on provider.place = n - 1 left join class on class.place = n - 1;
end $$;
