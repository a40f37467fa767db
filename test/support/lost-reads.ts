// A database whose reads fail once something was written: as when the connection for reads breaks right after a commit.
// Knows the pools of a Db; no statement.
import { type Db, openDatabase } from '../../src/db/sql/client.ts';

/** The same database until a write has been answered; from then on, until `mend` is called, reads meet no server. */
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
      close: () => db.close(),
    },
    mend: () => {
      lost = false;
    },
    close: () => nowhere.close(),
  };
}
