-- Whether a root meets the condition of a caller who may write to some trees only (RootCondition). The traits of a root that this write creates do not
-- count: otherwise its creator could claim the tree by them.
create or replace function owns_root(condition jsonb, root resource_providers) returns boolean language plpgsql as $$
begin
  return case
    when condition ? 'name' then root.name = condition ->> 'name'
    when condition ? 'uuid' then root.uuid::text = condition ->> 'uuid'
    when condition ? 'trait' then root.created_at <> now() and exists (
      select from resource_provider_traits pt join traits t on t.id = pt.trait_id
      where pt.resource_provider_id = root.id and t.name = condition ->> 'trait')
    when condition ? 'not' then not owns_root(condition -> 'not', root)
    when condition ? 'all' then not exists (select from jsonb_array_elements(condition -> 'all') part where not owns_root(part, root))
    else exists (select from jsonb_array_elements(condition -> 'any') part where owns_root(part, root))
  end;
end $$;
