// Runs operations: with graphql-js when they are rare or unusual, with code compiled by graphql-jit when they are repeated.
// Both give the same data and the same error codes. Decides nothing about who may ask or how much.
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLScalarType,
  type GraphQLSchema,
  getNamedType,
  getVariableValues,
  isInputObjectType,
  isNonNullType,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  TypeInfo,
  typeFromAST,
  type VariableDefinitionNode,
  type VariableNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { RequestScope } from '../operations/request/scope.ts';
import { isAfterCommit } from './done-fields.ts';
import { publicError } from './errors.ts';
import { shapeOf } from './limits.ts';
import { createRehearsal } from './rehearsal.ts';
import { withoutTypenames } from './typenames.ts';

/** Compiling costs milliseconds: an operation must come back this often first. */
const hitsBeforeCompiling = 3;
/** Compiled operations that are kept; the least recently used is dropped first. */
const compiledAtMost = 500;
/** Faults of variables that are reported. */
const variableErrorsAtMost = 5;
/** Selections, fragments flattened, above which compiling costs more than it saves. */
const selectionsAtMost = 500;

type Run = CompiledQuery['query'];

/** One validated operation with what it needs to run. */
export interface Execution {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly context: unknown;
  readonly variables: Record<string, unknown> | undefined;
}

export interface Executor {
  /** The result with every error as a caller may see it. Never throws for what a resolver throws. */
  execute(execution: Execution): Promise<ExecutionResult>;
  /** How many compiled operations are held. */
  compiledCount(): number;
}

/** An executor for one schema. `jit: false` runs everything with graphql-js. */
export function createExecutor(schema: GraphQLSchema, { jit }: { jit: boolean }): Executor {
  const rehearse = createRehearsal(schema);
  const compiled = jit ? createCompiledOperations(schema) : null;
  return {
    async execute({ document, operation, context, variables }) {
      const { coerced, errors, taken } = readVariables(schema, operation, variables);
      const refused = errors ?? (await rehearse(document, operation, coerced, context as RequestScope));
      if (refused.length > 0) return { errors: refused.map((error) => publicError(error)) };
      const run = compiled?.find(document, operation) ?? null;
      const result: ExecutionResult = run
        ? await run(undefined, context, coerced)
        : await execute({
            schema,
            document,
            contextValue: context,
            ...(taken && { variableValues: taken }),
            ...(operation.name && { operationName: operation.name.value }),
          });
      if (!result.errors) return result;
      return { ...result, errors: result.errors.map((error) => publicError(error, { afterCommit: isAfterCommit(context, error) })) };
    },
    compiledCount: () => compiled?.count() ?? 0,
  };
}

/**
 * The variables as graphql-js reads them. graphql-jit lets lists pass for objects and any number of keys for the one of `@oneOf`, misses
 * defaults within inputs, and names the field where the variable should be named.
 */
function readVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Execution['variables'] = {},
): ReturnType<typeof getVariableValues> & { readonly taken?: Execution['variables'] } {
  const read = (taken: Record<string, unknown>) => ({
    ...getVariableValues(schema, variableDefinitions, taken, { maxErrors: variableErrorsAtMost }),
    taken,
  });
  const asGiven = read(variables);
  return asGiven.errors ? read(withoutTypenames(schema, variableDefinitions, variables)) : asGiven;
}

/** Keyed by the parsed operation itself: Apollo keeps documents, and forgotten ones are collected with their counts. */
function createCompiledOperations(schema: GraphQLSchema) {
  const hits = new WeakMap<OperationDefinitionNode, number>();
  const uncompilable = new WeakSet<OperationDefinitionNode>();
  // A map keeps the order of insertion: the first is the one unused for longest.
  const runs = new Map<OperationDefinitionNode, Run>();

  const keep = (operation: OperationDefinitionNode, run: Run): Run => {
    runs.delete(operation);
    runs.set(operation, run);
    const [oldest] = runs.keys();
    if (runs.size > compiledAtMost && oldest) {
      runs.delete(oldest);
      hits.delete(oldest);
    }
    return run;
  };

  return {
    find(document: DocumentNode, operation: OperationDefinitionNode): Run | null {
      const known = runs.get(operation);
      if (known) return keep(operation, known);
      if (uncompilable.has(operation)) return null;
      const hit = (hits.get(operation) ?? 0) + 1;
      hits.set(operation, hit);
      if (hit < hitsBeforeCompiling) return null;
      const run = compile(schema, document, operation);
      if (run) return keep(operation, run);
      uncompilable.add(operation);
      return null;
    },
    count: () => runs.size,
  };
}

function compile(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Run | null {
  if (replacesDefaults(schema, document, operation)) return null;
  if (shapeOf(document, operation).selections > selectionsAtMost) return null;
  const result = compileQuery(knowingReadValues(schema), takingReadObjects(schema, document, operation), operation.name?.value);
  return isCompiledQuery(result) ? result.query : null;
}

/** A value that was read already. Compiled code takes it as it is. */
const readValue = new GraphQLScalarType({ name: 'ReadValue' });
const readValueType = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: readValue.name } } as const;

/** The schema with that type, for use in here only. */
function knowingReadValues(schema: GraphQLSchema): GraphQLSchema {
  const getType = (name: string) => (name === readValue.name ? readValue : schema.getType(name));
  return Object.create(schema, { getType: { value: getType } }) as GraphQLSchema;
}

/** The document with its variables of input objects as read values: to read them again would cost as much as the rest of a claim. */
function takingReadObjects(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): DocumentNode {
  const variableDefinitions = operation.variableDefinitions?.map((definition) =>
    isInputObjectType(namedTypeOf(schema, definition))
      ? { kind: definition.kind, variable: definition.variable, type: readValueType }
      : definition,
  );
  const reading = { ...operation, ...(variableDefinitions && { variableDefinitions }) };
  return { ...document, definitions: document.definitions.map((definition) => (definition === operation ? reading : definition)) };
}

function namedTypeOf(schema: GraphQLSchema, { type }: VariableDefinitionNode) {
  return getNamedType(typeFromAST(schema, type as NamedTypeNode));
}

/** Whether a variable that may be null stands where only a default makes it good: graphql-jit lets the null pass, graphql-js refuses it. */
function replacesDefaults(schema: GraphQLSchema, document: DocumentNode, { variableDefinitions = [] }: OperationDefinitionNode): boolean {
  const nullable = new Set(
    variableDefinitions.filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE).map(({ variable }) => variable.name.value),
  );
  if (nullable.size === 0) return false;
  const typeInfo = new TypeInfo(schema);
  let found = false;
  const Variable = ({ name }: VariableNode): void => {
    found ||= nullable.has(name.value) && isNonNullType(typeInfo.getInputType());
  };
  visit(document, visitWithTypeInfo(typeInfo, { Variable }));
  return found;
}
