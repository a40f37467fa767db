// The settings of the processes of a gateway: how many serve, what they log of operations, and where their metrics are.
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { setting } from './setting.ts';
import { numberOr, oneOf, onOrOff, wholeNumber } from './values.ts';

const mostWorkers = 64;
const numberOfWorkers = numberOr('auto', mostWorkers).transform((workers) => workers ?? Math.min(availableParallelism(), mostWorkers));

export const processSettings = {
  workers: setting({
    variable: 'PLACEMENT_WORKERS',
    argument: 'number|auto',
    form: numberOfWorkers,
    fallback: '1',
    meaning: 'processes that serve on the port, 1 to 64; auto: one for each core',
  }),
  logLevel: setting({
    variable: 'PLACEMENT_LOG_LEVEL',
    argument: 'level',
    form: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    fallback: 'info',
    meaning: 'trace, debug, info, warn, error, fatal, silent',
  }),
  logOperations: setting({
    variable: 'PLACEMENT_LOG_OPERATIONS',
    argument: 'share',
    form: z
      .string()
      .regex(/^(1|0|0?\.\d{1,6})$/, 'must be a number from 0 to 1')
      .transform(Number),
    fallback: '1',
    meaning: 'the share of operations that are logged, 0 to 1; slow ones always are',
  }),
  /** Milliseconds. */
  slowOperation: setting({
    variable: 'PLACEMENT_SLOW_OPERATION',
    argument: 'number',
    form: wholeNumber(0, 600_000),
    fallback: '1000',
    meaning: 'milliseconds from which an operation is slow, 0 to 600000',
  }),
  metrics: setting({
    variable: 'PLACEMENT_METRICS',
    argument: 'on|off',
    form: onOrOff,
    fallback: 'on',
    meaning: 'whether /metrics is served to callers that may read inventories',
  }),
  metricsPort: setting({
    variable: 'PLACEMENT_METRICS_PORT',
    argument: 'number',
    form: wholeNumber(1, 65_535),
    absent: null,
    fallback: 'none',
    meaning: 'another port on the same address, where /metrics needs no token',
  }),
};
