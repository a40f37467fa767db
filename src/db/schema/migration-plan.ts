// What a migration would do: which migrations are pending, and which tables each would block, according to its statements. Writes nothing.
import { type DatabaseVersion, standingOf } from './database-version.ts';
import type { Release } from './release.ts';

/** The locks of Postgres by what they block. */
export type Keeps = 'reads and writes' | 'writes' | 'changes of the table';

export interface PlannedMigration {
  readonly tag: string;
  /** The locks on tables that exist already; none for a migration that only makes new ones. */
  readonly locks: readonly { readonly table: string; readonly lock: string; readonly keepsOff: Keeps }[];
}

export interface MigrationPlan {
  /** Null before the first migration. */
  readonly from: number | null;
  readonly to: number;
  readonly standing: ReturnType<typeof standingOf>;
  readonly migrations: readonly PlannedMigration[];
  /** Whether the write functions are replaced, which locks no table. */
  readonly replacesFunctions: boolean;
}

interface LockRule {
  readonly pattern: RegExp;
  readonly lock: string;
  readonly keepsOff: Keeps;
}

const name = '(?:if (?:not )?exists )?(?:"?[\\w]+"?\\.)?"?(\\w+)"?';

/** The first that matches a statement decides. An index that is dropped stands for its table. */
const rules: readonly LockRule[] = [
  {
    pattern: new RegExp(`alter table (?:only )?${name}.* validate constraint`, 'is'),
    lock: 'SHARE UPDATE EXCLUSIVE',
    keepsOff: 'changes of the table',
  },
  { pattern: new RegExp(`alter table (?:only )?${name}.* foreign key`, 'is'), lock: 'SHARE ROW EXCLUSIVE', keepsOff: 'writes' },
  { pattern: new RegExp(`(?:alter|drop) table (?:only )?${name}`, 'i'), lock: 'ACCESS EXCLUSIVE', keepsOff: 'reads and writes' },
  {
    pattern: /create (?:unique )?index concurrently .*? on (?:only )?"?(\w+)"?/is,
    lock: 'SHARE UPDATE EXCLUSIVE',
    keepsOff: 'changes of the table',
  },
  { pattern: /create (?:unique )?index .*? on (?:only )?"?(\w+)"?/is, lock: 'SHARE', keepsOff: 'writes' },
  { pattern: new RegExp(`drop index concurrently ${name}`, 'i'), lock: 'SHARE UPDATE EXCLUSIVE', keepsOff: 'changes of the table' },
  { pattern: new RegExp(`drop index ${name}`, 'i'), lock: 'ACCESS EXCLUSIVE', keepsOff: 'reads and writes' },
];

/** The plan for a database, which is null before its first migration. */
export function planMigration(database: DatabaseVersion | null, release: Release): MigrationPlan {
  const standing = standingOf(database, release);
  const applied = new Set(database?.migrations);
  const isDue = standing === 'behind';
  const made = new Set<string>();
  const migrations = release.migrations.flatMap(({ tag, statements }) => {
    if (!isDue || applied.has(tag)) return [];
    for (const [, table = ''] of statements.matchAll(new RegExp(`create table ${name}`, 'gi'))) made.add(table);
    return [{ tag, locks: locksOf(statements).filter(({ table }) => !made.has(table)) }];
  });
  return { from: database?.version ?? null, to: release.version, standing, migrations, replacesFunctions: isDue };
}

function locksOf(statements: string): PlannedMigration['locks'] {
  const found = statements.split('--> statement-breakpoint').flatMap((statement) => {
    for (const { pattern, lock, keepsOff } of rules) {
      const [, table] = pattern.exec(statement) ?? [];
      const [, referenced] = new RegExp(`foreign key.* references ${name}`, 'is').exec(statement) ?? [];
      if (table !== undefined)
        return [table, ...(referenced === undefined ? [] : [referenced])].map((locked) => ({ table: locked, lock, keepsOff }));
    }
    return [];
  });
  return found.filter((one, place) => found.findIndex(({ table, lock }) => table === one.table && lock === one.lock) === place);
}
