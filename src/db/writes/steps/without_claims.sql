-- The request of claim_together without some of its parts (places): what joinClaims makes of the rest, but for `consumers` and `rows`.
create or replace function without_claims(request jsonb, gone int[]) returns jsonb language sql immutable as $$
  with kept as materialized (
    select row_number() over (order by p.place) - 1 as place, p.place as old_place, p.part, p.named, jsonb_array_length(p.part -> 'consumers') as consumers
    from (
      select (part ->> 'place')::int as place, part, array(select jsonb_array_elements_text(part -> 'providers')) as named
      from jsonb_array_elements(request -> 'parts') part
    ) p
    where not p.place = any(gone)
  ),
  turns as materialized (
    select place, uuid, ordinal, count(*) over (partition by uuid) as claims,
           count(*) over (partition by uuid order by place desc rows between unbounded preceding and 1 preceding) as later
    from kept cross join unnest(named) with ordinality as _(uuid, ordinal)
  )
  select request || jsonb_build_object(
    'parts', (
      select jsonb_agg(part || jsonb_build_object('place', place, 'first', first, 'later', later) order by place)
      from (
        select place, part, sum(consumers) over (order by place) - consumers as first,
               (select jsonb_agg(t.later order by t.ordinal) from turns t where t.place = kept.place) as later
        from kept
      ) renumbered),
    'providers', (select jsonb_agg(distinct jsonb_build_object('uuid', uuid, 'claims', claims)) from turns),
    'keys', (
      select coalesce(jsonb_agg(k || jsonb_build_object('place', kept.place) order by kept.place), '[]')
      from jsonb_array_elements(request -> 'keys') k join kept on kept.old_place = (k ->> 'place')::int))
$$;
