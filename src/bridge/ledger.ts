// The contents of our own ledger, in the form in which verification compares them with another Placement. Reads only.
import type { Db } from '../db/sql/client.ts';
import type { InventoryRecord } from '../domain/inventory.ts';

export interface OwnProvider {
  readonly name: string;
  readonly generation: number;
  readonly parent: string | null;
  /** By class. */
  readonly inventories: Readonly<Record<string, InventoryRecord>>;
  readonly traits: readonly string[];
  readonly aggregates: readonly string[];
  /** By class, including all classes that it has. */
  readonly used: Readonly<Record<string, number>>;
}

export interface OwnConsumer {
  readonly generation: number;
  readonly project: string;
  readonly user: string;
  readonly type: string | null;
  readonly allocations: readonly { readonly provider: string; readonly resourceClass: string; readonly amount: number }[];
}

/** What both sides must have alike of a consumer. Each side counts its own generations while this ledger leads. */
export function comparable(
  { generation, project, user, type, allocations }: OwnConsumer,
  { generations }: { readonly generations: boolean },
): OwnConsumer {
  const keyOf = ({ provider, resourceClass }: OwnConsumer['allocations'][number]) => `${provider} ${resourceClass}`;
  return {
    generation: generations ? generation : 0,
    project,
    user,
    type,
    allocations: allocations.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
  };
}

/** All names of resource classes and traits. */
export async function listOwnNames(db: Db): Promise<{ resourceClasses: Set<string>; traits: Set<string> }> {
  const [classes, traits] = await Promise.all([
    db.sql<{ name: string }[]>`select name from resource_classes`,
    db.sql<{ name: string }[]>`select name from traits`,
  ]);
  return { resourceClasses: new Set(classes.map(({ name }) => name)), traits: new Set(traits.map(({ name }) => name)) };
}

/** The names of aggregates, by uuid. */
export async function listNamedAggregates(db: Db): Promise<Map<string, string>> {
  const rows = await db.sql<{ uuid: string; name: string }[]>`select uuid, name from placement_aggregates where name is not null`;
  return new Map(rows.map(({ uuid, name }) => [uuid, name]));
}

/** The uuids of all providers and consumers. */
export async function listOwnUuids(db: Db): Promise<{ providers: string[]; consumers: string[] }> {
  const [providers, consumers] = await Promise.all([
    db.sql<{ uuid: string }[]>`select uuid from resource_providers order by id`,
    db.sql<{ uuid: string }[]>`select uuid from consumers order by id`,
  ]);
  return { providers: providers.map(({ uuid }) => uuid), consumers: consumers.map(({ uuid }) => uuid) };
}

/** The providers with these uuids, if they exist, by uuid. */
export async function readOwnProviders(db: Db, uuids: readonly string[]): Promise<Map<string, OwnProvider>> {
  const rows = await db.sql<{ uuid: string; state: OwnProvider }[]>`
    select p.uuid, provider_state(p.id) || jsonb_build_object('used', (
      select coalesce(jsonb_object_agg(rc.name, i.used), '{}')
      from inventories i join resource_classes rc on rc.id = i.resource_class_id
      where i.resource_provider_id = p.id
    )) as state
    from resource_providers p where p.uuid = any(${uuids}::uuid[])`;
  // The order in the database depends on its locale.
  return new Map(rows.map(({ uuid, state }) => [uuid, { ...state, traits: state.traits.toSorted() }]));
}

/** The consumers with these uuids, if they exist, by uuid. */
export async function readOwnConsumers(db: Db, uuids: readonly string[]): Promise<Map<string, OwnConsumer>> {
  const [row] = await db.sql<{ states: Record<string, OwnConsumer> }[]>`
    select consumer_states(array(select c.id from consumers c where c.uuid = any(${uuids}::uuid[]))) as states`;
  return new Map(Object.entries(row?.states ?? {}));
}

