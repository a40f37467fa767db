// Calls a write function: the only way of writing at run time. A single statement, so it is applied completely or not at all.
// Knows the meaning of database errors; knows no rules and no messages.

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { DiskFull, Following, OutcomeUnknown, Outdated, Unavailable } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { Db } from '../sql/client.ts';
import type { Call, Refused } from './contract.ts';
import { diskOf } from './full-disk.ts';
import { readAnswer } from './kept-answers.ts';
import { type AnswerOf, operations, type RequestOf, sentName, type WriteOperation } from './operations.ts';

/** An attempt that loses a race means that another write has won it. Writes that create and release the same few consumers may lose five in a row. */
const maxAttempts = 25;
/** Characters. Rendering a longer call takes so long that sending it, which takes as long, is left to the next turn of the event loop. */
const largeCall = 256 * 1024;

/**
 * How a write treats the locks of others. A write without one waits for each until the lock timeout of the session.
 * notForProviders: it does not wait for providers, but returns Blocked. briefly: nor does it wait for anything else for long.
 */
export type Patience = 'notForProviders' | 'briefly';

/** The result of a write that found providers locked (uuids), or waited for another lock in vain (none). Nothing was written. */
export interface Blocked {
  readonly locked: readonly string[];
}

export function isBlocked(result: object): result is Blocked {
  return 'locked' in result;
}

/**
 * Calls a write function once, waiting for the locks of others.
 * Throws Unavailable when nothing was written, OutcomeUnknown when the connection ended before the answer.
 */
export async function applyWrite<Name extends WriteOperation>(
  db: Db,
  operation: Name,
  request: RequestOf<Name>,
  call: Call,
): Promise<AnswerOf<Name> | Refused> {
  return callFunction(db, operation, JSON.stringify(Object.assign({}, request, { kind: operations[operation].event }, call)));
}

/**
 * Calls a write function once, as applyWrite, but returns Blocked instead of waiting for the locks of others for long. `awaited`: the one provider for which it
 * waits whatever its patience (lock_providers.sql).
 */
export async function attemptWrite<Name extends WriteOperation>(
  db: Db,
  operation: Name,
  request: RequestOf<Name>,
  call: Call,
  patience: Patience | null,
  awaited?: string,
): Promise<AnswerOf<Name> | Refused | Blocked> {
  // Not a spread, which would give each object a hidden class of its own.
  const whole = JSON.stringify(
    Object.assign({}, request, { kind: operations[operation].event }, call, patience && { patience }, awaited && { awaited }),
  );
  try {
    return await callFunction(db, operation, whole);
  } catch (error) {
    if (sqlState(error) === lockNotAvailable) return { locked: awaited !== undefined && waitedForProvider(error) ? [awaited] : [] };
    throw error;
  }
}

