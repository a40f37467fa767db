// Claims of several processes that one of them writes for all, so that they share calls as those of one process do (claims.ts). The code that starts
// the processes chooses it and connects them. Only speed depends on this: the database decides, so a process that cannot reach another writes its claims itself.
import { DiskFull, Following, OutcomeUnknown, Outdated, Overloaded, Unavailable, UnreadableAnswer } from '../../domain/errors.ts';
import type { NotedStatement } from '../../measures/activity.ts';
import { type Db, mainHandleOf, notedBy, noteStatement } from '../sql/client.ts';
import { sqlState } from './apply-write.ts';
import { type Answer, claimOf, type SharableClaim, type SharedOperation, shareCall, sizeOf } from './claims.ts';
import type { Call } from './contract.ts';
import type { RequestOf } from './operations.ts';
import { tooManyWaiting } from './permits.ts';

/** Hands a claim to the process that writes for all, and brings its answer. 'notSent': there is no such process, or the claim will never reach it; 'lost': it may have written the claim. */
export type Forward = (claim: object) => Promise<{ readonly answer: unknown } | 'notSent' | 'lost'>;

/** A claim in transit, in JSON. Times are those of the clock that all processes of a machine share. */
interface SentClaim {
  readonly operation: SharedOperation;
  readonly request: RequestOf<SharedOperation>;
  readonly call: Call;
  readonly deadline: number;
}

/** Its outcome, and the statements in which it took part. */
interface SentAnswer {
  readonly answer?: Answer;
  readonly fault?: Fault;
  readonly statements: readonly NotedStatement[];
}

interface Fault {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: string | undefined;
  readonly cause: string;
}

/** Amounts of a claim that is sent: some 30 kB. */
const mostAmounts = 300;

interface Way {
  readonly forward: Forward;
  /** Claims in transit. */
  sent: number;
}

const ways = new WeakMap<Db, Way>();

/** From now on another process may write the claims of this one; null: none does. */
export function forwardClaims(db: Db, forward: Forward | null): void {
  if (forward) ways.set(mainHandleOf(db), { forward, sent: 0 });
  else ways.delete(mainHandleOf(db));
}

/** Whether claims of this process are being written by another. */
export function areClaimsElsewhere(db: Db): boolean {
  return (ways.get(mainHandleOf(db))?.sent ?? 0) > 0;
}

/**
 * Has a claim written by the process that writes for all. Null if there is none, if it was not reached, or if the claim is large: it shares little, and its
 * transfer would delay both processes. Throws what a write in this process would throw.
 */
export async function forwardClaim(
  db: Db,
  { operation, request, call, consumers }: SharableClaim,
  deadline: number,
): Promise<Answer | null> {
  const way = ways.get(mainHandleOf(db));
  const outcome =
    way && sizeOf(consumers) <= mostAmounts ? await send(way, { operation, request, call, deadline: deadline + sharedClock }) : 'notSent';
  if (outcome === 'notSent') return null;
  if (outcome === 'lost') throw new OutcomeUnknown(new Error('the worker that writes claims was gone before it answered'));
  const { answer, fault, statements } = outcome.answer as SentAnswer;
  for (const statement of statements) noteStatement(db, shifted(statement, -sharedClock));
  if (fault) throw errorOf(fault);
  return answer as Answer;
}

async function send(way: Way, claim: SentClaim): ReturnType<Forward> {
  way.sent++;
  try {
    return await way.forward(claim);
  } finally {
    way.sent--;
  }
}

/** Writes a claim of another process like one of its own. Never rejects. */
export async function writeForwarded(db: Db, claim: object): Promise<object> {
  const { operation, request, call, deadline } = claim as SentClaim;
  const statements: NotedStatement[] = [];
  const noted = notedBy(db, { noteStatement: (statement) => void statements.push(shifted(statement, sharedClock)) });
  try {
    // It has waited while this process stood still.
    if (deadline - sharedClock <= performance.now()) throw tooManyWaiting();
    const own = claimOf(operation, request, call);
    if (!own) throw new Error('a claim was forwarded that cannot share a call');
    const answer = await shareCall(noted, own, deadline - sharedClock);
    return { answer, statements };
  } catch (error) {
    return { fault: faultOf(error), statements };
  }
}

/** Milliseconds from `performance.now()`, which begins with each process, to the clock of the machine. */
const sharedClock = Number(process.hrtime.bigint()) / 1e6 - performance.now();

function shifted(statement: NotedStatement, by: number): NotedStatement {
  return { ...statement, since: statement.since + by, startedAt: statement.startedAt + by };
}

function faultOf(error: unknown): Fault {
  const { name, message, stack, cause } = error instanceof Error ? error : new Error(String(error));
  return { name, message, stack, code: sqlState(error), cause: String(cause ?? message) };
}

function errorOf({ name, message, stack, code, cause }: Fault): Error {
  const original = Object.assign(new Error(cause), { code });
  switch (name) {
    case 'Overloaded':
      return new Overloaded(message);
    case 'Outdated':
      return new Outdated(original);
    case 'Following':
      return new Following(original);
    case 'DiskFull':
      return new DiskFull(original, message);
    case 'UnreadableAnswer':
      return new UnreadableAnswer();
    case 'Unavailable':
      return new Unavailable(original, message);
    case 'OutcomeUnknown':
      return new OutcomeUnknown(original);
    default:
      return Object.assign(new Error(message), { name, stack, code });
  }
}
