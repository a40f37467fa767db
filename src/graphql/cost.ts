// What an operation costs: roughly how many objects its answer can have. It is computed before the operation runs, from its text, its variables and what the
// contract declares: the lengths of lists (`@length`) and work beside the answer (`@cost`). Counts fragments where they are spread, and introspection.
import {
  __Schema,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { limits as declared, type LimitName } from '../domain/limits.ts';
import { type DeclaredLength, declaredCost, declaredLength } from './lengths-of-schema.ts';

export type Variables = Readonly<Record<string, unknown>>;
type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** Computes the cost with the variables of a request. */
type Count = (variables: Variables) => number;

/** The parts of the cost that depend on variables. */
export interface Estimate {
  readonly objects: Count;
  /** The part of it for work beside the objects, at least. */
  readonly work: number;
  /** The plain values of the objects of a field, by its selections, where there are any. */
  readonly values: Values;
  /** The requested page sizes. */
  readonly pages: readonly { readonly argument: string; readonly size: Count }[];
}

/** What a list of introspection counts. */
const introspected = 5;
/** The only long list of introspection. */
const typesOfSchema = __Schema.getFields().types;
/** Each object repeats the names of its fields: this many characters of them count as an object. */
const charactersOfObject = 1024;
/** Plain values that count as an object: in lists, and those of an object beyond the first few. */
export const valuesOfObject = 10;

export type Values = ReadonlyMap<SelectionSetNode, number>;

/** What an object with so many plain values counts. */
export const weightOf = (values: number) => 1 + Math.floor(values / valuesOfObject);

/** A field and those that enclose it. */
interface Place {
  readonly field: FieldNode;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly page: Count | null;
  readonly above: Place | null;
}

/** The estimate of a validated operation: its fragments exist and do not contain themselves. */
export function estimateOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Estimate {
  const counter = new Counter(schema, document, operation);
  const objects = counter.countBelow(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined, null);
  const { pages, values, work, together } = counter;
  return { objects: (variables) => Math.ceil(objects(variables)) + together, work, values, pages };
}

/** Counts the objects below the selections of one operation. */
class Counter {
  readonly pages: { argument: string; size: Count }[] = [];
  readonly values = new Map<SelectionSetNode, number>();
  /** The cost of all work, each once, and of that which is done once for all objects of a list. */
  work = 0;
  together = 0;
  readonly #schema: GraphQLSchema;
  readonly #fragments: Fragments;
  readonly #read: ReturnType<typeof readerOf>;

  constructor(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) {
    this.#schema = schema;
    this.#fragments = fragmentsOf(document);
    this.#read = readerOf(operation);
  }

  /** The cost below one object of a type. */
  countBelow(set: SelectionSetNode, type: GraphQLNamedType | undefined, place: Place | null): Count {
    const counts: Count[] = [];
    let characters = 0;
    /** The names of plain values: by the type of object for which a fragment selects them, and those of all types. */
    const names = new Map<GraphQLNamedType | undefined, Set<string>>();
    const visit = ({ selections }: SelectionSetNode, parent: GraphQLNamedType | undefined): void => {
      for (const selection of selections) {
        if (selection.kind === Kind.FIELD) {
          const name = (selection.alias ?? selection.name).value;
          characters += name.length;
          const count = this.#countField(selection, parent, place);
          if (count) counts.push(count);
          else getOrAdd(names, isObjectType(parent) ? parent : undefined).add(name);
          continue;
        }
        const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : this.#fragments.get(selection.name.value);
        const condition = inner?.typeCondition;
        if (inner) visit(inner.selectionSet, condition ? this.#schema.getType(condition.name.value) : parent);
      }
    };
    visit(set, type);
    const values = (names.get(undefined)?.size ?? 0) + Math.max(0, ...[...names].map(([of, { size }]) => (of === undefined ? 0 : size)));
    if (values > 0) this.values.set(set, values);
    const own = Math.floor(characters / charactersOfObject) + weightOf(values) - 1;
    return (variables) => counts.reduce((sum, count) => sum + count(variables), own);
  }

  /** The cost of a field; null for a single plain value. */
  #countField(field: FieldNode, parent: GraphQLNamedType | undefined, above: Place | null): Count | null {
    const definition = fieldOf(parent, field.name.value);
    if (!definition) return null;
    const place: Place = { field, definition, page: this.#pageOf(field, definition), above };
    const type = getNamedType(definition.type);
    const length = this.#lengthOf(place, parent);
    const cost = declaredCost(definition);
    const own = declared[cost?.limit as LimitName] ?? 0;
    this.work += own;
    if (cost?.together) this.together += own;
    if (!field.selectionSet || !isCompositeType(type)) return length && ((variables) => length(variables) / valuesOfObject);
    const below = this.countBelow(field.selectionSet, type, place);
    return (variables) => (cost?.together ? 0 : own) + (length?.(variables) ?? 1) * (1 + below(variables));
  }

  /** The page size of a connection; null for other fields. */
  #pageOf(field: FieldNode, { args }: GraphQLField<unknown, unknown>): Count | null {
    if (!args.some(({ name }) => name === 'first')) return null;
    const sizes = ['first', 'last'].flatMap((argument) => {
      if (!field.arguments?.some(({ name }) => name.value === argument)) return [];
      const given = this.#read(field, argument);
      const size: Count = (variables) => {
        const asked = filled(given, variables);
        return typeof asked === 'number' ? asked : declared.defaultPageSize;
      };
      this.pages.push({ argument, size });
      return [size];
    });
    return (variables) => (sizes.length === 0 ? declared.defaultPageSize : Math.max(...sizes.map((size) => size(variables))));
  }

  /** The length of a list; null for other fields. */
  #lengthOf(place: Place, parent: GraphQLNamedType | undefined): Count | null {
    const { definition, above } = place;
    if (!isListType(getNullableType(definition.type))) return null;
    if (above?.page && (definition.name === 'nodes' || definition.name === 'edges')) return above.page;
    if (definition === typesOfSchema) return () => Object.keys(this.#schema.getTypeMap()).length;
    const length = parent && declaredLength(parent, definition);
    if (!length) return () => introspected;
    const { limit, usual, times = 1 } = length;
    const most = limit === undefined ? Number.POSITIVE_INFINITY : (declared[limit as LimitName] ?? Number.POSITIVE_INFINITY);
    const otherwise = usual ?? (Number.isFinite(most) ? most : introspected);
    const givenLength = this.#givenLength(length, place);
    return (variables) => times * Math.min(most, givenLength(variables) ?? otherwise);
  }

  #givenLength({ of = [], steps }: DeclaredLength, place: Place): (variables: Variables) => number | undefined {
    if (steps) {
      const moments = steps.map((name) => this.#argumentAbove(place, name));
      return (variables) => stepsOf(moments.map((moment) => moment?.value(variables)));
    }
    const lists = of.map((path) => {
      const [name = '', ...rest] = path.split('.');
      return { argument: this.#argumentAbove(place, name), rest };
    });
    return (variables) => {
      let sum: number | undefined;
      for (const { argument, rest } of lists) {
        const length = argument && lengthAt(argument.value(variables), argument.type, rest, variables);
        if (length !== undefined) sum = (sum ?? 0) + length;
      }
      return sum;
    };
  }

  /** The argument of the nearest field that has one of this name. */
  #argumentAbove(place: Place, name: string): { value: (variables: Variables) => unknown; type: GraphQLInputType } | undefined {
    for (let one: Place | null = place; one; one = one.above) {
      const argument = one.definition.args.find((each) => each.name === name);
      if (!argument) continue;
      const given = this.#read(one.field, name);
      return { value: (variables) => filled(given, variables) ?? argument.defaultValue, type: argument.type };
    }
    return undefined;
  }
}

/** A variable in the arguments of an operation, whose value comes with each request. */
class Blank {
  readonly name: string;
  readonly otherwise: unknown;

  constructor(name: string, otherwise: unknown) {
    this.name = name;
    this.otherwise = otherwise;
  }
}

/** Reads the value of an argument, unchecked, with a blank for each variable; undefined when it is absent. */
function readerOf({ variableDefinitions = [] }: OperationDefinitionNode) {
  const blanks = Object.fromEntries(
    variableDefinitions.map(({ variable: { name }, defaultValue }) => [
      name.value,
      new Blank(name.value, defaultValue && valueFromASTUntyped(defaultValue)),
    ]),
  );
  // A fragment that is spread often has its arguments once.
  const values = new Map<ValueNode, unknown>();
  return (field: FieldNode, argument: string): unknown => {
    const given = field.arguments?.find(({ name }) => name.value === argument)?.value;
    if (given === undefined) return undefined;
    if (!values.has(given)) values.set(given, valueFromASTUntyped(given, blanks));
    return values.get(given);
  };
}

/** The value itself, or that of the variable for which it is a blank. */
function filled(value: unknown, variables: Variables): unknown {
  if (!(value instanceof Blank)) return value;
  return Object.hasOwn(variables, value.name) ? variables[value.name] : value.otherwise;
}

/** The total length of the lists at the end of a path, where a number counts as itself and another single value as a list of one; undefined without a value. */
function lengthAt(value: unknown, type: GraphQLInputType, path: readonly string[], variables: Variables, depth = 0): number | undefined {
  if (value === undefined || value === null) return undefined;
  const name = path[depth];
  if (name === undefined) return Array.isArray(value) ? value.length : typeof value === 'number' ? Math.max(0, value) : 1;
  const input = getNamedType(type);
  const inner = isInputObjectType(input) ? input.getFields()[name] : undefined;
  if (!inner) return undefined;
  const elements: readonly unknown[] = Array.isArray(value) ? value : [value];
  let sum: number | undefined = elements.length === 0 ? 0 : undefined;
  for (const each of elements) {
    const element = filled(each, variables);
    const field = typeof element === 'object' && element !== null ? filled((element as Variables)[name], variables) : undefined;
    const length = lengthAt(field ?? inner.defaultValue, inner.type, path, variables, depth + 1);
    if (length !== undefined) sum = (sum ?? 0) + length;
  }
  return sum;
}

/** The number of moments from the first to the last in steps of so many seconds; undefined if any of the three is malformed. */
function stepsOf([from, until, seconds]: readonly unknown[]): number | undefined {
  const [first, last] = [from, until ?? new Date().toISOString()].map((moment) =>
    typeof moment === 'string' ? Date.parse(moment) : Number.NaN,
  );
  const steps = ((last ?? 0) - (first ?? 0)) / 1000 / Number(seconds);
  return Number.isFinite(steps) ? Math.max(0, Math.floor(steps)) + 1 : undefined;
}

function getOrAdd<Key>(sets: Map<Key, Set<string>>, key: Key): Set<string> {
  const set = sets.get(key) ?? new Set<string>();
  sets.set(key, set);
  return set;
}

export function fieldOf(parent: GraphQLNamedType | undefined, name: string): GraphQLField<unknown, unknown> | undefined {
  if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
  if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
}

export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}
