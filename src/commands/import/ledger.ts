// The contents of our own ledger, in the form in which verification compares them with another Placement. Reads only.
import type { Db } from '../../db/sql/client.ts';

export interface OwnProvider {
  readonly name: string;
  readonly generation: number;
  readonly parent: string | null;
  /** By class. */
  readonly inventories: Readonly<Record<string, Readonly<Record<string, number>>>>;
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

/** All names of resource classes and traits. */
export async function listOwnNames(db: Db): Promise<{ resourceClasses: Set<string>; traits: Set<string> }> {
  const [classes, traits] = await Promise.all([
    db.sql<{ name: string }[]>`select name from resource_classes`,
    db.sql<{ name: string }[]>`select name from traits`,
  ]);
  return { resourceClasses: new Set(classes.map(({ name }) => name)), traits: new Set(traits.map(({ name }) => name)) };
}

/** The uuids of the aggregates that have a name, with it. */
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
