// A database whose reads fail after a write, as if the connection for reads broke right after the commit.
// Knows the pools of a Db; no statements.
import { type Db, openDatabase } from '../../src/db/sql/client.ts';

/** The same database, whose reads fail from the first completed write until `mend` is called. */
export function losingReads(db: Db): { readonly db: Db; mend(): void; close(): Promise<void> } {
  const nowhere = openDatabase({ socketDirectory: '/nowhere', port: 1, user: 'nobody', database: 'none' });
  let lost = false;
  const writes = new Proxy(db.writes, {
    apply: (target, self, args) => {
      const answer = Reflect.apply(target, self, args) as Promise<unknown>;
      return answer.then((rows) => {
        lost = true;
        return rows;
      });
    },
  });
  return {
    db: {
      get orm() {
        return lost ? nowhere.orm : db.orm;
      },
      get sql() {
        return lost ? nowhere.sql : db.sql;
      },
      writes,
      probe: db.probe,
      close: db.close,
    },
    mend: () => {
      lost = false;
    },
    close: () => nowhere.close(),
  };
}
