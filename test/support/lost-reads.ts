// A database whose reads fail after a write, as if its connections broke right after the commit.
// Knows the pools of a Db and what apply_write returns for a write; no statements.
import { type Db, openDatabase } from '../../src/db/sql/client.ts';

export interface LosingReads {
  readonly db: Db;
  mend(): void;
  close(): Promise<void>;
}

/**
 * The same database, whose reads fail from the first write with an event until `mend` is called; with `and writes`, all later writes fail unsent, too.
 */
export function losingReads(db: Db, what: 'reads' | 'reads and writes' = 'reads'): LosingReads {
  const nowhere = openDatabase({ socketDirectory: '/nowhere', port: 1, user: 'nobody', database: 'none' });
  let lost = false;
  const writes = new Proxy(db.writes, {
    apply: async (target, self, args) => {
      const rows: unknown = await Reflect.apply(lost && what !== 'reads' ? nowhere.writes : target, self, args);
      if (hasWritten(rows)) lost = true;
      return rows;
    },
  });
  // Decided for each statement, because a request keeps its client.
  const sql = new Proxy(db.sql, {
    apply: (target, self, args) => Reflect.apply(lost ? nowhere.sql : target, self, args),
    get: (target, name) => Reflect.get(lost ? nowhere.sql : target, name),
  });
  return {
    db: {
      get orm() {
        return lost ? nowhere.orm : db.orm;
      },
      sql,
      writes,
      probe: db.probe,
      pools: db.pools,
      close: db.close,
    },
    mend: () => {
      lost = false;
    },
    close: () => nowhere.close(),
  };
}

/** Whether the answer of apply_write contains an event. Names of consumers are committed ahead, without one. */
function hasWritten(rows: unknown): boolean {
  const [row] = rows as readonly { readonly answer?: { readonly eventId?: number | null; readonly eventIds?: readonly number[] } }[];
  return typeof row?.answer?.eventId === 'number' || row?.answer?.eventIds !== undefined;
}
