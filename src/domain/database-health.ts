// Advice to operators, from what the database reports about itself. Each piece of advice says what to do.

export interface DatabaseFacts {
  /** The major version of Postgres. */
  readonly major: number;
  /** The age, in transactions, of the oldest one that is not frozen. */
  readonly frozenAge: number;
  /** The number of connections that the server accepts in all, and the number in use. */
  readonly connections: { readonly most: number; readonly used: number };
  readonly settings: Readonly<Record<string, string>>;
  readonly tables: readonly {
    readonly name: string;
    readonly bytes: number;
    /** Numbers of rows, estimated by the server. */
    readonly live: number;
    readonly dead: number;
    /** Whether autovacuum is disabled for this table. */
    readonly isLeftOut: boolean;
    readonly isAnalyzed: boolean;
    /** The size of its rows without free space between them. */
    readonly rowBytes: number;
  }[];
  readonly invalidIndexes: readonly string[];
  /** Indexes that this release needs. */
  readonly missingIndexes: readonly string[];
  /** Indexes that are not part of this release. */
  readonly foreignIndexes: readonly {
    readonly name: string;
    readonly table: string;
    readonly isKey: boolean;
    readonly scans: number;
    readonly bytes: number;
  }[];
  /** The session, prepared transaction or slot that has kept dead rows from being removed for longest. */
  readonly vacuumHolder: { readonly name: string; readonly seconds: number | null; readonly transactions: number } | null;
}

export interface Advice {
  readonly about: 'version' | 'connections' | 'autovacuum' | 'dead rows' | 'bloat' | 'statistics' | 'transactions' | 'indexes';
  readonly advice: string;
}

/** The last month in which each major version of Postgres gets fixes. */
const lastMonths: Readonly<Record<number, string>> = { 15: '2027-11', 16: '2028-11', 17: '2029-11', 18: '2030-11' };
/** The server stops all writes some 100 million transactions before 2^31. */
const limits = {
  frozenAge: 1_000_000_000,
  holderSeconds: 3600,
  holderTransactions: 10_000_000,
  rows: 10_000,
  bytes: 64 * 1024 * 1024,
} as const;
const mebibytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`;

/** `wanted`: the connections of one gateway. `month`: the current one, such as 2027-03; the end of a version is announced half a year before. */
export function adviceOnHealth(facts: DatabaseFacts, { wanted, month }: { readonly wanted: number; readonly month: string }): Advice[] {
  return [
    ...adviceOnVersion(facts, month),
    ...adviceOnConnections(facts, wanted),
    ...adviceOnCleaning(facts),
    ...facts.tables.flatMap(adviceOnTable),
    ...adviceOnIndexes(facts),
  ];
}

function adviceOnVersion({ major }: DatabaseFacts, month: string): Advice[] {
  const last = lastMonths[major];
  if (last === undefined || monthsOf(last) - monthsOf(month) > 6) return [];
  return [
    {
      about: 'version',
      advice: `Postgres ${major} gets no fixes after ${last}: upgrade it with pg_upgrade, or move with export and import`,
    },
  ];
}

function monthsOf(text: string): number {
  const [year = 0, month = 0] = text.split('-').map(Number);
  return year * 12 + month;
}

function adviceOnConnections({ connections: { most, used } }: DatabaseFacts, wanted: number): Advice[] {
  if (most - used >= wanted) return [];
  return [
    {
      about: 'connections',
      advice: `${used} of ${most} connections are in use, and a gateway needs up to ${wanted}: raise max_connections, or lower PLACEMENT_READ_CONNECTIONS and PLACEMENT_WRITE_CONNECTIONS`,
    },
  ];
}

function adviceOnCleaning({ settings, frozenAge, vacuumHolder }: DatabaseFacts): Advice[] {
  const advice: Advice[] = [];
  for (const name of ['autovacuum', 'track_counts']) {
    if (settings[name] === 'off')
      advice.push({ about: 'autovacuum', advice: `${name} is off, so tables only grow: set it to on and reload the configuration` });
  }
  const scale = Number(settings.autovacuum_vacuum_scale_factor ?? 0);
  if (scale > 0.2) {
    advice.push({
      about: 'autovacuum',
      advice: `autovacuum_vacuum_scale_factor is ${scale}, so tables are cleaned late: set it to 0.2 or less`,
    });
  }
  if (frozenAge > limits.frozenAge) {
    const left = `${Math.round((2 ** 31 - frozenAge) / 1_000_000)} million`;
    advice.push({
      about: 'transactions',
      advice: `the server stops all writes in ${left} transactions: run VACUUM (FREEZE) on the database now, and see what kept autovacuum from it`,
    });
  }
  if (vacuumHolder && ((vacuumHolder.seconds ?? 0) > limits.holderSeconds || vacuumHolder.transactions > limits.holderTransactions)) {
    const { name, transactions } = vacuumHolder;
    advice.push({
      about: 'transactions',
      advice: `${name} has kept dead rows from being removed for ${transactions} transactions: end it (pg_terminate_backend, rollback prepared, or drop the slot)`,
    });
  }
  return advice;
}

function adviceOnTable({ name, bytes, live, dead, isLeftOut, isAnalyzed, rowBytes }: DatabaseFacts['tables'][number]): Advice[] {
  const advice: Advice[] = [];
  if (isLeftOut)
    advice.push({ about: 'autovacuum', advice: `autovacuum is disabled for ${name}: alter table ${name} reset (autovacuum_enabled)` });
  if (dead > limits.rows && dead > live / 2) {
    advice.push({
      about: 'dead rows',
      advice: `${name} has ${dead} dead rows beside ${live}: vacuum ${name}, and lower autovacuum_vacuum_scale_factor if this recurs`,
    });
  }
  if (live > limits.rows && !isAnalyzed) advice.push({ about: 'statistics', advice: `${name} has never been analyzed: analyze ${name}` });
  // Small tables, and tables without statistics, allow no conclusion.
  if (isAnalyzed && bytes > limits.bytes && rowBytes > 0 && bytes > 3 * rowBytes) {
    advice.push({
      about: 'bloat',
      advice: `${name} takes ${mebibytes(bytes)} for about ${mebibytes(rowBytes)} of rows: run vacuum full ${name} at a quiet time (it locks the table), or pg_repack`,
    });
  }
  return advice;
}

function adviceOnIndexes({ invalidIndexes, missingIndexes, foreignIndexes }: DatabaseFacts): Advice[] {
  return [
    ...invalidIndexes.map((name) => `${name} is incomplete and unusable: reindex index concurrently ${name}`),
    ...missingIndexes.map(
      (name) => `${name}, which this release needs, is missing: create it as in drizzle/, or import an export into a new database`,
    ),
    ...foreignIndexes
      .filter(({ isKey, scans, bytes }) => !isKey && scans === 0 && bytes > 0)
      .map(
        ({ name, table, bytes }) =>
          `${name} on ${table} is not part of this release and unused (${mebibytes(bytes)}): drop index concurrently ${name}`,
      ),
  ].map((advice) => ({ about: 'indexes', advice }));
}
