-- Applies the report of a host: its tree, its devices one by one, and a record of facts that are not resources.
-- request: `root`; any of `providers` with the other input of apply_provider_tree, `devices` as for write_devices, `record` as for
-- write_record. Refuses what apply_provider_tree refuses, and returns its answer. Changes of devices and record are a separate event,
-- which is `eventId` when the tree is unchanged.
create or replace function apply_report(request jsonb) returns jsonb language plpgsql as $$
declare
  answer jsonb := '{"changes": {}, "names": {}, "warnings": [], "applied": true, "eventId": null}';
  root resource_providers;
  changes jsonb := '{}';
  event_id bigint;
begin
  if request ? 'providers' then
    answer := apply_provider_tree(request);
  end if;
  root := require_provider((request ->> 'root')::uuid, '{}');
  if request ? 'devices' then
    changes := write_devices(root.id, request -> 'devices');
  end if;
  if request ? 'record' then
    changes := changes || write_record(request -> 'record');
  end if;
  if changes <> '{}' then
    event_id := append_event(request ->> 'kind', request -> 'by', changes, '{}', array[root.uuid], '{}');
    if answer -> 'eventId' = 'null' then
      answer := answer || jsonb_build_object('eventId', event_id);
    end if;
  end if;
  return answer || jsonb_build_object('root', provider_row(root));
end $$;
