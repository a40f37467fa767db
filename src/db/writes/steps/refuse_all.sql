-- refuse with several reasons, the first of which serves callers that report only one. reasons: `[{code, details}]`, at least one; at most
-- the first 100 are returned, with `truncated` if there are more.
create or replace function refuse_all(reasons jsonb) returns void language plpgsql as $$
begin
  raise exception using errcode = 'RP001', message = reasons -> 0 ->> 'code', detail = ((reasons -> 0) || case when jsonb_array_length(reasons) > 1 then jsonb_build_object(
    'others', jsonb_path_query_array(reasons, '$[1 to 99]'), 'truncated', jsonb_array_length(reasons) > 100) else '{}' end)::text;
end $$;