/** Whether a statement that waited in vain did so in a step that locks providers, in whatever language the server says so. */
function waitedForProvider(error: unknown): boolean {
  return /\b(lock_providers|require_provider)\(/.test((error as { where?: string }).where ?? '');
}

/** Sends the call. Serialization failures and lost races, which roll back everything, are retried a few times. */
async function callFunction<Name extends WriteOperation>(db: Db, operation: Name, whole: string): Promise<AnswerOf<Name> | Refused> {
  const disk = diskOf(db);
  disk.expectSpace();
  if (whole.length > largeCall) await nextTurn();
  const end = performance.now() + limits.switchWait;
  for (let attempt = 1; ; attempt++) {
    try {
      const rows = await db.writes<{ answer: object | null }[]>`
        select apply_write(${sentName(operation)}, ${whole}::text::jsonb) as answer`;
      const [row] = rows;
      // A connection that breaks at the wrong moment can end the statement without a row.
      if (!row) throw new OutcomeUnknown(new Error(`apply_write sent no row for ${operation}`));
      if (!row.answer) throw new Error(`apply_write gave no answer to ${operation}`);
      if (hasUnknownNames(row.answer)) {
        // They are never deleted, so they are known from now on.
        if (attempt === maxAttempts) throw new Error(`apply_write does not find names created for ${operation}`);
        await createNames(db, row.answer.unknownNames);
        continue;
      }
      disk.note();
      return readAnswer(row.answer) as AnswerOf<Name> | Refused;
    } catch (error) {
      if (isWorthRepeating(error) && attempt < maxAttempts) continue;
      if (sqlState(error) === notServed) {
        const mode = modeOfBridge(error);
        if (mode === null) throw new Outdated(error);
        if (!mode.startsWith('to') || performance.now() > end) throw new Following(error);
        await sleep(switchPause);
        attempt--;
        continue;
      }
      const violated = refusalOfConstraint(error);
      if (violated) return violated;
      const fault = error instanceof Unavailable ? error : (connectionFault(error) ?? error);
      disk.note(fault);
      throw fault;
    }
  }
}

/** Waits until no other write locks the providers of these uuids. False after the lock timeout of the session. */
export async function awaitProviders({ writes }: Db, uuids: readonly string[]): Promise<boolean> {
  try {
    await writes`select await_providers(${[...uuids]}::uuid[])`;
    return true;
  } catch (error) {
    if (sqlState(error) === lockNotAvailable) return false;
    throw connectionFault(error) ?? error;
  }
}

/**
 * The write did nothing, and will find another state: it lost a race for a name (try_again.sql), or a deadlock, which the
 * lock order makes very rare (apply_write.sql).
 */
function isWorthRepeating(error: unknown): boolean {
  const code = sqlState(error);
  return code === '40001' || code === '40P01' || constraintsOfRaces.has((error as { constraint_name?: string }).constraint_name ?? '');
}

/**
 * Violated when another write has taken the key of a record (write_record.sql), or the name or uuid of a provider with children (insert_providers.sql), or when a
 * class was created and deleted again while its inventory was written (write_inventories.sql).
 */
const constraintsOfRaces: ReadonlySet<string> = new Set([
  'records_pkey',
  'resource_providers_parent_fkey',
  'resource_providers_root_fkey',
  'inventories_class_fkey',
]);

/** Names of consumers' projects, users and types, some of which do not exist yet. */
export interface ConsumerNames {
  readonly projects: string[];
  readonly users: string[];
  readonly types: string[];
}

function hasUnknownNames(answer: object): answer is { readonly unknownNames: ConsumerNames } {
  return 'unknownNames' in answer;
}

/**
 * Creates names in a statement of their own, so that a write that waits for a lock does not delay the others of a new project. Throws Unavailable when the
 * connection ends: it does not matter whether the names exist now.
 */
export async function createNames({ writes }: Db, { projects, users, types }: ConsumerNames): Promise<void> {
  try {
    await writes`select ensure_consumer_names(${projects}::text[], ${users}::text[], ${types}::text[])`;
  } catch (error) {
    const fault = connectionFault(error);
    throw fault instanceof OutcomeUnknown ? new Unavailable(error) : (fault ?? error);
  }
}

/** The SQLSTATE or driver code of an error, wrapped or not. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : sqlState(error.cause);
}

const lockNotAvailable = '55P03';
/** Raised by apply_write for an operation, or a form of one, that its release does not serve, and while another Placement leads (fence_write.sql). */
const notServed = 'RV001';
/** Milliseconds until a write that waits for a switch of the bridge looks again. */
const switchPause = 25;

/** The mode of the bridge in which this write is not allowed; null if that is not the reason. */
function modeOfBridge(error: unknown): string | null {
  const { detail } = error as { detail?: unknown };
  return typeof detail === 'string' ? (/^bridge (\w+)$/.exec(detail)?.[1] ?? null) : null;
}
const codesBeforeSending = new Set([
  'NOT_SENT',
  'ECONNREFUSED',
  'ENOENT',
  'EACCES',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CONNECT_TIMEOUT',
  '57P03',
  '53300',
  // The database was renamed, dropped, or refuses connections.
  '3D000',
  '55000',
]);
const diskFull = '53100';
// The server rolled the statement back before it reported this.
const codesOfRollback = new Set(['40001', '40P01', '57014', '55P03', '53200', '25006']);
const codesOfLostConnection = new Set([
  '57P01',
  '57P02',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Classifies an error of the connection: Unavailable or OutcomeUnknown; undefined for other errors. */
export function connectionFault(error: unknown): Unavailable | OutcomeUnknown | undefined {
  const code = sqlState(error);
  if (code === undefined) return undefined;
  if (code === diskFull) return new DiskFull(error);
  if (codesBeforeSending.has(code) || codesOfRollback.has(code)) return new Unavailable(error);
  if (codesOfLostConnection.has(code) || code.startsWith('08')) return new OutcomeUnknown(error);
  return undefined;
}

/**
 * Constraints that a caller can violate although the function has checked, because of a concurrent write between check and write.
 * Any other constraint violation is a bug.
 */
function refusalOfConstraint(error: unknown): Refused | undefined {
  const { constraint_name: constraint, detail } = error as { constraint_name?: string; detail?: string };
  const key = /\)=\((.*)\)/.exec(detail ?? '')?.[1] ?? '';
  switch (constraint) {
    case 'resource_providers_name_key':
      return { refusal: { code: 'DUPLICATE', details: { noun: 'resourceProvider', field: 'name', key, existing: null } } };
    case 'resource_providers_uuid_key':
      return { refusal: { code: 'DUPLICATE', details: { noun: 'resourceProvider', field: 'uuid', key, existing: null } } };
    case 'placement_aggregates_name_key':
      return { refusal: { code: 'DUPLICATE', details: { noun: 'aggregate', field: 'name', key, existing: null } } };
    default:
      return undefined;
  }
}
