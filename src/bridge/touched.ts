// Which objects a write of the REST API may change, read from its method, path and body alone: those that must be read back from the other Placement afterwards.
import type { NotedObject } from '../db/bridge.ts';
import { findTextFault, maxNameLength } from '../domain/text.ts';
import { parseLooseUuid, parseUuid } from '../domain/uuid.ts';

/** A request below the API's mount. */
export interface Write {
  readonly method: string;
  /** Such as `/allocations/…`, percent-encoded, without the query. */
  readonly path: string;
  /** Its body, parsed; undefined if it has none or is malformed. */
  readonly content: unknown;
}

/** None for a request that changes nothing, also because the other side will refuse it: it is malformed. */
export function touchedBy({ method, path, content: sent }: Write): readonly NotedObject[] {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return [];
  const [noun = '', key] = path.split('/').slice(1).map(decode);
  const content = asObject(sent);
  switch (noun) {
    case 'allocations':
      return key
        ? [...consumers([key]), ...holding([content])]
        : [...consumers(Object.keys(content)), ...holding(Object.values(content).map(asObject))];
    case 'reshaper': {
      const allocations = objectAt(content, 'allocations');
      return [
        ...providers(Object.keys(objectAt(content, 'inventories'))),
        ...consumers(Object.keys(allocations)),
        ...holding(Object.values(allocations).map(asObject)),
      ];
    }
    case 'resource_providers':
      if (key) return providers([key]);
      return isUuid(content.uuid) ? providers([content.uuid]) : names('providerName', [content.name]);
    case 'resource_classes':
      return names('resourceClass', [key, content.name]);
    case 'traits':
      return names('trait', [key]);
    default:
      return [];
  }
}

/**
 * The providers on which consumers are to hold something. Their generations rise; what shows them may be gone when the consumer is read. Before 1.12 the allocations
 * are a list.
 */
function holding(consumersOfBody: readonly Record<string, unknown>[]): NotedObject[] {
  const named = consumersOfBody.flatMap(({ allocations }) =>
    Array.isArray(allocations)
      ? allocations.map((one: unknown) => objectAt(asObject(one), 'resource_provider').uuid)
      : Object.keys(asObject(allocations)),
  );
  return [...new Set(named.filter(isUuid).map(canonical))].map((key) => ({ noun: 'generation', key }));
}

const providers = (keys: readonly string[]) => keys.filter(isUuid).map((key): NotedObject => ({ noun: 'provider', key: canonical(key) }));
/** As they were sent, because that is how they are stored. */
const consumers = (keys: readonly string[]) =>
  keys.filter((key) => parseLooseUuid(key) !== null).map((key): NotedObject => ({ noun: 'consumer', key }));

/** Without those that cannot be noted: what has such a name is found by the comparison. */
function names(noun: NotedObject['noun'], given: readonly unknown[]): NotedObject[] {
  return given
    .filter((name): name is string => typeof name === 'string' && findTextFault(name, { maxLength: maxNameLength }) === null)
    .map((key) => ({ noun, key }));
}

const canonical = (text: string) => parseUuid(text) ?? text;

function isUuid(value: unknown): value is string {
  return typeof value === 'string' && parseUuid(value) !== null;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const objectAt = (content: Record<string, unknown>, key: string) => asObject(content[key]);

/** Lists of pairs, as older versions send allocations, have no keys that are uuids. */
function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
