-- The single entry point of all writes: runs the function of an operation and returns its answer, or `{"refusal": …}`, or
-- `{"unknownNames": …}` when it must be called again after they exist (ask_for_names).
--
-- Refusals are caught only here, so that functions can call each other and a refusal still undoes everything: the block is a
-- subtransaction, except for claim_together. A dry run ends the same way, with its result as the detail. All other errors propagate.
--
-- operation: its name, followed by the form of the request unless that is the first, as in `reshape.2` (operations.ts). An unknown one raises RV001:
-- of another class than RP000, which catches its whole class.
--
-- request: `kind` of the event, `by` (user, project, roles, requestId), and the input of the operation. Optionally `idempotency`:
-- `principal`, `operation` (what the caller called), `key`, `hash` of the input, and `besides`, stored with the answer.
-- `owned`: the caller may write to some trees only (begin_owned_write, end_owned_write).
-- A repeated key returns the stored answer with `replayed`; refusals are not stored.
--
-- Lock order. Every write locks things of these kinds in this order; any other order can deadlock. Parentheses give the order within a kind.
-- test/db/writes/lock-order.test.ts reads this list, and observes what each operation holds while it waits.
--   1. bridge (shared; alone for a write of quotas): fence_write
--   2. idempotency key
--   3. program (by id): the one that a host reports, or those that keep the records of a root (lock_keepers)
--   4. group: of consumers with affinity (replace_allocations), all quotas (replace_quotas, delete_resource_class), or all names of classes (rename_resource_class)
--   5. forest: before a write changes the shape of a tree or the name of a provider (lock_forest)
--   6. class (by id): lock_names
--   7. class name: the new name of a class
--   8. trait (by id): lock_names
--   9. trait name: the name of a new trait
--   10. aggregate key: the uuid of a new aggregate (ensure_aggregates)
--   11. consumer (by uuid): one that exists (lock_consumers)
--   12. reservation (by id): lock_reservations
--   13. new consumer (by uuid)
--   14. provider (by id): lock_providers
--   15. provider name: several only under the forest
--   16. inventory
--   17. quota (by id): take_quotas, lock_quotas
--   18. aggregate (by id)
--   19. aggregate name
--   20. record (by uuid)
--   21. record name
--   22. usage sums: mend_derived
--   23. change feed
-- Projects, users and types of consumers are committed before the write (ask_for_names).
--
-- Three steps lock providers out of this order: begin_owned_write (the roots of hosts, before the key), end_owned_write (the new root of a provider that was
-- placed) and give_way_to_pools (roots that a pool begins to serve, after quotas; there also consumers, but it never waits for them: await_consumers). A write whose
-- patience is limited waits for no provider (blocked_by), or for one only (`awaited`, its uuid). If others deadlock, Postgres ends one, and
-- the gateway repeats it (apply-write.ts).
create or replace function apply_write(operation text, request jsonb) returns jsonb language plpgsql as $$
declare
  result jsonb;
  detail text;
  setting text;
begin
  perform fence_write(request);
  if request ? 'patience' then
    -- An assignment, because it executes no statement.
    setting := set_config('placement.skip_locked', 'on', true);
    if request ? 'awaited' then
      setting := set_config('placement.awaited', request ->> 'awaited', true);
      setting := set_config('placement.awaited_for', current_setting('lock_timeout'), true);
    end if;
    if request ->> 'patience' = 'briefly' then
      setting := set_config('lock_timeout', '250ms', true);
    end if;
  end if;
  -- The block below is a subtransaction, which takes a transaction id of its own: claims that share a call do without it.
  case operation
    <<runBare>>
    else null;
  end case;
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
      <<runInBlock>>
      else raise sqlstate 'RV001' using message = format('apply_write does not serve %s', operation);
    end case;
    if request ? 'owned' then
      perform end_owned_write(result);
    end if;
    if operation in (<<givingWay>>) then
      perform give_way_to_pools(request);
    end if;
    if current_setting('placement.zones', true) <> '' then
      perform settle_zones();
    end if;
    if request ? 'idempotency' then
      perform keep_answers(jsonb_build_array(request -> 'idempotency'), array[result || '{"form": 1}']);
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
