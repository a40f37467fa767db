-- Notes the aggregates in which what is held on these locked providers counts, before a write changes them: those of their roots (settle_zones). The forest is locked, too.
-- The first note of a provider in a write stays. The note is a setting of the transaction, so that a refusal takes it back: {provider: [aggregate]}, by ids.
create or replace function note_zones(provider_ids bigint[]) returns void language plpgsql as $$
declare
  noted jsonb;
  setting text;
begin
  if provider_ids = '{}' or not has_zones() then
    return;
  end if;
  select jsonb_object_agg(p.id, array(select m.aggregate_id from resource_provider_aggregates m where m.resource_provider_id = p.root_provider_id)) into noted
  from resource_providers p where p.id = any(provider_ids);
  setting := set_config('placement.zones', (coalesce(noted, '{}') || coalesce(noted_zones(), '{}'))::text, true);
end $$;
