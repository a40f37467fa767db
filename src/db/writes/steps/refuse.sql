-- Ends a write with a named refusal (domain/errors.ts). Everything written so far is undone; apply_write returns the refusal as its answer.
create or replace function refuse(code text, details jsonb) returns void language plpgsql as $$
begin
  raise exception using errcode = 'RP001', message = code, detail = jsonb_build_object('code', code, 'details', details)::text;
end $$;
