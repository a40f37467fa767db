// The size of an operation, computed before it runs: its shape once for each document, its cost (cost.ts) with the variables of each request. The parser and
// Apollo limit tokens and flattened selections earlier, so the traversals here are short.
import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { limits as declared } from '../domain/limits.ts';
import { type Estimate, estimateOf, fragmentsOf, type Variables } from './cost.ts';
import { badUserInput, requestError } from './errors.ts';

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
  /** Up to so many objects, an answer is built and rendered in one go. */
  lightNodes: declared.lightOperationCost,
  /** The JSON of a large answer. */
  bytes: declared.answerSize,
};

export type { Variables } from './cost.ts';

/** Whether an operation is heavy before it runs. Others may become so: an estimate is for the most that an answer may have, and few have that. */
export function startsHeavy(cost: number, counted: Pick<Estimate, 'work'> | null): boolean {
  return cost > declared.lightEstimate || (counted?.work ?? 0) > limits.lightNodes;
}

export interface OperationSize {
  /** Roughly the maximum number of objects in the answer. */
  readonly cost: number;
  /** For counting the objects as they are made. */
  readonly counted: Pick<Estimate, 'work' | 'values'>;
}

/** Throws a GraphQLError with a code and HTTP status 400 if the operation is too large. */
export type CheckLimits = (document: DocumentNode, operation: OperationDefinitionNode, variables: Variables) => OperationSize;

/** An estimate is kept up to so many selections: it takes a kilobyte for each, of which a short document with fragments can have ten thousand. */
export const keptSelections = 1000;

/** The limits for one schema. What does not depend on variables is computed once for each parsed document of a usual size. */
export function createLimits(schema: GraphQLSchema): CheckLimits {
  const kept = new WeakMap<OperationDefinitionNode, Estimate>();
  return (document, operation, variables) => {
    let estimate = kept.get(operation);
    if (!estimate) {
      const shape = shapeOf(document, operation);
      const refusal = refusalOf(shape);
      if (refusal) throw refusal;
      estimate = estimateOf(schema, document, operation);
      if (shape.selections <= keptSelections) kept.set(operation, estimate);
    }
    return { cost: checkEstimate(estimate, variables), counted: estimate };
  };
}

/** The counts of one operation, fragments flattened. */
interface Shape {
  depth: number;
  aliases: number;
  rootFields: number;
  directives: number;
  selections: number;
}

/** Measures a validated operation: fragments must exist and not contain themselves. */
function shapeOf(document: DocumentNode, operation: OperationDefinitionNode): Shape {
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
  return requestError('TOO_COMPLEX', `The operation is too complex: ${measure} is ${actual}, the limit is ${limit}.`, {
    measure,
    actual,
    limit,
  });
}

function checkEstimate({ objects, pages }: Estimate, variables: Variables): number {
  for (const { argument, size } of pages) {
    const asked = size(variables);
    if (asked < 0 || asked > limits.page) {
      throw badUserInput(`${argument} is ${asked}, but must be from 0 to ${limits.page}.`, [argument]);
    }
  }
  const cost = objects(variables);
  if (cost > limits.nodes) {
    throw requestError(
      'COST_LIMIT_EXCEEDED',
      `The answer could have about ${cost} nodes, but at most ${limits.nodes} are allowed: ask for smaller pages.`,
      { cost, limit: limits.nodes },
    );
  }
  return cost;
}
