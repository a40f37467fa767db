// The health checks. `/healthz`: the process is alive. `/readyz`: whether this process answers requests, and if not, why. They need no token, so they do not
// reveal where the database is. A busy gateway is ready: no check waits for a connection that is in use, and all checks have one deadline.
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { reasonNotToServe } from '../db/schema/database-version.ts';
import { readRelease } from '../db/schema/release.ts';
import type { Db } from '../db/sql/client.ts';
import { sqlState } from '../db/writes/apply-write.ts';
import { retryAfter } from '../http/refusal.ts';
import { forestOf } from '../operations/forest/forest.ts';

export interface HealthOptions {
  readonly db: Db;
  /** Why the gateway answers no requests, whatever the checks find; null while it does. */
  readonly whyIdle: () => string | null;
  /** What an operator should know although requests are answered, by name; null if all is well. */
  readonly warnings?: () => Readonly<Record<string, string | null>>;
  /** Milliseconds for all checks. Default 800. */
  readonly patience?: number;
}

/** Milliseconds since the forest was read: up to `fresh` it counts as current, from `old` on it is too old to search. */
const age = { fresh: 5000, old: 10_000 } as const;

/** Serves the health checks. */
export function serveHealth(app: FastifyInstance, options: HealthOptions): void {
  const ready = readiness(options);
  for (const slash of ['', '/']) {
    app.get(`/healthz${slash}`, async () => ({ status: 'ok' }));
    app.get(`/readyz${slash}`, ready);
  }
}

/** A check: `ok`, or what is wrong. */
type Finding = Promise<string>;

const ok = 'ok';
/** Milliseconds to wait for a check that waits for a connection. */
const briefly = 200;

/** For a check that waits for a connection: while it waits, its last finding counts. */
function latest(check: () => Finding): () => Finding {
  let found: string | null = null;
  let present: Finding | null = null;
  return () => {
    present ??= check()
      .then((finding) => {
        found = finding;
        return finding;
      })
      .finally(() => {
        present = null;
      });
    return found === null ? present : Promise.race([present, setTimeout(briefly, found)]);
  };
}

function readiness({ db, whyIdle, warnings = () => ({}), patience = 800 }: HealthOptions) {
  const release = readRelease();
  const schema = latest(async () => (await reasonNotToServe(db.sql, release)) ?? ok);
  const noAnswer = `no answer within ${patience} ms`;
  const checks: { readonly [name: string]: () => Finding } = {
    reads: () => db.probe('reads', patience).then(() => ok),
    writes: () => db.probe('writes', patience).then(() => ok),
    schema,
    forest: () => forestFinding(db, patience),
  };
  const find = async (): Promise<Record<string, string>> => {
    const idle = whyIdle();
    if (idle !== null) return { gateway: idle };
    const found = Object.entries(checks).map(async ([name, check]) => [name, await within(patience, check().catch(wordsFor), noAnswer)]);
    return Object.fromEntries(await Promise.all(found));
  };
  return async (_request: FastifyRequest, reply: FastifyReply) => {
    const found = await find();
    const faults = Object.entries(found).filter(([, finding]) => finding !== ok);
    if (faults.length === 0) {
      const present = Object.entries(warnings()).filter(([, warning]) => warning !== null);
      return { status: 'ready', ...(present.length > 0 && { warnings: Object.fromEntries(present) }) };
    }
    const reason = faults.map(([name, finding]) => `${name}: ${finding}`).join('; ');
    return reply.code(503).header('retry-after', retryAfter).send({ status: 'not ready', reason, checks: found });
  };

  function wordsFor(error: unknown): string {
    const code = sqlState(error) ?? '';
    if (code === 'ETIMEDOUT' || code === 'CONNECT_TIMEOUT') return noAnswer;
    return /^[0-9A-Z]{5}$/.test(code) ? `refused by the server (SQLSTATE ${code})` : 'no connection';
  }
}

/** Searches are answered as long as the forest can be read. A forest that was read a moment ago is not read again for the check. */
async function forestFinding(db: Db, patience: number): Finding {
  const keeper = forestOf(db);
  const before = keeper.age;
  if (before !== null && before < age.fresh) return ok;
  const isRead = await within(
    patience,
    keeper.current().then(
      () => true,
      () => false,
    ),
    false,
  );
  if (isRead) return ok;
  if (before === null) return 'not read yet';
  return before < age.old ? ok : `read ${Math.round(before / 1000)} s ago`;
}

/** The value, or `otherwise` if it takes longer. */
async function within<Value>(milliseconds: number, promise: Promise<Value>, otherwise: Value): Promise<Value> {
  const inTime = new AbortController();
  const late = setTimeout(milliseconds, otherwise, { signal: inTime.signal }).catch(() => otherwise);
  return Promise.race([promise, late]).finally(() => inTime.abort());
}
