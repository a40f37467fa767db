// Databases that a release has migrated, and clones of them.
import { type DatabaseTarget, type Db, openDatabase } from '../../src/db/sql/client.ts';
import { createDatabase, dropDatabase } from '../support/clones.ts';

export interface ReleaseDatabase {
  readonly target: DatabaseTarget & {
    readonly database: string;
    readonly socketDirectory: string;
    readonly port: number;
    readonly user: string;
  };
  readonly db: Db;
  drop(): Promise<void>;
}

/** A database of its own, like the one with this name. */
export async function createDatabaseLike(template: string): Promise<ReleaseDatabase> {
  const target = await createDatabase(template);
  const db = openDatabase(target, { readConnections: 2, writeConnections: 2 });
  const drop = async () => {
    await db.close();
    await dropDatabase(target);
  };
  return { target, db, drop };
}
