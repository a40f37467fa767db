// Lets writes into the database. Each kind has its own share of the connections (permits.ts), and writes that find a provider locked wait apart
// from all others (locked-providers.ts): no write waits for what it does not need, or for longer than a limit.
import { limits } from '../../domain/limits.ts';
import { type Db, mainHandleOf } from '../sql/client.ts';
import { attemptWrite, awaitProviders, type Blocked, isBlocked } from './apply-write.ts';
import type { Call, Refused } from './contract.ts';
import { LockedProviders } from './locked-providers.ts';
import { type AnswerOf, operations, type RequestOf, type WriteOperation } from './operations.ts';
import { type Permits, permitsOf, type WriteKind } from './permits.ts';

interface Admission {
  readonly permits: { readonly [Kind in WriteKind]: Permits };
  readonly lockedProviders: LockedProviders;
}

const admissions = new WeakMap<Db, Admission>();

/** The permits and the locked providers of a gateway. */
export function admissionOf(db: Db): Admission {
  const main = mainHandleOf(db);
  const known = admissions.get(main);
  if (known) return known;
  const permits = permitsOf(db.writes.options.max);
  const admission = { permits, lockedProviders: new LockedProviders(permits.blocked) };
  admissions.set(main, admission);
  return admission;
}

/** When a write that arrives now is given up, as performance.now(). An attempt in progress at that time ends after at most one lock timeout. */
export function deadlineOfWrite(): number {
  return performance.now() + limits.writeWait;
}

/** Executes a write when its turn comes. Throws what applyWrite throws; Unavailable, too, when it had to wait for too long. */
export async function admitWrite<Name extends WriteOperation>(
  db: Db,
  operation: Name,
  request: RequestOf<Name>,
  call: Call,
  deadline: number,
): Promise<AnswerOf<Name> | Refused> {
  const { permits, lockedProviders } = admissionOf(db);
  const kind = operations[operation].permit;
  // In the lane of a provider, a write waits long for that provider only.
  const attempt = (provider: string | undefined, waits: boolean) =>
    attemptWrite(db, operation, request, call, waits && !provider ? null : 'briefly', waits ? provider : undefined);
  // A write that locks the forest must not hold it while it waits for a provider. It may wait for the forest itself: its permit is for that.
  const attemptInForest = async (provider: string | undefined, waits: boolean): Promise<AnswerOf<Name> | Refused | Blocked> => {
    if (waits && provider && !(await awaitProviders(db, [provider]))) return { locked: [provider] };
    return permits.forest.run(deadline, () => attemptWrite(db, operation, request, call, 'notForProviders'));
  };
  const alone = `alone ${firstOf(keysIn(request)) ?? kind}`;
  let lane = lockedProviders.firstOf(keysIn(request));
  // Writes that need the same as one that waits for something else do not try it first, each with a connection.
  if (lane === undefined && lockedProviders.firstOf([alone]) === undefined) {
    const outcome =
      kind === 'forest' ? await attemptInForest(undefined, false) : await permits[kind].run(deadline, () => attempt(undefined, false));
    if (!isBlocked(outcome)) return outcome;
    lane = outcome.locked[0];
  }
  for (;;) {
    const provider = lane;
    const outcome = await lockedProviders.run(provider ?? alone, deadline, (waits) =>
      kind === 'forest' ? attemptInForest(provider, waits) : attempt(provider, waits),
    );
    if (!isBlocked(outcome)) return outcome;
    lane = outcome.locked[0];
  }
}

function firstOf<T>(items: Iterable<T>): T | undefined {
  for (const item of items) return item;
  return undefined;
}

/** The uuids of the providers and consumers that a request names. */
function* keysIn(request: object): Generator<string> {
  const { provider, uuid, providers = [], consumers = [] } = request as NamingRequest;
  if (provider) yield provider;
  if (uuid) yield uuid;
  for (const named of providers) if (typeof named !== 'string' && named.uuid) yield named.uuid;
  for (const { uuid: consumer, allocations = [] } of consumers) {
    yield consumer;
    for (const allocation of allocations) yield allocation.provider;
  }
}

/** What requests of write functions have in common. */
interface NamingRequest {
  readonly provider?: string;
  readonly uuid?: string | null;
  readonly providers?: readonly (string | { readonly uuid?: string | null })[];
  readonly consumers?: readonly { readonly uuid: string; readonly allocations?: readonly { readonly provider: string }[] }[];
}
