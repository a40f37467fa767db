// Reads the variables of large bodies in parts, so that they do not block the event loop: long lists are taken out, the rest is read as usual, and
// the elements of the lists are read one by one.
import {
  coerceInputValue,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getVariableValues,
  type VariableDefinitionNode,
} from 'graphql';
import { inspect } from 'graphql/jsutils/inspect.js';
import type { Path } from '../domain/input.ts';
import { inTurn } from '../operations/request/event-loop-share.ts';
import type { Variables } from './limits.ts';
import { placeInWords } from './subjects.ts';
import { cleaned, type TakesOut, withoutTypenames } from './typenames.ts';

/** A list of up to this length is read in one go. */
const shortList = 20;

/** A list that was taken out, and its place. */
interface LongList {
  readonly path: Path;
  readonly elements: readonly unknown[];
  readonly type: GraphQLInputType;
}

type Read = ReturnType<typeof getVariableValues>;

/** Like getVariableValues, but drops `__typename` from input objects. */
export async function readLargeVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  variables: Variables,
  options: { readonly maxErrors: number },
): Promise<Read> {
  const lists: LongList[] = [];
  const takeOutLong: TakesOut = (elements, type, path) => elements.length > shortList && lists.push({ path, elements, type }) > 0;
  const read = getVariableValues(schema, definitions, withoutTypenames(schema, definitions, variables, takeOutLong), options);
  if (read.errors) return read;
  const errors: GraphQLError[] = [];
  for (const list of lists) {
    const into = valueAt(read.coerced, list.path);
    // Otherwise it is inside something that has been refused.
    if (!Array.isArray(into)) continue;
    for (const [index, element] of list.elements.entries()) {
      const path = [...list.path, index];
      const small = cleaned(element, list.type, path, takeOutLong);
      into.push(
        coerceInputValue(small, list.type, (inner, value, error) => errors.push(faultAt([...path, ...inner], value, error, definitions))),
      );
      if (errors.length >= options.maxErrors) return { errors };
      const turn = inTurn(null);
      if (turn !== null) await turn;
    }
  }
  return errors.length > 0 ? { errors } : read;
}

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce((value, step) => (value as Record<string | number, unknown> | undefined)?.[step], root);
}

/** The error, in the words of getVariableValues. */
function faultAt(path: Path, value: unknown, error: GraphQLError, definitions: readonly VariableDefinitionNode[]): GraphQLError {
  const [name] = path;
  return new GraphQLError(
    `Variable "$${name}" got invalid value ${inspect(value)} at "${placeInWords(path.map(String))}"; ${error.message}`,
    {
      nodes: definitions.find(({ variable }) => variable.name.value === name) ?? null,
      originalError: error,
    },
  );
}
