-- The ids of classes by their names, null for an unknown one. To be read under the locks of the providers: no class that these have can be renamed any more.
create or replace function class_ids_of(names text[]) returns int[] language plpgsql as $$
begin
  return array(select (select c.id from resource_classes c where c.name = names[n]) from generate_series(1, cardinality(names)) n order by n);
end $$;
