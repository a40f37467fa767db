// What every gateway ensures before it serves: the standard names exist, and no row refers to transactions of another server. Needs no more rights than serving
// does.

import { standardResourceClasses } from '../../domain/standard-resource-classes.ts';
import { standardTraits } from '../../domain/standard-traits.ts';
import type { Sql } from '../sql/client.ts';

/** Idempotent, and safe to call from many gateways at once. */
export async function prepareTables(sql: Sql): Promise<void> {
  await insertStandardNames(sql);
  await forgetForeignTransactions(sql);
}

async function insertStandardNames(sql: Sql): Promise<void> {
  await sql`
    insert into resource_classes (id, name)
    select * from unnest(${standardResourceClasses.map(({ id }) => id)}::int[], ${standardResourceClasses.map(({ name }) => name)}::text[])
    as standard (id, name) where not exists (select from resource_classes known where known.name = standard.name)
    on conflict do nothing`;
  await sql`
    insert into traits (name)
    select name from unnest(${[...standardTraits]}::text[]) as standard (name)
    where not exists (select from traits known where known.name = standard.name)
    on conflict do nothing`;
  await sql`insert into change_feed (pruned_xid) values ('0') on conflict do nothing`;
}

/** A dump restored into another server contains transaction ids of the old one: those that are in the future here would later be delivered as new. */
async function forgetForeignTransactions(sql: Sql): Promise<void> {
  await sql`delete from provider_changes where xid >= pg_snapshot_xmax(pg_current_snapshot())`;
  // 0 means: before any reader here.
  await sql`update events set xid = '0' where xid >= pg_snapshot_xmax(pg_current_snapshot())`;
  for (const table of ['resource_classes', 'traits', 'placement_aggregates']) {
    await sql`update ${sql(table)} set changed_xid = pg_current_xact_id() where changed_xid >= pg_snapshot_xmax(pg_current_snapshot())`;
  }
  await sql`
    update change_feed set names_deleted_xid = pg_current_xact_id() where names_deleted_xid >= pg_snapshot_xmax(pg_current_snapshot())`;
  // No reader of this server has a position in the old one, so none can miss what was pruned there.
  await sql`update change_feed set pruned_xid = '0' where pruned_xid >= pg_snapshot_xmax(pg_current_snapshot())`;
}
