// Executes and renders large answers in small parts, so that they do not block the event loop: resolvers pass on their objects in turn, and JSON is
// rendered in pieces. Small answers are executed as they are and rendered in one go. Counts the objects of all, because lists can be longer than usual.
import {
  defaultFieldResolver,
  type FieldNode,
  type GraphQLError,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
} from 'graphql';
import { asLongWork, elementsInTurn, inTurn, inTurnWhenKept } from '../operations/request/event-loop-share.ts';
import { type Estimate, valuesOfObject, weightOf } from './cost.ts';
import { requestError } from './errors.ts';
import { limits } from './limits.ts';
import { columnScalars } from './scalars.ts';

export interface Paced {
  /** Whether the answer is so large that it is built in parts: known before execution, or found out during it. */
  isLarge: boolean;
  /** Absent where objects are not counted. */
  readonly made?: Made;
}

/** The objects of an answer so far. Lists beyond the maximum fail. */
export class Made {
  count = 0;
  most: number;
  /** For an answer that goes on as a large one once it has more objects than a light one may have: waits for its turn. */
  takeTurn: (() => Promise<() => void>) | null = null;
  /** Why all lists beyond the maximum fail: one error for all of them, because each has a trace of the stack. */
  refusal: GraphQLError | null = null;
  /** What all further lists wait for then. */
  turn: Promise<() => void> | null = null;

  /** What is known of the operation beforehand; null where it was not estimated. */
  operation: Pick<Estimate, 'work' | 'values'> | null;

  constructor(most = Number.POSITIVE_INFINITY, operation: Made['operation'] = null) {
    this.most = most;
    this.operation = operation;
  }

  /** What was made, with the work beside it, in objects. */
  get cost(): number {
    return Math.ceil(this.count) + (this.operation?.work ?? 0);
  }

  /** What an object of a field counts. */
  weightOf(fields: readonly FieldNode[]): number {
    const { operation } = this;
    if (operation === null) return 1;
    let values = 0;
    for (const { selectionSet } of fields) values += (selectionSet && operation.values.get(selectionSet)) ?? 0;
    return weightOf(values);
  }

  get isTooMany(): boolean {
    return this.cost > this.most;
  }

  add(objects: number): void {
    // What still runs of an answer that was given up counts no more.
    if (!this.isTooMany) this.count += objects;
  }
}

/** The number of objects of a list that are built in one go; the others follow one by one. */
const objectsAtOnce = 50;
/** The number of values that JSON.stringify renders in one go, in well below a millisecond. */
const valuesAtOnce = 500;
/** Values of a column that count as an object: nothing is executed for each of them. */
const valuesOfColumn = 100;
/** The number of characters in a piece. */
const pieceLength = 64 * 1024;

/** Makes the resolvers of objects pass them on in turn when the answer is large, and each resolver refuse by a promise. Changes the schema. */
export function paceResolvers(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const resolve = pacedResolver(field);
      if (resolve) field.resolve = refusingLater(resolve);
    }
  }
}

type Resolve = GraphQLFieldResolver<unknown, Paced>;

function pacedResolver({ type, resolve }: GraphQLField<unknown, Paced>): Resolve | undefined {
  const isComposite = isCompositeType(getNamedType(type));
  const pacing = resolve && (isComposite ? paced(resolve) : batched(resolve));
  if (isListType(getNullableType(type))) return pacedList(pacing ?? defaultFieldResolver, isComposite ? null : 1 / valuesOfObject);
  if (getNamedType(type).name in columnScalars) return pacedList(pacing ?? defaultFieldResolver, 1 / valuesOfColumn);
  return pacing && isComposite ? counting(pacing) : pacing;
}

/**
 * An error that is thrown at once ends a list of graphql-js in which others are still awaited: nobody handles their errors any more, and an error that nobody
 * handles ends the process.
 */
function refusingLater(resolve: Resolve): Resolve {
  return (source, args, scope, info) => {
    try {
      return resolve(source, args, scope, info);
    } catch (error) {
      return Promise.reject(error);
    }
  };
}

/** Counts an object; those that come with another one, without a resolver, are not worth the time. */
function counting(resolve: Resolve): Resolve {
  return (source, args, scope, info) => {
    scope.made?.add(scope.made.weightOf(info.fieldNodes));
    return resolve(source, args, scope, info);
  };
}

function paced(resolve: Resolve): Resolve {
  return (source, args, scope, info) => {
    if (!scope.isLarge) return resolve(source, args, scope, info);
    const value = asLongWork(() => resolve(source, args, scope, info));
    return value instanceof Promise ? inTurnWhenKept(value) : inTurn(value);
  };
}

/** `value`: how many objects an element counts; null if it is one. */
function pacedList(resolve: Resolve, value: number | null): Resolve {
  return (source, args, scope, info) => {
    const list = resolve(source, args, scope, info);
    const count = (elements: unknown) => counted(elements, value ?? info.fieldNodes, scope);
    return list instanceof Promise ? list.then(count) : count(list);
  };
}

/** The list, once the answer may have it. */
function counted(list: unknown, element: number | readonly FieldNode[], scope: Paced): unknown {
  const { made } = scope;
  if (!Array.isArray(list) || list.length === 0) return list;
  if (!made) return inParts(list, element, scope);
  made.add(list.length * (typeof element === 'number' ? element : made.weightOf(element)));
  if (made.isTooMany) {
    made.refusal ??= tooManyObjects(made);
    throw made.refusal;
  }
  if (made.takeTurn && !scope.isLarge && made.cost > limits.lightNodes) {
    scope.isLarge = true;
    made.turn = made.takeTurn();
  }
  return made.turn === null ? inParts(list, element, scope) : made.turn.then(() => inParts(list, element, scope));
}

function inParts(list: readonly unknown[], element: number | readonly FieldNode[], { isLarge }: Paced): unknown {
  if (!isLarge || list.length <= objectsAtOnce) return list;
  // Values are built in one go, but those of many objects, whose lists a loader returns together, one list after another.
  return typeof element !== 'number' ? elementsInTurn(list, objectsAtOnce) : inTurnWhenKept(Promise.resolve(list));
}

export function tooManyObjects({ most }: Made): GraphQLError {
  const message = `The answer has more than ${most} objects, because lists in it are longer than usual: ask for smaller pages or fewer fields.`;
  return requestError('COST_LIMIT_EXCEEDED', message, { limit: most });
}

function batched(resolve: Resolve): Resolve {
  return (source, args, scope, info) =>
    scope.isLarge ? asLongWork(() => resolve(source, args, scope, info)) : resolve(source, args, scope, info);
}

/** The JSON of a value without cycles or `toJSON`, in pieces, as JSON.stringify renders it; null if it has more bytes than `limit`. */
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
    let before = '[';
    for (let from = 0; from < value.length; ) {
      const plain = leavesFrom(value, from);
      yield before;
      if (plain > 0) yield JSON.stringify(value.slice(from, from + plain)).slice(1, -1);
      else yield* partsOf(value[from]);
      from += Math.max(plain, 1);
      before = ',';
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

/** How many elements of a list, starting at an index, are neither objects nor lists; no more than can be rendered at once. */
function leavesFrom(list: readonly unknown[], from: number): number {
  let place = from;
  const isLeaf = (value: unknown) => typeof value !== 'object' || value === null;
  while (place < list.length && place - from < valuesAtOnce && isLeaf(list[place])) place += 1;
  return place - from;
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
