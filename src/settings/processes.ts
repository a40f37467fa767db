// The settings of the processes of a gateway: how many serve, where their metrics are, and what they log of operations. Their rows and checks for settings/settings.ts.
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { limits } from '../domain/limits.ts';
import { numberOr, wholeNumber } from './values.ts';

export interface ProcessSettings {
  /** Processes that serve on the port. */
  readonly workers: number;
  /** The most connections of one address to a process; null for no such bound. */
  readonly addressConnections: number | null;
  /** Whether there is /metrics on the port of the APIs. */
  readonly metrics: boolean;
  /** Where /metrics is for everybody; null for nowhere. */
  readonly metricsPort: number | null;
  /** The share of operations that have a line in the log, 0 to 1. */
  readonly logOperations: number;
  /** Milliseconds from which an operation is slow. */
  readonly slowOperation: number;
}

type Row = readonly [key: keyof ProcessSettings, variable: string, argument: string, fallback: string, meaning: string];

export const processRows: readonly Row[] = [
  ['workers', 'PLACEMENT_WORKERS', 'number|auto', '1', 'processes that serve on the port, 1 to 64; auto: one for each core'],
  [
    'addressConnections',
    'PLACEMENT_ADDRESS_CONNECTIONS',
    'number|none',
    String(limits.connectionsOfAddress),
    'open connections of one address to each worker; raise it for a proxy that has more. Addresses of this machine have no such bound',
  ],
  ['metrics', 'PLACEMENT_METRICS', 'on|off', 'on', 'whether /metrics is served to those who may read inventories'],
  ['metricsPort', 'PLACEMENT_METRICS_PORT', 'number', 'none', 'a port of its own on the same address, where /metrics needs no token'],
  [
    'logOperations',
    'PLACEMENT_LOG_OPERATIONS',
    'share',
    '1',
    'the share of operations that have a line in the log, 0 to 1; slow ones always have',
  ],
  ['slowOperation', 'PLACEMENT_SLOW_OPERATION', 'number', '1000', 'milliseconds from which an operation is slow, 0 to 600000'],
];

const mostWorkers = 64;
const allowed = `must be a whole number from 1 to ${mostWorkers}, or auto`;

export const processShape = {
  workers: z
    .string()
    .regex(/^(auto|\d{1,2})$/, allowed)
    .transform((text) => (text === 'auto' ? Math.min(availableParallelism(), mostWorkers) : Number(text)))
    .refine((workers) => workers >= 1 && workers <= mostWorkers, allowed)
    .default(1),
  addressConnections: numberOr('none', limits.connections).default(limits.connectionsOfAddress),
  metrics: z.stringbool({ error: 'must be on or off' }).default(true),
  metricsPort: wholeNumber(1, 65_535).nullable().default(null),
  logOperations: z
    .string()
    .regex(/^(1|0|0?\.\d{1,6})$/, 'must be a number from 0 to 1')
    .transform(Number)
    .default(1),
  slowOperation: wholeNumber(0, 600_000).default(1000),
};