/** All providers as in a list, children before their parents. */
export async function listOwnProviders(
  db: Db,
): Promise<(Pick<OwnProvider, 'name' | 'generation' | 'parent'> & { readonly uuid: string })[]> {
  return db.sql`
    with recursive placed(id, depth) as (
      select p.id, 0 from resource_providers p where p.parent_provider_id is null
      union all
      select child.id, placed.depth + 1 from placed join resource_providers child on child.parent_provider_id = placed.id
    )
    select p.uuid, p.name, p.generation::float8 as generation, parent.uuid as parent
    from placed join resource_providers p using (id) left join resource_providers parent on parent.id = p.parent_provider_id
    order by placed.depth desc, p.id`;
}

/** The parents of the providers with these uuids that exist. */
export async function listOwnParents(db: Db, uuids: readonly string[]): Promise<Map<string, string | null>> {
  const rows = await db.sql<{ uuid: string; parent: string | null }[]>`
    select p.uuid, parent.uuid as parent
    from resource_providers p left join resource_providers parent on parent.id = p.parent_provider_id
    where p.uuid = any(${uuids}::uuid[])`;
  return new Map(rows.map(({ uuid, parent }) => [uuid, parent]));
}

/** The uuids of the consumers with allocations of one of these classes. */
export async function listConsumersWith(db: Db, resourceClasses: readonly string[]): Promise<Set<string>> {
  if (resourceClasses.length === 0) return new Set();
  const rows = await db.sql<{ uuid: string }[]>`
    select distinct c.uuid
    from resource_classes rc join inventories i on i.resource_class_id = rc.id
    join allocations a on a.resource_provider_id = i.resource_provider_id and a.resource_class_id = rc.id
    join consumers c on c.id = a.consumer_id
    where rc.name = any(${resourceClasses})`;
  return new Set(rows.map(({ uuid }) => uuid));
}

/** The uuids of the providers with inventories of one of these classes. */
export async function listProvidersWith(db: Db, resourceClasses: readonly string[]): Promise<Set<string>> {
  if (resourceClasses.length === 0) return new Set();
  const rows = await db.sql<{ uuid: string }[]>`
    select distinct p.uuid
    from resource_classes rc join inventories i on i.resource_class_id = rc.id join resource_providers p on p.id = i.resource_provider_id
    where rc.name = any(${resourceClasses})`;
  return new Set(rows.map(({ uuid }) => uuid));
}

/** The amounts that consumers hold on providers, by provider, consumer and class. */
export async function readOwnHoldings(db: Db, providers: readonly string[]): Promise<Map<string, Record<string, Record<string, number>>>> {
  const rows = await db.sql<{ uuid: string; holdings: Record<string, Record<string, number>> }[]>`
    select held.uuid, jsonb_object_agg(held.consumer, held.amounts) as holdings
    from (
      select p.uuid, c.uuid as consumer, jsonb_object_agg(rc.name, a.used) as amounts
      from resource_providers p join allocations a on a.resource_provider_id = p.id
      join consumers c on c.id = a.consumer_id join resource_classes rc on rc.id = a.resource_class_id
      where p.uuid = any(${providers}::uuid[]) group by p.uuid, c.uuid
    ) held group by held.uuid`;
  return new Map(rows.map(({ uuid, holdings }) => [uuid, holdings]));
}

/** The beginning of the global request id of each event of an import of an export. */
export const importOfExport = 'req-import-';

/**
 * Whether anything in the ledger was written by a caller of the APIs: imports from another Placement have no user. What comes from an export was written by callers of
 * the ledger that was exported.
 */
export async function hasWritesOfCallers(db: Db): Promise<boolean> {
  const [row] = await db.sql<{ found: boolean }[]>`
    select exists (select from events where user_external_id is not null)
      or exists (select from events where starts_with(global_request_id, ${importOfExport})) as found`;
  return row?.found ?? true;
}
