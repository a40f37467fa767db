// The context of one request: the database, the caller, and the loaders that batch its reads.
import { type Db, forHeavyWork, notedBy, positionOf, readerOf } from '../../db/sql/client.ts';
import type { RecordAction } from '../../domain/audit.ts';
import type { Identity } from '../../domain/identity.ts';
import type { RootCondition } from '../../domain/root-condition.ts';
import type { Activity } from '../../measures/activity.ts';
import type { MutationCall } from '../request/mutation-call.ts';
import { createLoaders, type Loaders } from './loaders.ts';

/** What the rules of access allow a caller, as the contract describes it. */
export interface Rights {
  /** The rules that allow something. */
  readonly rules: readonly { readonly name: string; readonly reach: 'EVERYTHING' | 'OWN_PROJECT' }[];
  readonly mayReadCloud: boolean;
  readonly mayWrite: boolean;
}

export interface RequestScope {
  readonly db: Db;
  /** The caller; null before authentication, when only public fields are available. */
  readonly identity: Identity | null;
  /** `req-<uuid>`: in the response headers, the logs and the event of a write. */
  readonly requestId: string;
  /** The request id sent by the caller, `req-<uuid>`; null if there is none. Also in the logs and the event of a write. */
  readonly globalRequestId: string | null;
  /** The project to which everything that the request reads must belong, as if there were no others; null for no such limit. Set before it reads. */
  ownProject: string | null;
  /** Whether objects of a kind may be found by their ids; others are answered as if they did not exist. Set before it reads. */
  sees: (kind: string) => boolean;
  /** Set before it reads. */
  rights: () => Rights;
  /** The condition on the roots of the trees that the caller may write to; null for all trees. */
  readonly owned: () => RootCondition | null;
  /** Records writes in the audit log; null when there is none. */
  readonly audit: RecordAction | null;
  /** Created on first use, and again after each write, so that reads after a write never return older data. */
  readonly loaders: Loaders;
  /** Whether claims outside mutations obey the quotas of projects, as those of mutations do. */
  readonly quotasOfRest: boolean;
  /** Whether the quotas follow the limits of Keystone, so that callers may not replace them. */
  readonly quotasOfKeystone: boolean;
  /** What it does, for the log and traces; null if neither needs it. */
  readonly activity: Activity | null;
  /** The current mutation; null outside mutations, where there are no idempotency keys. */
  mutation: MutationCall | null;
  /** The number of writes of this request that are known to be committed. */
  readonly commits: number;
  /** Called before the reads of a request that decides nothing; `position` is what its caller sent. From then on `db` may be a replica. */
  beginReading(position: string | undefined): Promise<void>;
  /** Called before heavy work begins: from then on, reads make way for others. */
  beginHeavyWork(): void;
  /** Called after a committed write: discards what was read before, and passes the next loaders, if any are created, to `remember`. */
  noteCommit(remember: (loaders: Loaders) => void): void;
  /** Called after a write that failed, or whose outcome is unknown: discards what was read before. */
  forgetReads(): void;
}

/** What a caller sends with its reads so that they see its write; null if all reads see it. Never rejects. */
export function positionAfterWrite({ db }: Pick<RequestScope, 'db'>): Promise<string | null> {
  return positionOf(db);
}

/** The scope of one request. A class, because Apollo copies its context: a getter on the object itself would be copied as a value. */
export class Scope implements RequestScope {
  db: Db;
  readonly identity: Identity | null;
  readonly requestId: string;
  readonly globalRequestId: string | null;
  ownProject: string | null = null;
  sees = (_kind: string): boolean => true;
  rights = (): Rights => ({ rules: [], mayReadCloud: false, mayWrite: false });
  readonly owned: () => RootCondition | null;
  readonly audit: RecordAction | null;
  readonly quotasOfRest: boolean;
  readonly quotasOfKeystone: boolean;
  readonly activity: Activity | null;
  mutation: MutationCall | null = null;
  commits = 0;
  // Not a #private field, because a copy must have it too.
  private madeLoaders: Loaders | undefined;
  private remember: ((loaders: Loaders) => void) | undefined;

  constructor({
    db,
    identity,
    requestId,
    globalRequestId = null,
    audit = null,
    owned = () => null,
    quotasOfRest = false,
    quotasOfKeystone = false,
    activity = null,
  }: Pick<RequestScope, 'db' | 'identity' | 'requestId'> &
    Partial<Pick<RequestScope, 'globalRequestId' | 'audit' | 'owned' | 'quotasOfRest' | 'quotasOfKeystone' | 'activity'>>) {
    this.db = activity ? notedBy(db, activity) : db;
    this.activity = activity;
    this.identity = identity;
    this.requestId = requestId;
    this.globalRequestId = globalRequestId;
    this.audit = audit;
    this.owned = owned;
    this.quotasOfRest = quotasOfRest;
    this.quotasOfKeystone = quotasOfKeystone;
  }

  get loaders(): Loaders {
    if (!this.madeLoaders) {
      this.madeLoaders = createLoaders(this.db, this.ownProject);
      this.remember?.(this.madeLoaders);
    }
    return this.madeLoaders;
  }

  async beginReading(position: string | undefined): Promise<void> {
    this.db = await readerOf(this.db, position);
  }

  beginHeavyWork(): void {
    this.db = forHeavyWork(this.db);
    this.madeLoaders = undefined;
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
