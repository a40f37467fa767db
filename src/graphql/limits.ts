// The size of an operation, computed before it runs: its shape once for each document, its cost with the variables of each request.
// Counts the document with fragments flattened, introspection included; does not depend on data. Tokens and flattened selections are
// limited earlier, by the parser and by Apollo, so that the traversals here are short.
import {
  __Schema,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLArgument,
  type GraphQLError,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { limits as declared } from '../domain/limits.ts';
import { requestError } from './errors.ts';

/** The measures of an operation and their limits. */
export const limits = {
  tokens: declared.operationTokens,
  selections: declared.operationSelections,
  /** The standard introspection query has 14. */
  depth: declared.operationDepth,
  aliases: declared.operationAliases,
  rootFields: declared.operationRootFields,
  directives: declared.operationDirectives,
  page: declared.pageSize,
  values: declared.variableValues,
  variableDepth: declared.variableDepth,
  listLength: declared.variableListLength,
  nodes: declared.operationCost,
  /** Up to this cost, an answer is built and rendered in one go. */
  lightNodes: declared.lightOperationCost,
  /** Of the JSON of a large answer. */
  bytes: declared.answerSize,
};

const defaultPage = declared.defaultPageSize;
/** Lists without pages are short: the inventories, traits or children of one provider. */
export const assumedListLength = 5;

/** The fields of a connection, a search or a plan that are as long as the page. */
export const pagedFields: ReadonlySet<string> = new Set(['nodes', 'edges', 'candidates', 'moves', 'stuck', 'matches']);

/** The only long list of introspection. */
const typesOfSchema = __Schema.getFields().types;

export type Variables = Readonly<Record<string, unknown>>;
/** A number, or a function that computes it from the variables. */
type Count = number | ((variables: Variables) => number);
type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/**
 * Throws a GraphQLError with a code and HTTP status 400 if the operation is too large.
 * Returns roughly the maximum number of objects in the answer.
 */
export type CheckLimits = (document: DocumentNode, operation: OperationDefinitionNode, variables: Variables) => number;

/** The limits for one schema. What does not depend on variables is computed once for each parsed document. */
export function createLimits(schema: GraphQLSchema): CheckLimits {
  const measured = new WeakMap<OperationDefinitionNode, { refusal: GraphQLError | null; estimate: Estimate }>();
  return (document, operation, variables) => {
    let known = measured.get(operation);
    if (!known) {
      known = { refusal: refusalOf(shapeOf(document, operation)), estimate: estimateOf(schema, document, operation) };
      measured.set(operation, known);
    }
    if (known.refusal) throw known.refusal;
    return checkEstimate(known.estimate, variables);
  };
}

/** The counts of one operation, fragments flattened. */
export interface Shape {
  depth: number;
  aliases: number;
  rootFields: number;
  directives: number;
  selections: number;
}

/** Measures a validated operation: fragments must exist and not contain themselves. */
export function shapeOf(document: DocumentNode, operation: OperationDefinitionNode): Shape {
  const fragments = fragmentsOf(document);
  const shape: Shape = { depth: 0, aliases: 0, rootFields: 0, directives: operation.directives?.length ?? 0, selections: 0 };
  const visit = ({ selections }: SelectionSetNode, level: number): void => {
    for (const selection of selections) {
      shape.directives += selection.directives?.length ?? 0;
      if (selection.kind !== Kind.FIELD) {
        const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
        if (inner) visit(inner.selectionSet, level);
        continue;
      }
      shape.selections += 1;
      if (selection.alias) shape.aliases += 1;
      if (level === 0) shape.rootFields += 1;
      if (selection.selectionSet) {
        shape.depth = Math.max(shape.depth, level + 1);
        visit(selection.selectionSet, level + 1);
      }
    }
  };
  visit(operation.selectionSet, 0);
  return shape;
}

function refusalOf(shape: Shape): GraphQLError | null {
  for (const measure of ['depth', 'aliases', 'rootFields', 'directives'] as const) {
    if (shape[measure] > limits[measure]) return tooComplex(measure, shape[measure]);
  }
  return null;
}

export function tooComplex(measure: keyof typeof limits, actual: number): GraphQLError {
  const limit = limits[measure];
  return requestError('TOO_COMPLEX', `The operation is too complex: ${measure} is ${actual}, at most ${limit} is allowed.`, {
    measure,
    actual,
    limit,
  });
}

/** Everything about an operation that depends on its variables. */
interface Estimate {
  readonly nodes: Count;
  readonly pages: readonly { readonly argument: string; readonly size: Count }[];
}

function checkEstimate({ nodes, pages }: Estimate, variables: Variables): number {
  for (const { argument, size } of pages) {
    const asked = evaluate(size, variables);
    if (asked < 0 || asked > limits.page) {
      throw requestError('BAD_USER_INPUT', `${argument} is ${asked}, it must be from 0 to ${limits.page}.`, { path: [argument] });
    }
  }
  const cost = evaluate(nodes, variables);
  if (cost > limits.nodes) {
    throw requestError(
      'COST_LIMIT_EXCEEDED',
      `The answer could have about ${cost} nodes, at most ${limits.nodes} are allowed: ask for smaller pages.`,
      { cost, limit: limits.nodes },
    );
  }
  return cost;
}

function estimateOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Estimate {
  const fragments = fragmentsOf(document);
  const pages: { argument: string; size: Count }[] = [];

  // `page` is the page size of the connection that these fields belong to; null outside connections.
  const nodesOf = ({ selections }: SelectionSetNode, type: GraphQLNamedType | undefined, page: Count | null): Count =>
    selections.reduce<Count>((sum, selection) => {
      if (selection.kind === Kind.FIELD) return add(sum, nodesOfField(selection, type, page));
      const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      if (!inner) return sum;
      const condition = inner.typeCondition;
      return add(sum, nodesOf(inner.selectionSet, condition ? schema.getType(condition.name.value) : type, page));
    }, 0);

  const nodesOfField = (field: FieldNode, parent: GraphQLNamedType | undefined, page: Count | null): Count => {
    const definition = fieldOf(parent, field.name.value);
    if (!definition) return 0;
    const ownPage =
      pageOf(field, definition, operation, pages) ?? limitOf(field, definition, operation) ?? movesOf(field, definition, operation);
    const type = getNamedType(definition.type);
    if (!field.selectionSet || !isCompositeType(type)) return 0;
    const objects = multiply(lengthOf(field, definition, page), add(1, nodesOf(field.selectionSet, type, ownPage)));
    if (type.name === 'CloudMap') return add(declared.mapCost, objects);
    if (isPlan(definition)) return add(declared.planCost, objects);
    return isSearch(definition) ? add(declared.searchCost, objects) : objects;
  };

  const lengthOf = (field: FieldNode, definition: GraphQLField<unknown, unknown>, page: Count | null): Count => {
    if (!isListType(getNullableType(definition.type))) return 1;
    if (page !== null && pagedFields.has(definition.name)) return multiply(page, kindsOf(schema, definition));
    if (definition === typesOfSchema) return Object.keys(schema.getTypeMap()).length;
    // `nodes(ids: […])` returns one object for each id.
    const keys = (field.arguments ?? []).map(({ value }) =>
      countOf(value, operation, (given) => (Array.isArray(given) ? given.length : 0), 0),
    );
    return keys.reduce(largest, assumedListLength);
  };

  return { nodes: nodesOf(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined, null), pages };
}

/** The maximum number of candidates of a search without a limit. */
const defaultLimit = declared.defaultCandidates;

const isRequest = ({ type }: GraphQLArgument): boolean => getNamedType(type).name === 'CandidatesInput';
/** Plans take a while, whatever they answer. */
const plans: ReadonlySet<string> = new Set(['DrainPlanInput', 'RebalancePlanInput', 'WhatIfInput']);
const isPlan = ({ args }: GraphQLField<unknown, unknown>): boolean => args.some(({ type }) => plans.has(getNamedType(type).name));
const isSearch = ({ args }: GraphQLField<unknown, unknown>): boolean => args.some(isRequest);

/**
 * The number of candidates that a search may return; null for other fields. A candidate grows with the request: one with more amounts than
 * a short list counts as several.
 */
function limitOf(field: FieldNode, { args }: GraphQLField<unknown, unknown>, operation: OperationDefinitionNode): Count | null {
  const argument = args.find(isRequest);
  const given = field.arguments?.find(({ name }) => name.value === argument?.name)?.value;
  if (!given) return null;
  const defaults = defaultsOf(operation);
  return (variables) => {
    const input = valueFromASTUntyped(given, { ...defaults, ...variables }) as SearchInput | null | undefined;
    const groups = listOf(input?.groups);
    const taken = groups.reduce<number>((sum, group) => sum + listOf(group?.resources).length, 0);
    const limit = typeof input?.limit === 'number' ? input.limit : defaultLimit;
    return limit * Math.max(1, Math.ceil(Math.max(groups.length, taken) / assumedListLength));
  };
}

function defaultsOf({ variableDefinitions }: OperationDefinitionNode): Variables {
  return Object.fromEntries(
    (variableDefinitions ?? []).map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue && valueFromASTUntyped(defaultValue),
    ]),
  );
}

