// Runs operations: rare or unusual ones with graphql-js, repeated ones with code compiled by graphql-jit.
// Both give the same data. Where fields that cannot be null fail, compiled code may report more of the errors, or another one first. Checks neither permissions nor limits.
import { randomBytes } from 'node:crypto';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLScalarType,
  type GraphQLSchema,
  getNamedType,
  getVariableValues,
  isInputObjectType,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { mapInTurn } from '../operations/request/event-loop-share.ts';
import type { RequestScope } from '../operations/scope/scope.ts';
import { type Compilable, compilable } from './compilable.ts';
import { asGraphqlError, publicError } from './errors.ts';
import { readLargeVariables } from './large-variables.ts';
import type { Variables } from './limits.ts';
import { createRehearsal } from './rehearsal.ts';
import { withoutTypenames } from './typenames.ts';
import { isAfterCommit } from './written-fields.ts';

/** Compiling costs milliseconds: an operation must first be run this often. */
const hitsBeforeCompiling = 3;
/** The maximum number of compiled operations, and of the selections of their code, each a kilobyte; the least recently used is dropped first. */
const compiledAtMost = 500;
const selectionsAtMost = 25_000;
/** The maximum number of reported faults of variables. */
const readOptions = { maxErrors: 5 };

type Run = CompiledQuery['query'];

interface Compiled extends Compilable {
  readonly run: Run;
}

/** A validated operation with what it needs to run. */
export interface Execution {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly context: unknown;
  readonly variables: Record<string, unknown> | undefined;
  /** Whether there may be so many values that they are read in parts. */
  readonly hasLargeVariables?: boolean;
}

export interface Executor {
  /** The result, with all errors as a caller may see them. Does not throw if a resolver or the rehearsal of arguments throws. */
  execute(execution: Execution): Promise<ExecutionResult>;
  /** The number of compiled operations in the cache. */
  compiledCount(): number;
}

/** An executor for one schema. `jit: false` runs everything with graphql-js. */
export function createExecutor(schema: GraphQLSchema, { jit }: { jit: boolean }): Executor {
  const rehearse = createRehearsal(schema);
  const compiled = jit ? createCompiledOperations(schema) : null;
  return {
    async execute({ document, operation, context, variables, hasLargeVariables = false }) {
      const { coerced, errors, taken }: ReadVariables = hasLargeVariables
        ? await readLargeVariables(schema, operation.variableDefinitions ?? [], variables ?? {}, readOptions)
        : readVariables(schema, operation, variables);
      const rehearsed = errors ?? rehearse(document, operation, coerced, context as RequestScope).catch((error) => [asGraphqlError(error)]);
      const refused = await rehearsed;
      if (refused.length > 0) return { errors: refused.map((error) => publicError(error)) };
      const run = compiled?.find(document, operation, coerced ?? {}) ?? null;
      const result: ExecutionResult = run
        ? await run(undefined, context, coerced)
        : await execute({
            ...(taken ? { schema, document, variableValues: taken } : usingReadValues(schema, document, operation, coerced ?? {})),
            contextValue: context,
            ...(operation.name && { operationName: operation.name.value }),
          });
      if (!result.errors) return result;
      // Each list of a large answer can have failed.
      const shown = mapInTurn(result.errors, (error) => publicError(error, { afterCommit: isAfterCommit(context, error.path?.[0]) }));
      return { ...result, errors: await shown };
    },
    compiledCount: () => compiled?.count() ?? 0,
  };
}

/** The result, with the variables as they were given, for graphql-js to read them again. */
type ReadVariables = ReturnType<typeof getVariableValues> & { readonly taken?: Execution['variables'] };

/**
 * The variables as graphql-js reads them. graphql-jit accepts lists as objects and several keys for `@oneOf`, misses
 * defaults within inputs, and names the field instead of the variable.
 */
function readVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Execution['variables'] = {},
): ReadVariables {
  const read = (taken: Record<string, unknown>) => ({
    ...getVariableValues(schema, variableDefinitions, taken, readOptions),
    taken,
  });
  const asGiven = read(variables);
  return asGiven.errors ? read(withoutTypenames(schema, variableDefinitions, variables)) : asGiven;
}

/** Keyed by the parsed operation itself: Apollo caches documents, and the counts of dropped ones are collected with them. */
function createCompiledOperations(schema: GraphQLSchema) {
  const hits = new WeakMap<OperationDefinitionNode, number>();
  const uncompilable = new WeakSet<OperationDefinitionNode>();
  // A map keeps the order of insertion: the first is the least recently used.
  const runs = new Map<OperationDefinitionNode, Compiled>();

  let selections = 0;

  const drop = (operation: OperationDefinitionNode) => {
    selections -= runs.get(operation)?.selections ?? 0;
    runs.delete(operation);
  };
  const keep = (operation: OperationDefinitionNode, found: Compiled, variables: Variables): Run | null => {
    drop(operation);
    runs.set(operation, found);
    selections += found.selections;
    for (const oldest of runs.keys()) {
      if (runs.size <= compiledAtMost && selections <= selectionsAtMost) break;
      drop(oldest);
      hits.delete(oldest);
    }
    return found.given.every((name) => Object.hasOwn(variables, name)) ? found.run : null;
  };

  return {
    /** Null if graphql-js must run it with these variables. */
    find(document: DocumentNode, operation: OperationDefinitionNode, variables: Variables): Run | null {
      const known = runs.get(operation);
      if (known) return keep(operation, known, variables);
      if (uncompilable.has(operation)) return null;
      const hit = (hits.get(operation) ?? 0) + 1;
      hits.set(operation, hit);
      if (hit < hitsBeforeCompiling) return null;
      const found = compile(schema, document, operation);
      if (found) return keep(operation, found, variables);
      uncompilable.add(operation);
      return null;
    },
    count: () => runs.size,
  };
}

function compile(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Compiled | null {
  const found = compilable(schema, document, operation);
  if (!found) return null;
  const result = compileQuery(knowingReadValues(schema), takingReadObjects(schema, document, operation), operation.name?.value);
  return isCompiledQuery(result) ? { ...found, run: result.query } : null;
}

/** The type of a value that has already been read; compiled code uses it as it is. Introspection must not find it, so nobody can guess its name. */
const readValue = new GraphQLScalarType({ name: `ReadValue${randomBytes(16).toString('hex')}` });
const readValueType = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: readValue.name } } as const;

/** The schema with that type, for use in this file only. */
function knowingReadValues(schema: GraphQLSchema): GraphQLSchema {
  const getType = (name: string) => (name === readValue.name ? readValue : schema.getType(name));
  return Object.create(schema, { getType: { value: getType } }) as GraphQLSchema;
}

/** The document with its input object variables declared as read values: reading them again would cost as much as the rest of a claim. */
function takingReadObjects(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): DocumentNode {
  const variableDefinitions = operation.variableDefinitions?.map((definition) =>
    isInputObjectType(namedTypeOf(schema, definition))
      ? { kind: definition.kind, variable: definition.variable, type: readValueType }
      : definition,
  );
  const reading = { ...operation, ...(variableDefinitions && { variableDefinitions }) };
  return { ...document, definitions: document.definitions.map((definition) => (definition === operation ? reading : definition)) };
}

/** For graphql-js: keeps it from reading the objects among the variables again. */
function usingReadValues(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode, variableValues: Variables) {
  return { schema: knowingReadValues(schema), document: takingReadObjects(schema, document, operation), variableValues };
}

function namedTypeOf(schema: GraphQLSchema, { type }: VariableDefinitionNode) {
  return getNamedType(typeFromAST(schema, type as NamedTypeNode));
}
