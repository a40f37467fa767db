-- Moves a provider under another parent, or makes it a root (null), and updates the root of all its descendants.
-- Step of update_resource_provider and apply_provider_tree; the forest and the whole subtree are locked. Bumps nothing. Refuses PARENT_LOOP.
create or replace function place_provider(moved resource_providers, parent resource_providers) returns void language plpgsql as $$
declare
  root constant bigint := coalesce(parent.root_provider_id, moved.id);
  below bigint[] := subtree_ids(moved.id);
begin
  if parent.id = any(below) then
    perform refuse('PARENT_LOOP', jsonb_build_object('provider', moved.uuid, 'parent', parent.uuid));
  end if;
  if root <> moved.root_provider_id then
    perform note_zones(below);
  end if;
  update resource_providers p set parent_provider_id = parent.id where p.id = moved.id;
  update resource_providers p set root_provider_id = root where p.id = any(below);
  perform mark_changed(below);
end $$;
