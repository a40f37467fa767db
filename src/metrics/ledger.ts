// The state of the database: how far back its feed and its ledger reach, and what keeps it from cleaning up. Read at most every few seconds.
import { type BridgeStatus, readBridgeStatus } from '../bridge/switching.ts';
import { isOtherLeading } from '../db/bridge.ts';
import { type EventChunk, selectEventChunks } from '../db/event-chunks.ts';
import { selectLedgerHealth } from '../db/ledger-health.ts';
import { selectLimitsAge } from '../db/quotas.ts';
import type { Db } from '../db/sql/client.ts';
import type { Gauge } from './text.ts';

/** Milliseconds. */
const longEnough = 10_000;

/** Reads the gauges of a database, and returns the last ones for a while. If the database does not answer, the only gauge says so. */
export function ledgerGauges(
  db: Db,
  isEmbedded: boolean,
  eventRetentionDays: number | null,
  followsLimits: boolean,
): () => Promise<Gauge[]> {
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<Gauge[]> = Promise.resolve([]);
  return () => {
    if (performance.now() - readAt > longEnough) {
      readAt = performance.now();
      reading = Promise.all([
        selectLedgerHealth(db),
        selectEventChunks(db),
        readBridgeStatus(db),
        followsLimits ? selectLimitsAge(db) : null,
      ]).then(
        ([health, chunks, bridge, limitsAge]) => [
          reachable(1, isEmbedded),
          ...gaugesOf(health, chunks, eventRetentionDays),
          ...ofBridge(bridge),
          ...ofLimits(bridge !== null && isOtherLeading(bridge.mode) ? null : limitsAge),
        ],
        () => [reachable(0, isEmbedded)],
      );
    }
    return reading;
  };
}

function reachable(value: 0 | 1, isEmbedded: boolean): Gauge {
  const labels = { embedded: String(isEmbedded) };
  return { name: 'placement_database_up', help: 'Whether the database answers.', of: 'worst', samples: [{ labels, value }] };
}

/** None while no gateway follows Keystone, or another Placement leads. */
function ofLimits(age: number | null): Gauge[] {
  const help = 'Time since the quotas were those of the limits of Keystone, at most a day.';
  return age === null ? [] : [{ name: 'placement_keystone_limits_age_seconds', help, of: 'worst', samples: [{ labels: {}, value: age }] }];
}

/** None without a bridge. */
function ofBridge(bridge: BridgeStatus | null): Gauge[] {
  if (bridge === null) return [];
  const { mode, pending, lag, differenceCount, reads, isCarried } = bridge;
  const sumOf = (count: 'compared' | 'differing') => reads.reduce((sum, one) => sum + one[count], 0);
  const gauge = (name: string, help: string, value: number, labels = {}): Gauge => ({
    name,
    help,
    of: 'worst',
    samples: [{ labels, value }],
  });
  return [
    gauge('placement_bridge_mode', 'Which side of the bridge leads: following means the other Placement.', 1, { mode }),
    gauge('placement_bridge_pending_changes', 'Changes that are not carried over to the side that follows yet.', pending),
    gauge('placement_bridge_lag_seconds', 'How long the oldest of them has waited.', lag),
    gauge('placement_bridge_differences', 'Objects that differ because the side that follows refused them.', differenceCount),
    gauge('placement_bridge_compared_reads', 'The last reads that were put to both sides.', sumOf('compared')),
    gauge('placement_bridge_differing_reads', 'Those of them that both sides answered differently.', sumOf('differing')),
    gauge('placement_bridge_carried', 'Whether a process carries changes over.', Number(isCarried)),
  ];
}

function gaugesOf(
  health: Awaited<ReturnType<typeof selectLedgerHealth>>,
  chunks: readonly EventChunk[],
  eventRetentionDays: number | null,
): Gauge[] {
  const { vacuumHolder, providerChanges, feedDepth, databaseBytes, walBytes } = health;
  const overdueDays = eventRetentionDays === null ? 0 : Math.max(0, (chunks[0]?.endedDaysAgo ?? 0) - eventRetentionDays);
  const gauge = (name: string, help: string, value: number): Gauge => ({ name, help, of: 'worst', samples: [{ labels: {}, value }] });
  return [
    gauge('placement_feed_changes', 'Changes of providers that are kept for gateways that have yet to read them.', providerChanges),
    gauge('placement_feed_depth_transactions', 'Transactions since the oldest change of providers that is kept.', feedDepth),
    gauge(
      'placement_oldest_transaction_age',
      'Transactions since the oldest one that keeps dead rows from being removed.',
      vacuumHolder?.transactions ?? 0,
    ),
    gauge(
      'placement_oldest_transaction_seconds',
      'Seconds since the oldest transaction that keeps dead rows from being removed began.',
      vacuumHolder?.seconds ?? 0,
    ),
    gauge('placement_database_bytes', 'Size of the database, with indexes.', databaseBytes),
    ...(walBytes === null ? [] : [gauge('placement_wal_bytes', 'Size of the log of Postgres.', walBytes)]),
    gauge(
      'placement_events_overdue_seconds',
      'How long ago the oldest events should have been dropped; 0 if they are within their retention.',
      overdueDays * 86_400,
    ),
    gauge('placement_event_partitions', 'Partitions of the ledger of events.', chunks.length),
    gauge(
      'placement_event_bytes',
      'Size of the partitions of the ledger of events, with indexes.',
      chunks.reduce((sum, { bytes }) => sum + bytes, 0),
    ),
  ];
}