/** The number of moves of a plan, and of the consumers that it cannot move; null for other fields. */
function movesOf(field: FieldNode, definition: GraphQLField<unknown, unknown>, operation: OperationDefinitionNode): Count | null {
  const given = isPlan(definition) && field.arguments?.[0]?.value;
  if (!given) return null;
  const defaults = defaultsOf(operation);
  return (variables) => {
    const input = valueFromASTUntyped(given, { ...defaults, ...variables }) as { readonly maxMoves?: unknown } | null | undefined;
    return typeof input?.maxMoves === 'number' ? Math.max(0, input.maxMoves) : declared.defaultPlanMoves;
  };
}

/** The parts of an unchecked search input that count. A single value can stand for a list. */
interface SearchInput {
  readonly limit?: unknown;
  readonly groups?: OneOrMany<{ readonly resources?: OneOrMany<unknown> } | null>;
}
type OneOrMany<Element> = readonly Element[] | Element;

const listOf = <Element>(value: OneOrMany<Element> | undefined): readonly Element[] =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value as Element];

/** A search finds so many of each kind. */
function kindsOf(schema: GraphQLSchema, { type }: GraphQLField<unknown, unknown>): number {
  const found = getNamedType(type);
  return isUnionType(found) && found.name === 'SearchMatch' ? schema.getPossibleTypes(found).length : 1;
}

