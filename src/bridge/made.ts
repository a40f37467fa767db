// Carries over what writes have made of consumers in the other Placement without reading it there. The state before is known here, and the write says the state after it
// and which generations it has raised by one. That holds as long as nothing was read there after the write may have been carried out: what is read includes it already.
import { type DueObject, selectLastNote } from '../db/bridge.ts';
import type { Db } from '../db/sql/client.ts';
import { type Importer, importConsumers } from './imports.ts';

/** An object that was read in the other Placement. */
export interface ReadObject {
  readonly noun: 'provider' | 'consumer';
  readonly key: string;
}

interface Taken {
  readonly left: readonly DueObject[];
  readonly taken: readonly ReadObject[];
  readonly done: readonly number[];
}

type Made = NonNullable<DueObject['made']>;

/** Objects whose moment of reading is remembered; beyond that, all that was noted before counts as read. */
const mostRemembered = 50_000;

export class MadeConsumers {
  readonly #db: Db;
  /** The last note before this process began to carry over; null while it is not known what was read. */
  #begun: number | null = null;
  /** By object: the last note when it had been read. */
  readonly #readAt = new Map<string, number>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Trusts no write noted so far, because another process or a failed attempt may have read its objects. */
  forget(): void {
    this.#begun = null;
  }

  /** Remembers that these objects have just been read in the other Placement. */
  async markRead(objects: readonly ReadObject[]): Promise<void> {
    if (objects.length === 0) return;
    if (this.#readAt.size > mostRemembered) this.forget();
    const last = await selectLastNote(this.#db);
    for (const { noun, key } of objects) this.#readAt.set(`${noun} ${key}`, last);
  }

  /** Writes what is certain to this ledger. Returns what was written, what must still be read, and the notes that are finished. */
  async take(due: readonly DueObject[], by: Importer): Promise<Taken> {
    if (this.#begun === null) {
      this.#begun = await selectLastNote(this.#db);
      this.#readAt.clear();
    }
    const certain = due.flatMap(({ made }) => (made && this.#isCertain(made) ? [made] : []));
    // One whose state before was another one here is refused, and read.
    const { refused } = await importConsumers(this.#db, certain, by);
    const isRefused = new Set(refused.map(({ item }) => item.uuid));
    const written = certain.filter(({ uuid }) => !isRefused.has(uuid));
    const done = new Set(written.flatMap(({ notes }) => notes));
    const left = due.map((object) => ({ ...object, ids: object.ids.filter((id) => !done.has(id)) })).filter(({ ids }) => ids.length > 0);
    return { left, taken: written.map(({ uuid: key }) => ({ noun: 'consumer', key })), done: [...done] };
  }

  #isCertain({ uuid, raises, notes }: Made): boolean {
    const first = Math.min(...notes);
    const isUnread = (noun: ReadObject['noun'], key: string) => first > (this.#readAt.get(`${noun} ${key}`) ?? 0);
    return first > (this.#begun ?? first) && isUnread('consumer', uuid) && raises.every((provider) => isUnread('provider', provider));
  }
}
