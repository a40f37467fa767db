-- Asks for the projects, users and types of consumers that records of quotas name and that are unknown: what is used is kept by their ids.
create or replace function ask_for_quota_names(records jsonb) returns void language plpgsql as $$
declare
  owners record;
begin
  owners := owner_ids(
    array(select r ->> 'name' from jsonb_array_elements(records) r where r ->> 'kind' = 'project_quotas' union
      select r #>> '{body,parent}' from jsonb_array_elements(records) r where r ->> 'kind' = 'project_quotas'),
    array(select distinct l ->> 'user' from jsonb_array_elements(records) r cross join jsonb_array_elements(r #> '{body,quotas}') l
      where r ->> 'kind' in ('project_quotas', 'default_quotas')),
    array(select distinct l ->> 'consumerType' from jsonb_array_elements(records) r cross join jsonb_array_elements(r #> '{body,quotas}') l
      where r ->> 'kind' in ('project_quotas', 'default_quotas')));
  if owners.unknown is not null then
    perform ask_for_names(owners.unknown);
  end if;
end $$;
