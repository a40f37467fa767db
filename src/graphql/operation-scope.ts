// What the operations of one GraphQL request share beside the scope of every request.
import type { Visit } from '../auth/budgets.ts';
import type { RequestScope } from '../operations/scope/scope.ts';
import type { Audited } from './audited.ts';
import { Made, type Paced } from './large-answers.ts';
import { limits } from './limits.ts';

/** The context of the operations of a request, and what is logged about it. */
export interface OperationScope extends RequestScope, Paced {
  /** Whether the body was large, so that its variables are read in parts. */
  readonly hasLargeBody: boolean;
  /** Roughly the number of objects in the answer, once computed. */
  cost: number;
  readonly made: Made;
  /** What remains of the caller's budget; null without bounds. */
  readonly visit: Visit | null;
  /** What the audit log says about the operation; one object for all copies of the scope. */
  readonly audited: Audited;
  /** The JSON of a large answer; without pieces, Apollo renders the answer. */
  readonly rendered: { pieces?: readonly Uint8Array[] };
}

/** The scope of the same operation as a heavy one, even if it has run in part: nothing is read, no object is counted, and its reads make way. */
export function asHeavy(scope: OperationScope, most: number = limits.nodes): OperationScope {
  const copy = Object.create(Object.getPrototypeOf(scope)) as OperationScope;
  const heavy = Object.assign(copy, scope, { isLarge: true, made: new Made(most, scope.made.operation) });
  heavy.beginHeavyWork();
  return heavy;
}
