// A database whose next write is overtaken by another, however fast it is.
import type { Db } from '../../src/db/sql/client.ts';

/** The same database, in which `other` overtakes the first write. */
export function overtaken(db: Db, other: () => Promise<unknown>): Db {
  let isFirst = true;
  const writes = new Proxy(db.writes, {
    apply: (target, self, args) => {
      const send = () => Reflect.apply(target, self, args) as Promise<unknown>;
      if (!isFirst) return send();
      isFirst = false;
      return other().then(send);
    },
  });
  return {
    get sql() {
      return db.sql;
    },
    get orm() {
      return db.orm;
    },
    writes,
    probe: db.probe,
    pools: db.pools,
    close: db.close,
  };
}
