// Global ids: opaque to clients; they encode a type and a public key, never an internal id.
import { limits } from '../domain/limits.ts';

/** The types that `node(id)` supports. */
const nodeKinds = [
  'ResourceProvider',
  'Inventory',
  'ResourceClass',
  'Trait',
  'Aggregate',
  'Consumer',
  'Project',
  'User',
  'Event',
  'Service',
  'ComputeNode',
] as const;
export type NodeKind = (typeof nodeKinds)[number];

/** The id of an object. `key` is its uuid, name or external id; for an inventory `<provider uuid>/<class>`, for a service `<binary>/<host>`. */
export function renderNodeId(kind: NodeKind, key: string): string {
  return Buffer.from(`${kind}:${key}`).toString('base64url');
}

/** Type and key of an id, or null if it is not one of ours. */
export function parseNodeId(id: string): { readonly kind: NodeKind; readonly key: string } | null {
  if (id.length > limits.nodeIdLength || !/^[\w-]+$/.test(id)) return null;
  const text = Buffer.from(id, 'base64url').toString('utf8');
  const colon = text.indexOf(':');
  const kind = nodeKinds.find((known) => known === text.slice(0, colon));
  return kind === undefined || text.includes('\0') ? null : { kind, key: text.slice(colon + 1) };
}
