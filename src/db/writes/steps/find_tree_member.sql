-- Finds the existing provider of a desired one: by uuid, as the root, or else by name. A row of nulls when it is new.
-- members: ids of all current descendants of the root. Refuses DUPLICATE for a provider of another tree, INVALID_INPUT for a root with a
-- parent.
create or replace function find_tree_member(root text, members bigint[], desired jsonb) returns resource_providers language plpgsql as $$
declare
  is_root boolean := desired ->> 'parent' is null;
  wanted_uuid uuid := coalesce((desired ->> 'uuid')::uuid, case when is_root then root::uuid end);
  member resource_providers;
begin
  if wanted_uuid is not null then
    select * into member from resource_providers p where p.uuid = wanted_uuid;
  else
    select * into member from resource_providers p where p.name = desired ->> 'name';
  end if;
  if member.id is null then
    return null;
  end if;
  if not member.id = any(members) then
    perform refuse_duplicate_provider(wanted_uuid, desired ->> 'name');
  end if;
  if is_root and member.parent_provider_id is not null then
    perform refuse('INVALID_INPUT', jsonb_build_object('message', 'root has a parent: apply the tree that it belongs to'));
  end if;
  return member;
end $$;
