// The settings of streaming replicas: which answer reads, and for what a commit waits. Their rows and checks for settings/settings.ts.
import { z } from 'zod';
import { severalHosts, urlFault } from '../db/sql/address.ts';
import { oneOf, wholeNumber } from './values.ts';

export interface ReplicaSettings {
  /** `postgres://…`, one server each; with the password file of `databaseUrl`. */
  readonly databaseReplicaUrls: readonly string[];
  /** Seconds. */
  readonly replicaLag: number;
  /** What a commit waits for, in the words of Postgres; `off` is not among them: what is answered is written. */
  readonly synchronousCommit: 'on' | 'local' | 'remote_write' | 'remote_apply';
}

type Row = readonly [key: keyof ReplicaSettings, variable: string, argument: string, fallback: string, meaning: string];

export const replicaRows: readonly Row[] = [
  [
    'databaseReplicaUrls',
    'DATABASE_REPLICA_URLS',
    'urls',
    'none',
    'streaming replicas that answer reads, one server each, with commas between; the primary may be among them',
  ],
  [
    'replicaLag',
    'PLACEMENT_REPLICA_LAG',
    'seconds',
    '10',
    'how far a replica may be behind to answer those who send the position of their last write, 1 to 3600',
  ],
  [
    'synchronousCommit',
    'PLACEMENT_SYNCHRONOUS_COMMIT',
    'name',
    'on',
    'what the answer of a write waits for where the server has synchronous standbys: local, remote_write, on (their disks) or remote_apply',
  ],
];

/** A URL of several hosts has commas of its own. */
const between = /\s*,\s*(?=\w+:)/;

export const replicaShape = {
  databaseReplicaUrls: z
    .string()
    .transform((list) => list.trim().split(between))
    .superRefine((urls, check) => {
      const message = urls
        .map((url) => urlFault(url) ?? (severalHosts(url) ? 'must name one server in each URL' : null))
        .find((fault) => fault !== null);
      if (message) check.addIssue({ code: 'custom', message });
    })
    .default([]),
  replicaLag: wholeNumber(1, 3600).default(10),
  synchronousCommit: oneOf(['on', 'local', 'remote_write', 'remote_apply']).default('on'),
};
