-- The parts of a claim_together in which consumers exist, with what the gateway could not know: their whole changes, and the providers, projects and classes that these
-- concern. `uses`: how many parts raise the generation of each provider.
-- states: the states of the existing consumers, by uuid. Allocations, and releases as negative amounts, have the form that take_room takes; `row_parts` is the part of each.
-- Parts that were left out have none.
create or replace function known_parts(
  inout parts jsonb, states jsonb, provider_ids bigint[], row_providers int[], class_ids int[], row_classes int[], row_parts int[], out uses bigint[]
) language plpgsql as $$
begin
  with part as materialized (
    select (body ->> 'place')::int as place, body, body ? 'keepGenerations' as keeps from jsonb_array_elements(parts) body
  ), used as materialized (
    select distinct row_parts[n] as place, row_providers[n] as provider from generate_series(1, cardinality(row_parts)) n
  ), turn as materialized (
    select place, provider, count(*) over (partition by provider order by place rows between 1 following and unbounded following) as later
    from used join part using (place) where not keeps
  ), provider as materialized (
    select used.place, jsonb_agg(p.uuid order by used.provider) as uuids, coalesce(jsonb_agg(used.provider order by used.provider) filter (where turn.later is not null), '[]') as turns,
           coalesce(jsonb_agg(turn.later order by used.provider) filter (where turn.later is not null), '[]') as later
    from used
    join resource_providers p on p.id = provider_ids[used.provider]
    left join turn using (place, provider)
    group by 1
  ), class as materialized (
    select row_parts[n] as place, jsonb_agg(distinct rc.name) as names
    from generate_series(1, cardinality(row_parts)) n join resource_classes rc on rc.id = class_ids[row_classes[n]]
    group by 1
  )
  select jsonb_agg(case when provider.place is null then body else body || jsonb_build_object(
           'providers', provider.uuids, 'turns', provider.turns, 'later', provider.later, 'classes', class.names, 'projects', concerned.projects,
           'changes', changed.changes) end order by part.place),
         array(select (select count(*) from turn where turn.provider = n) from generate_series(1, cardinality(provider_ids)) n order by n)
  into parts, uses
  from part
  left join provider using (place)
  left join class using (place)
  cross join lateral (
    select jsonb_agg(distinct project) as projects
    from (
      select project from jsonb_array_elements_text(body -> 'projects') project
      union all
      select states -> consumer ->> 'project' from jsonb_array_elements_text(body -> 'consumers') consumer where states ? consumer
    ) named
  ) concerned
  cross join lateral (
    select jsonb_object_agg(uuid, case when states ? uuid then jsonb_build_object('before', states -> uuid, 'after', case jsonb_typeof(change -> 'after')
      when 'object' then (states -> uuid) || (change -> 'after') || jsonb_build_object('generation', (states -> uuid ->> 'generation')::bigint + 1) end)
      else change end) as changes
    from jsonb_each(body -> 'changes') as _(uuid, change)
  ) changed;
end $$;
