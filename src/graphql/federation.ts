// The gateway as a subgraph of Apollo Federation 2, if the settings say so: additions to the contract, and entities by their keys.
// A router requests hundreds of entities at once; they are read by the request's loaders, one statement for each type and key.
import { type GraphQLFieldResolver, GraphQLScalarType } from 'graphql';
import { invalidInput } from '../domain/errors.ts';
import { limits } from '../domain/limits.ts';
import { parseUuid } from '../domain/uuid.ts';
import { computeNodeOfRoot } from '../nova/compute-nodes/compute-nodes.ts';
import type { RequestScope } from '../operations/scope/scope.ts';

/** The keys by which other subgraphs may refer to an object: the same ones by which queries find it. */
const keysOfKinds = {
  ResourceProvider: ['uuid', 'name'],
  ResourceClass: ['name'],
  Trait: ['name'],
  Aggregate: ['uuid'],
  Consumer: ['uuid'],
  Project: ['externalId'],
  User: ['externalId'],
  ComputeNode: ['uuid'],
} as const;
type Kind = keyof typeof keysOfKinds;
type Key = (typeof keysOfKinds)[Kind][number];

interface Representation {
  readonly kind: Kind;
  readonly key: Key;
  readonly value: string;
}

const keyDirectives = Object.entries(keysOfKinds)
  .map(([kind, keys]) => `extend type ${kind} ${keys.map((key) => `@key(fields: "${key}")`).join(' ')}`)
  .join('\n');

/** The SDL that a router composes: the contract with the keys of its entities. */
const sdlOf = (contract: string): string => `${contract}
extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])
${keyDirectives}
extend type PageInfo @shareable
`;

/** The root fields that a router needs besides the contract. */
export const federationTypeDefs = `
  scalar _Any
  union _Entity = ${Object.keys(keysOfKinds).join(' | ')}
  type _Service @access(rule: "placement:graphql:schema:read") { sdl: String }
  extend type Query {
    _service: _Service! @access(rule: "placement:graphql:schema:read")
    _entities(representations: [_Any!]!): [_Entity]! @length(of: "representations") @access(rule: "placement:graphql:nodes:read")
  }
`;

/** Their resolvers. */
export function federationResolvers(contract: string) {
  const sdl = sdlOf(contract);
  const entities: GraphQLFieldResolver<unknown, RequestScope, { representations: readonly unknown[] }> = (_, { representations }, scope) =>
    findEntities(scope, representations);
  return {
    _Any: new GraphQLScalarType({ name: '_Any' }),
    _Entity: { __resolveType: (row: object) => kinds.get(row) },
    Query: { _service: () => ({ sdl }), _entities: entities },
  };
}

// Rows of two types can have the same shape.
const kinds = new WeakMap<object, Kind>();

/** The objects in the order of their representations; null if there is none. Refuses INVALID_INPUT. */
async function findEntities(scope: RequestScope, given: readonly unknown[]): Promise<(object | null)[]> {
  if (given.length > limits.representations) {
    throw invalidInput(['representations'], `representations must have at most ${limits.representations} elements, has ${given.length}`);
  }
  return Promise.all(
    given.map(readRepresentation).map(async (representation) => {
      const row = await findRow(scope, representation);
      if (row) kinds.set(row, representation.kind);
      return row;
    }),
  );
}

function findRow(scope: RequestScope, { kind, key, value }: Representation): object | null | Promise<object | null> {
  if (!scope.sees(kind)) return null;
  const { loaders } = scope;
  switch (kind) {
    case 'ResourceProvider':
      return key === 'uuid' ? loaders.providerByUuid.load(value) : loaders.providerByName.load(value);
    case 'ResourceClass':
      return loaders.resourceClassByName.load(value);
    case 'Trait':
      return loaders.traitByName.load(value);
    case 'Aggregate':
      return loaders.aggregateByUuid.load(value);
    case 'Consumer':
      return loaders.consumerByUuid.load(value);
    case 'Project':
      return loaders.projectByExternalId.load(value);
    case 'User':
      return loaders.userByExternalId.load(value);
    case 'ComputeNode':
      return computeNodeOfRoot(scope, value);
  }
}

/** Of several keys the first is used: all identify the same object. */
function readRepresentation(given: unknown, index: number): Representation {
  const refuse = (message: string) => invalidInput(['representations', index], `representation ${index} ${message}`);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw refuse('must be an object');
  const fields = given as Readonly<Record<string, unknown>>;
  const kind = (Object.keys(keysOfKinds) as Kind[]).find((known) => known === fields.__typename);
  if (!kind) throw refuse(`must have the __typename of an entity: ${Object.keys(keysOfKinds).join(', ')}`);
  const keys: readonly Key[] = keysOfKinds[kind];
  const key = keys.find((known) => fields[known] !== undefined && fields[known] !== null);
  if (!key) throw refuse(`must have ${keys.join(' or ')} beside the __typename ${kind}`);
  const text = fields[key];
  const value = typeof text !== 'string' || text.includes('\0') ? null : key === 'uuid' ? parseUuid(text) : text;
  if (value === null) throw refuse(`has a malformed ${key}`);
  return { kind, key, value };
}
