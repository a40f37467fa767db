// Describes the changes of a write in terms of a tree: a provider created or moved, an inventory set, a trait added …
import type { Changes, SubjectChange } from '../../domain/event.ts';

export type TreeChangeKind =
  | 'CREATE'
  | 'DELETE'
  | 'MOVE'
  | 'RENAME'
  | 'SET_INVENTORY'
  | 'DELETE_INVENTORY'
  | 'ADD_TRAIT'
  | 'REMOVE_TRAIT'
  | 'ADD_AGGREGATE'
  | 'REMOVE_AGGREGATE'
  | 'REPLACE_ALLOCATIONS';

export interface TreeChange {
  readonly kind: TreeChangeKind;
  readonly resourceProviderUuid: string | null;
  readonly consumerUuid: string | null;
  readonly name: string;
  readonly resourceClassName: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

type Unnamed = Omit<TreeChange, 'name'> & { readonly name: string | null };

/**
 * The changes of a write as changes of a tree: first of the providers with these names in this order, then of others by name, then of consumers.
 * `nameOf`: names by uuid.
 */
export function describeTreeChanges(
  { providers = {}, consumers = {} }: Changes,
  names: readonly string[],
  nameOf: Readonly<Record<string, string>>,
): TreeChange[] {
  const places = new Map(names.map((name, place) => [name, place]));
  const placeOf = ({ name, consumerUuid }: TreeChange) => (consumerUuid === null ? (places.get(name) ?? names.length) : names.length + 1);
  const changes: Unnamed[] = [
    ...Object.entries(providers).flatMap(([uuid, change]) => describeProvider(uuid, change)),
    ...Object.entries(consumers).map(([uuid, { before, after }]) => ({
      kind: 'REPLACE_ALLOCATIONS' as const,
      resourceProviderUuid: null,
      consumerUuid: uuid,
      name: uuid,
      resourceClassName: null,
      before: json(before?.allocations),
      after: json(after?.allocations),
    })),
  ];
  // The changes contain no name for providers that were not renamed.
  const named = changes.map((change) => ({ ...change, name: change.name ?? nameOf[change.resourceProviderUuid ?? ''] ?? '' }));
  return named.sort((a, b) => placeOf(a) - placeOf(b) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function describeProvider(uuid: string, { before, after }: SubjectChange): Unnamed[] {
  const name = ((after ?? before)?.name as string | undefined) ?? null;
  const change = (kind: TreeChangeKind, from: string | null, to: string | null, resourceClassName: string | null = null): Unnamed => ({
    kind,
    resourceProviderUuid: uuid,
    consumerUuid: null,
    name,
    resourceClassName,
    before: from,
    after: to,
  });
  const parts: Unnamed[] = [];
  if (before === null) parts.push(change('CREATE', null, name));
  if (after === null) return [change('DELETE', name, null)];
  if (before?.name !== undefined && before.name !== after.name) parts.push(change('RENAME', text(before.name), text(after.name)));
  if (before?.parent !== undefined && before.parent !== after.parent) parts.push(change('MOVE', text(before.parent), text(after.parent)));
  const had = (before?.inventories ?? {}) as Record<string, unknown>;
  const has = (after.inventories ?? {}) as Record<string, unknown>;
  for (const resourceClass of new Set([...Object.keys(had), ...Object.keys(has)])) {
    if (json(had[resourceClass]) === json(has[resourceClass])) continue;
    const kind = resourceClass in has ? 'SET_INVENTORY' : 'DELETE_INVENTORY';
    parts.push(change(kind, json(had[resourceClass]), json(has[resourceClass]), resourceClass));
  }
  const difference = (part: 'traits' | 'aggregates', added: TreeChangeKind, removed: TreeChangeKind): Unnamed[] => {
    const old = (before?.[part] ?? []) as string[];
    const now = (after[part] ?? []) as string[];
    return [
      ...now.filter((one) => !old.includes(one)).map((one) => change(added, null, one)),
      ...old.filter((one) => !now.includes(one)).map((one) => change(removed, one, null)),
    ];
  };
  return [...parts, ...difference('traits', 'ADD_TRAIT', 'REMOVE_TRAIT'), ...difference('aggregates', 'ADD_AGGREGATE', 'REMOVE_AGGREGATE')];
}

function json(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
