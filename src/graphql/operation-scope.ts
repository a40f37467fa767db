// What the operations of one GraphQL request share beside the scope of every request.
import type { Visit } from '../auth/budgets.ts';
import type { RequestScope } from '../operations/scope/scope.ts';
import type { Audited } from './audited.ts';
import type { Made, Paced } from './large-answers.ts';

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
