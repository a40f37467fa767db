// Executes and renders large answers in small parts, so that they do not hold the event loop: objects of resolvers are passed on in turn, and JSON is
// made in pieces. Small answers are executed as they are and rendered in one go.
import { type GraphQLFieldResolver, type GraphQLSchema, getNamedType, isCompositeType, isObjectType } from 'graphql';
import { asLongWork, inTurn, inTurnWhenKept } from '../operations/request/event-loop-share.ts';

/** Told for each operation, before it is executed. */
export interface Paced {
  /** Whether the answer can be so large that it is built in parts. */
  isLarge: boolean;
}

/** Values that JSON.stringify renders in one go, well below a millisecond. */
const valuesAtOnce = 500;
/** Characters of a piece. */
const pieceLength = 64 * 1024;

/** Makes the resolvers of objects pass them on in turn when the answer is large. Changes the schema. */
export function paceResolvers(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      if (field.resolve) field.resolve = isCompositeType(getNamedType(field.type)) ? paced(field.resolve) : batched(field.resolve);
    }
  }
}

type Resolve = GraphQLFieldResolver<unknown, Paced>;

function paced(resolve: Resolve): Resolve {
  return (source, args, scope, info) => {
    if (!scope.isLarge) return resolve(source, args, scope, info);
    const value = asLongWork(() => resolve(source, args, scope, info));
    return value instanceof Promise ? inTurnWhenKept(value) : inTurn(value);
  };
}

function batched(resolve: Resolve): Resolve {
  return (source, args, scope, info) =>
    scope.isLarge ? asLongWork(() => resolve(source, args, scope, info)) : resolve(source, args, scope, info);
}

/** The JSON of a value without cycles and `toJSON`, in pieces, as JSON.stringify renders it; null if it has more bytes than `limit`. */
export async function renderInPieces(value: unknown, limit: number): Promise<readonly Uint8Array[] | null> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  let text = '';
  const cut = () => {
    const piece = Buffer.from(text);
    pieces.push(piece);
    size += piece.length;
    text = '';
  };
  for (const part of partsOf(value)) {
    text += part;
    if (text.length > pieceLength) cut();
    const turn = inTurn(null);
    if (turn !== null) await turn;
    if (size > limit) return null;
  }
  cut();
  return size > limit ? null : pieces;
}

function* partsOf(value: unknown): Generator<string> {
  if (isSmall(value)) yield JSON.stringify(value);
  else if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      yield index === 0 ? '[' : ',';
      yield* partsOf(element ?? null);
    }
    yield ']';
  } else {
    let before = '{';
    for (const [name, inner] of Object.entries(value as object)) {
      if (inner === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* partsOf(inner);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  }
}

/** Looks at no more values than can be rendered at once. */
function isSmall(value: unknown): boolean {
  let left = valuesAtOnce;
  const count = (inner: unknown): boolean => {
    left -= 1;
    if (typeof inner !== 'object' || inner === null) return left > 0;
    const values = Array.isArray(inner) ? inner : Object.values(inner);
    return values.length < left && values.every(count);
  };
  return count(value);
}