/** The page size of a connection field; null for others. Collects the requested sizes, to be checked. */
function pageOf(
  field: FieldNode,
  { args }: GraphQLField<unknown, unknown>,
  operation: OperationDefinitionNode,
  pages: { argument: string; size: Count }[],
): Count | null {
  if (!args.some(({ name }) => name === 'first')) return null;
  const sizes = ['first', 'last'].flatMap((argument) => {
    const given = field.arguments?.find(({ name }) => name.value === argument);
    if (!given) return [];
    const size = countOf(given.value, operation, (value) => (typeof value === 'number' ? value : defaultPage), defaultPage);
    pages.push({ argument, size });
    return [size];
  });
  return sizes.length === 0 ? defaultPage : sizes.reduce(largest);
}

/** A count that depends on an argument: `read` gets the value of a literal or variable. */
function countOf(value: ValueNode, operation: OperationDefinitionNode, read: (value: unknown) => number, absent: number): Count {
  if (value.kind !== Kind.VARIABLE) return value.kind === Kind.NULL ? absent : read(literalOf(value));
  const name = value.name.value;
  const fallback = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name)?.defaultValue;
  const otherwise = fallback ? read(literalOf(fallback)) : absent;
  return (variables) => (variables[name] === undefined ? otherwise : read(variables[name]));
}

/** Only numbers and the lengths of lists matter here. */
function literalOf(value: ValueNode): unknown {
  if (value.kind === Kind.INT) return Number(value.value);
  return value.kind === Kind.LIST ? value.values : null;
}

function fieldOf(parent: GraphQLNamedType | undefined, name: string): GraphQLField<unknown, unknown> | undefined {
  if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
  if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
}

function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}

function evaluate(count: Count, variables: Variables): number {
  return typeof count === 'number' ? count : count(variables);
}

function combine(left: Count, right: Count, calculate: (left: number, right: number) => number): Count {
  if (typeof left === 'number' && typeof right === 'number') return calculate(left, right);
  return (variables) => calculate(evaluate(left, variables), evaluate(right, variables));
}

const add = (left: Count, right: Count): Count => combine(left, right, (a, b) => a + b);
const multiply = (left: Count, right: Count): Count => combine(left, right, (a, b) => a * b);
const largest = (left: Count, right: Count): Count => combine(left, right, Math.max);
