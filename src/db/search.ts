// Finds things of several kinds by a part of their name or by their uuid, with one statement.
import { type SQL, sql } from 'drizzle-orm';
import { containsText, startsWithText } from './sql/caseless.ts';
import type { Db } from './sql/client.ts';

interface Source {
  readonly table: SQL;
  readonly key: SQL;
  /** Null for things without a name. */
  readonly name: SQL | null;
  /** Null for things without a uuid. */
  readonly uuid: SQL | null;
  /** Whether a row belongs to a project; null for things that belong to none. */
  readonly isOf: ((project: string) => SQL) | null;
}

const name = sql`name`;
const uuid = sql`uuid`;
const uuidText = sql`uuid::text`;
const externalId = sql`external_id`;

const sources = {
  ResourceProvider: { table: sql`resource_providers`, key: uuidText, name, uuid, isOf: null },
  Consumer: {
    ...{ table: sql`consumers`, key: uuidText, name: null, uuid },
    isOf: (project: string) => sql`project_id = (select id from projects where external_id = ${project})`,
  },
  Aggregate: { table: sql`placement_aggregates`, key: uuidText, name, uuid, isOf: null },
  Project: {
    ...{ table: sql`projects`, key: externalId, name: externalId, uuid: null },
    isOf: (project: string) => sql`external_id = ${project}`,
  },
  ResourceClass: { table: sql`resource_classes`, key: name, name, uuid: null, isOf: null },
  Trait: { table: sql`traits`, key: name, name, uuid: null, isOf: null },
} satisfies Record<string, Source>;

/** What can be found. */
export type SearchedKind = keyof typeof sources;

/** A thing by its public key. */
export interface FoundKey {
  readonly kind: SearchedKind;
  readonly key: string;
}

interface Wanted {
  readonly text: string;
  /** The text as a uuid; null if it is not one. */
  readonly uuid: string | null;
  /** Things of other projects are left out; null: none are. */
  readonly ownProject: string | null;
  /** Of each kind. */
  readonly most: number;
}

/** The keys of things that have this uuid, or a name with this text: kind by kind, names that begin with it first. */
export async function selectFound({ orm }: Db, kinds: readonly SearchedKind[], wanted: Wanted): Promise<FoundKey[]> {
  const selections = kinds.flatMap((kind) => selectionOf(kind, wanted) ?? []);
  if (selections.length === 0) return [];
  return orm.execute<FoundKey & Record<string, unknown>>(sql.join(selections, sql` union all `));
}

function selectionOf(kind: SearchedKind, { text, uuid: sought, ownProject, most }: Wanted): SQL | null {
  const source: Source = sources[kind];
  const matches = [
    ...(source.name === null ? [] : [containsText(source.name, text)]),
    ...(source.uuid === null || sought === null ? [] : [sql`${source.uuid} = ${sought}::uuid`]),
  ];
  if (matches.length === 0) return null;
  const isOwn = ownProject === null || source.isOf === null ? sql`` : sql`and ${source.isOf(ownProject)}`;
  const order =
    source.name === null ? source.key : sql`${startsWithText(source.name, text)} desc, length(${source.name}), ${source.name} collate "C"`;
  return sql`(
    select ${kind}::text as kind, ${source.key} as key from ${source.table} where (${sql.join(matches, sql` or `)}) ${isOwn}
    order by ${order} limit ${most})`;
}
