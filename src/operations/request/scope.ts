// What one request carries through the operations: the database, the caller, and the loaders that batch its reads.
import type { Db } from '../../db/sql/client.ts';
import type { Identity } from '../../domain/identity.ts';
import { createLoaders, type Loaders } from './loaders.ts';
import type { MutationCall } from './mutation-call.ts';

export interface RequestScope {
  readonly db: Db;
  /** Who is calling; null before authentication, which only public fields accept. */
  readonly identity: Identity | null;
  /** `req-<uuid>`, in the answer's headers, the logs and the event of a write. */
  readonly requestId: string;
  /** The request id that the caller brought, `req-<uuid>`; null when it brought none. In the logs and the event of a write, too. */
  readonly globalRequestId: string | null;
  /** Made on first use; new after each write, so that nothing read before it is shown after it. */
  readonly loaders: Loaders;
  /** The current mutation; null outside mutations, where there are no idempotency keys. */
  mutation: MutationCall | null;
  /** How many writes of this request are known to be committed. */
  readonly commits: number;
  /** Called after a committed write: discards what was read before, and passes the next loaders, if any are created, to `remember`. */
  noteCommit(remember: (loaders: Loaders) => void): void;
  /** Called after a write that failed, or whose outcome is unknown: discards what was read before. */
  forgetReads(): void;
}

/** The scope of one request. A class, because Apollo copies its context: a getter of the object itself would become a value. */
export class Scope implements RequestScope {
  readonly db: Db;
  readonly identity: Identity | null;
  readonly requestId: string;
  readonly globalRequestId: string | null;
  mutation: MutationCall | null = null;
  commits = 0;
  // Not a private name, because a copy must have it too.
  private madeLoaders: Loaders | undefined;
  private remember: ((loaders: Loaders) => void) | undefined;

  constructor({
    db,
    identity,
    requestId,
    globalRequestId = null,
  }: Pick<RequestScope, 'db' | 'identity' | 'requestId'> & Partial<Pick<RequestScope, 'globalRequestId'>>) {
    this.db = db;
    this.identity = identity;
    this.requestId = requestId;
    this.globalRequestId = globalRequestId;
  }

  get loaders(): Loaders {
    if (!this.madeLoaders) {
      this.madeLoaders = createLoaders(this.db);
      this.remember?.(this.madeLoaders);
    }
    return this.madeLoaders;
  }

  noteCommit(remember: (loaders: Loaders) => void): void {
    this.forgetReads();
    this.commits += 1;
    this.remember = remember;
  }

  forgetReads(): void {
    this.madeLoaders = undefined;
    this.remember = undefined;
  }
}
