// What this project sends to receivers of older versions, with lists of changes in the order in which Nova's answers are kept.
import { decodeObject, encodeObject, type Manifest } from '../../../src/nova/objects/codec.ts';
import type { Json } from '../../../src/nova/objects/forms/fields.ts';

export interface GivenObject {
  readonly object: Json;
  readonly manifest: Manifest;
  /** The ids of services, by host. */
  readonly services: Readonly<Record<string, number>>;
}

export interface ObjectAnswer {
  readonly object: Json;
}

export function answerToObject({ object, manifest, services }: GivenObject): ObjectAnswer {
  return { object: inOrder(encodeObject(decodeObject(object), { manifest, serviceIdOf: (host) => services[host] })) };
}

function inOrder(json: Json): Json {
  if (Array.isArray(json)) return json.map(inOrder);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [
      key,
      key === 'nova_object.changes' ? (value as readonly string[]).toSorted() : inOrder(value),
    ]),
  );
}
