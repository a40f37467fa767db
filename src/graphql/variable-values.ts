// Checks the number and depth of the values in the variables of a request before anything else reads them, because each is visited several times. Values of
// large bodies are counted in parts, so that they do not block the event loop.
import { inTurn } from '../operations/request/event-loop-share.ts';
import { limits, tooComplex, type Variables } from './limits.ts';

/** The number of values that are counted in one go. */
const valuesAtOnce = 1000;

/** Throws a GraphQLError if there are too many values, or they are nested too deeply. */
export function checkValues(variables: Variables): void {
  for (const _ of countValues(variables));
}

/** The same in parts. */
export async function checkValuesInParts(variables: Variables): Promise<void> {
  for (const part of countValues(variables)) {
    const turn = inTurn(part);
    if (turn !== null) await turn;
  }
}

/**
 * Stops at the limit, so that its cost is bounded: if a level has more than twice as many values, either too many of them are leaves or too many are not. The
 * depth is limited because code that reads variables recurses as deep.
 */
function* countValues(variables: Variables): Generator<null> {
  let leaves = 0;
  let lists = 0;
  let sincePart = 0;
  let level: unknown[] = [variables];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limits.variableDepth) throw tooComplex('variableDepth', depth);
    const next: unknown[] = [];
    for (const value of level) {
      sincePart += 1;
      if (typeof value !== 'object' || value === null) leaves += 1;
      else {
        lists += 1;
        if (Array.isArray(value) && value.length > limits.listLength) throw tooComplex('listLength', value.length);
        const values = Array.isArray(value) ? value : Object.values(value);
        for (const inner of values) next.push(inner);
        sincePart += values.length;
      }
      const most = Math.max(leaves, lists, next.length / 2);
      if (most > limits.values) throw tooComplex('values', Math.ceil(most));
      if (sincePart >= valuesAtOnce) {
        sincePart = 0;
        yield null;
      }
    }
    level = next;
  }
}
