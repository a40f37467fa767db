// The instruments of the process. There is one set for the whole process, and all rooms record here.
import { Counter, Histogram, type Measured } from './instruments.ts';

/** Seconds. */
const durations = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const measures = {
  operations: new Histogram(
    'placement_operation_seconds',
    'Time from the arrival of a request to its answer, by API and operation: a REST route, or the field of a GraphQL operation.',
    durations,
    ['surface', 'operation'],
  ),
  answers: new Counter('placement_answers_total', 'Answers by API and HTTP status.', ['surface', 'status']),
  refusals: new Counter('placement_refusals_total', 'Refusals by API and code.', ['surface', 'code']),
  statements: new Histogram('placement_statement_seconds', 'Time of statements in the database, including the network.', durations, [
    'pool',
  ]),
  statementWaits: new Histogram('placement_statement_wait_seconds', 'Time that statements waited for a connection.', durations, ['pool']),
  rows: new Counter('placement_statement_rows_total', 'Rows that statements returned.', ['pool']),
  statementFailures: new Counter('placement_statement_failures_total', 'Statements that got no answer or that the server refused.', [
    'pool',
  ]),
  turnWaits: new Histogram(
    'placement_turn_wait_seconds',
    'Time that writes, by kind, and heavy operations waited for their turn.',
    durations,
    ['kind'],
  ),
  lockWaits: new Histogram(
    'placement_lock_wait_seconds',
    'Time from when a write found a provider locked by another write until it was done or given up.',
    durations,
  ),
  batches: new Histogram('placement_claims_per_call', 'Claims that were written together.', [1, 2, 4, 8, 16, 32, 64]),
  forestReads: new Histogram('placement_forest_read_seconds', 'Time of reads of changes of the forest.', durations),
  forestChanges: new Counter('placement_forest_changes_total', 'Reads of the forest that found changes.'),
  garbage: new Counter('placement_garbage_collection_seconds_total', 'Time of garbage collection, by kind.', ['kind']),
} as const;

/** All measurements of this process so far. */
export function readMeasures(): Measured[] {
  return Object.values(measures).map((instrument) => instrument.read());
}
