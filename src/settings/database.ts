// The settings of the database: where it is, how many connections the gateway opens, its replicas, and how long it keeps events and samples.
import { severalHosts, urlFault } from '../db/sql/address.ts';
import { setting } from './setting.ts';
import { anyText, list, numberOr, oneOf, optionalText, wholeNumber } from './values.ts';

const databaseUrl = anyText.superRefine((url, check) => {
  const fault = urlFault(url);
  if (fault !== null) check.addIssue({ code: 'custom', message: fault });
});

/** A URL of several hosts has commas of its own. */
const betweenUrls = /\s*,\s*(?=\w+:)/;

const databaseUrls = anyText
  .transform((list): readonly string[] => list.trim().split(betweenUrls))
  .superRefine((urls, check) => {
    const message = urls
      .map((url) => urlFault(url) ?? (severalHosts(url) ? 'must name one server in each URL' : null))
      .find((fault) => fault !== null);
    if (message) check.addIssue({ code: 'custom', message });
  });

export const databaseSettings = {
  /** Null for the embedded Postgres. */
  databaseUrl: setting({
    variable: 'DATABASE_URL',
    argument: 'url',
    form: databaseUrl,
    absent: null,
    fallback: 'embedded',
    meaning: 'postgres://… (15 or newer); without it the gateway runs an embedded Postgres',
    isSecret: true,
    mayBeInFile: true,
  }),
  /** Null if the URL has the password. */
  databasePasswordFile: setting({
    variable: 'DATABASE_PASSWORD_FILE',
    argument: 'path',
    ...optionalText,
    meaning: 'a file with the password of DATABASE_URL',
  }),
  /** With the role that owns the tables; null if the role of `databaseUrl` does. */
  databaseMigrationUrl: setting({
    variable: 'DATABASE_MIGRATION_URL',
    argument: 'url',
    form: databaseUrl,
    absent: null,
    fallback: 'DATABASE_URL',
    meaning: 'the database with the role that may change its tables',
    isSecret: true,
    mayBeInFile: true,
  }),
  databaseSchema: setting({
    variable: 'PLACEMENT_DATABASE_SCHEMA',
    argument: 'name',
    form: anyText.regex(/^(?!pg_)[a-z_][a-z0-9_]{0,39}$/, 'must be at most 40 of a to z, 0 to 9 and _, and not begin with a digit or pg_'),
    fallback: 'placement',
    meaning: 'the schema of the tables',
  }),
  dataDirectory: setting({
    variable: 'PLACEMENT_DATA_DIR',
    argument: 'path',
    form: anyText,
    fallback: '.placement-data',
    meaning: 'where the embedded Postgres keeps its files',
  }),
  /** Of all workers together. */
  readConnections: setting({
    variable: 'PLACEMENT_READ_CONNECTIONS',
    argument: 'number',
    form: wholeNumber(1, 1000),
    fallback: '6',
    meaning: 'connections to Postgres for reads, 1 to 1000',
  }),
  /** Of all workers together. */
  writeConnections: setting({
    variable: 'PLACEMENT_WRITE_CONNECTIONS',
    argument: 'number',
    form: wholeNumber(1, 1000),
    fallback: '12',
    meaning: 'connections to Postgres for writes, 1 to 1000',
  }),
  /** Their password is that of `databasePasswordFile`. */
  databaseReplicaUrls: setting({
    variable: 'DATABASE_REPLICA_URLS',
    argument: 'urls',
    form: databaseUrls,
    absent: [],
    fallback: 'none',
    meaning: 'streaming replicas that answer reads, one server in each URL, separated by commas; the primary may be among them',
    isSecret: true,
    mayBeInFile: true,
  }),
  databaseVolumes: setting({
    variable: 'PLACEMENT_DATABASE_VOLUMES',
    argument: 'paths',
    form: list,
    absent: [],
    fallback: 'none',
    meaning:
      'directories of this machine on the volumes of the database and of its log, separated by commas: their free space is in the metrics, and writes are refused before it ends. Known for the embedded Postgres',
  }),
  /** Seconds. */
  replicaLag: setting({
    variable: 'PLACEMENT_REPLICA_LAG',
    argument: 'seconds',
    form: wholeNumber(1, 3600),
    fallback: '10',
    meaning: 'how far a replica may be behind and still answer callers that send the position of their last write, 1 to 3600',
  }),
  /** In the words of Postgres, without `off`: an acknowledged write is on disk. */
  synchronousCommit: setting({
    variable: 'PLACEMENT_SYNCHRONOUS_COMMIT',
    argument: 'name',
    form: oneOf(['on', 'local', 'remote_write', 'remote_apply']),
    fallback: 'on',
    meaning:
      'what the answer of a write waits for if the server has synchronous standbys: local, remote_write, on (their disks) or remote_apply',
  }),
  /** Null means forever. */
  eventRetentionDays: setting({
    variable: 'PLACEMENT_EVENT_RETENTION_DAYS',
    argument: 'days',
    form: numberOr('forever', 36_500),
    fallback: '90',
    meaning: 'how long events are kept at least; forever keeps all',
  }),
  /** Null takes none. */
  usageSampleDays: setting({
    variable: 'PLACEMENT_USAGE_SAMPLE_DAYS',
    argument: 'days',
    form: numberOr('off', 3650),
    fallback: '90',
    meaning:
      'how long samples of the usage of the cloud are kept: one a minute for 7 days, then one every quarter of an hour; off takes none',
  }),
};
