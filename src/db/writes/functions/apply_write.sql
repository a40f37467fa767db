-- The single entry point of all writes: runs the function of an operation and returns its answer, or `{"refusal": …}`, or
-- `{"unknownNames": …}` when it must be called again after they exist (ask_for_names).
--
-- Refusals are caught only here, so that functions can call each other and a refusal still undoes everything: the block is a
-- subtransaction, except for claim_together. A dry run ends the same way, with its result as the detail. All other errors propagate.
--
-- request: `kind` of the event, `by` (user, project, roles, requestId), and the input of the operation. Optionally `idempotency`:
-- `principal`, `operation` (what the caller called), `key`, `hash` of the input, and `besides`, stored with the answer.
-- `owned`: the caller may write to some trees only (begin_owned_write, end_owned_write).
-- A repeated key returns the stored answer with `replayed`; refusals are not stored.
-- The lock order is the same everywhere: idempotency key, the group of consumers (replace_allocations), forest, resource classes by id (then the name that one is given), traits by id,
-- new aggregates, consumers by uuid (those that exist before new ones), providers by id, aggregates, records, the change feed.
-- Only give_way_to_pools comes back to providers and consumers, of roots that a pool begins to serve; for consumers it does not wait (await_consumers).
create or replace function apply_write(operation text, request jsonb) returns jsonb language plpgsql as $$
declare
  result jsonb;
  detail text;
  setting text;
begin
  if request ? 'patience' then
    -- Assigned, since that takes no execution of a statement.
    setting := set_config('placement.skip_locked', 'on', true);
    if request ->> 'patience' = 'briefly' then
      setting := set_config('lock_timeout', '250ms', true);
    end if;
  end if;
  if operation = 'claim_together' then
    -- The block below is a subtransaction, which takes a transaction id of its own.
    return claim_together(request);
  end if;
  begin
    if request ? 'owned' then
      perform begin_owned_write(operation, request);
    end if;
    if request ? 'idempotency' then
      result := find_first_answer(request -> 'idempotency');
      if result is not null then
        if request ? 'owned' then
          perform end_owned_write(result);
        end if;
        return result;
      end if;
    end if;
    -- A case statement rather than an expression, so that only the branch taken is planned. Claims come first.
    case operation
      when 'replace_allocations', 'move_allocations', 'release_allocations' then result := replace_allocations(request);
      when 'keep_answer' then result := request -> 'answer';
      when 'create_resource_provider' then result := create_resource_provider(request);
      when 'update_resource_provider' then result := update_resource_provider(request);
      when 'delete_resource_provider' then result := delete_resource_provider(request);
      when 'replace_inventories' then result := replace_inventories(request);
      when 'patch_inventories' then result := patch_inventories(request);
      when 'replace_traits' then result := replace_traits(request);
      when 'patch_traits' then result := patch_traits(request);
      when 'replace_aggregates' then result := replace_aggregates(request);
      when 'name_aggregate' then result := name_aggregate(request);
      when 'create_trait' then result := create_trait(request);
      when 'delete_trait' then result := delete_trait(request);
      when 'create_resource_class' then result := create_resource_class(request);
      when 'rename_resource_class' then result := rename_resource_class(request);
      when 'delete_resource_class' then result := delete_resource_class(request);
      when 'reshape' then result := reshape(request);
      when 'apply_provider_tree' then result := apply_provider_tree(request);
      when 'apply_report' then result := apply_report(request);
      when 'report_service' then result := report_service(request);
      when 'import_records' then result := import_records(request);
      when 'import_services' then result := import_services(request);
      when 'import_resource_providers' then result := import_resource_providers(request);
      when 'import_consumers' then result := import_consumers(request);
      when 'mend_derived' then result := mend_derived(request);
      else raise exception 'apply_write knows no %', operation;
    end case;
    if request ? 'owned' then
      perform end_owned_write(result);
    end if;
    if operation in ('update_resource_provider', 'replace_inventories', 'patch_inventories', 'replace_traits', 'patch_traits', 'replace_aggregates',
        'reshape', 'apply_provider_tree', 'apply_report', 'import_resource_providers', 'import_records') then
      perform give_way_to_pools(request);
    end if;
    if request ? 'idempotency' then
      perform keep_answer(request -> 'idempotency', result);
    end if;
    return result;
  exception
    when sqlstate 'RP003' then
      get stacked diagnostics detail = pg_exception_detail;
      return jsonb_build_object('locked', detail::jsonb);
    when sqlstate 'RP004' then
      get stacked diagnostics detail = pg_exception_detail;
      perform await_consumers(array(select jsonb_array_elements_text(detail::jsonb))::uuid[]);
    when sqlstate 'RP001' then
      get stacked diagnostics detail = pg_exception_detail;
      return jsonb_build_object('refusal', detail::jsonb);
    when sqlstate 'RP002' then
      get stacked diagnostics detail = pg_exception_detail;
      return jsonb_build_object('unknownNames', detail::jsonb);
    when sqlstate 'RP000' then
      get stacked diagnostics detail = pg_exception_detail;
      return detail::jsonb;
  end;
end $$;
