// The current state of this process: its event loop, memory and garbage, the forest, connections to the database, and what waits for its turn. Counting begins
// when this file is loaded.
import { constants, monitorEventLoopDelay, PerformanceObserver, performance } from 'node:perf_hooks';
import { type Db, replicaLags } from '../db/sql/client.ts';
import { admissionOf } from '../db/writes/admission.ts';
import { diskOf } from '../db/writes/full-disk.ts';
import type { Measured } from '../measures/instruments.ts';
import { measures, readMeasures } from '../measures/measures.ts';
import { forestOf } from '../operations/forest/forest.ts';
import type { HeavyWork } from '../operations/request/heavy-work.ts';
import type { Gauge, Sample } from './text.ts';

/** The measurements of a process. */
export interface Snapshot {
  readonly measured: readonly Measured[];
  readonly gauges: readonly Gauge[];
}

export interface ProcessParts {
  readonly db: Db;
  readonly heavyWork: HeavyWork;
  /** Connections of subscribers. */
  readonly streams: () => number;
}

const kindsOfGarbage: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'callbacks',
};

const delay = monitorEventLoopDelay({ resolution: 10 });
const resolution = 10;
let isWatching = false;
let busyBefore = performance.eventLoopUtilization();

/** Begins to watch the event loop and garbage collections. */
export function watchProcess(): void {
  if (isWatching) return;
  isWatching = true;
  delay.enable();
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { duration } = entry;
      const { kind = 0 } = ('detail' in entry ? entry.detail : {}) as { readonly kind?: number };
      measures.garbage.add(duration / 1000, kindsOfGarbage[kind] ?? 'other');
    }
  }).observe({ entryTypes: ['gc'] });
}

export function snapshotOfProcess({ db, heavyWork, streams }: ProcessParts): Snapshot {
  return {
    measured: readMeasures(),
    gauges: [...ofProcess(), ...ofForest(db), ...ofConnections(db), ...ofDisk(db), ...ofTurns(db, heavyWork, streams)],
  };
}

const one = (value: number): readonly Sample[] => [{ labels: {}, value }];
const each = (label: string, values: Readonly<Record<string, number>>): readonly Sample[] =>
  Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }));

function ofProcess(): Gauge[] {
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const busy = performance.eventLoopUtilization(busyBefore).utilization;
  busyBefore = performance.eventLoopUtilization();
  // The monitor counts its own pause plus the delay.
  const longest = Math.max(0, delay.max / 1e9 - resolution / 1e3);
  delay.reset();
  return [
    { name: 'placement_workers', help: 'Processes that serve.', of: 'all', samples: one(1) },
    { name: 'placement_cpu_seconds', help: 'Processor time used so far.', of: 'all', samples: one((user + system) / 1e6) },
    {
      name: 'placement_memory_bytes',
      help: 'Memory, by kind.',
      of: 'all',
      samples: each('kind', { resident: rss, heap: heapTotal, heapUsed, external }),
    },
    {
      name: 'placement_event_loop_busy_ratio',
      help: 'Share of the time since the last scrape in which the event loop was busy.',
      of: 'worst',
      samples: one(busy),
    },
    {
      name: 'placement_event_loop_longest_hold_seconds',
      help: 'The longest time that the event loop was blocked since the last scrape.',
      of: 'worst',
      samples: one(longest),
    },
  ];
}

function ofForest(db: Db): Gauge[] {
  const keeper = forestOf(db);
  return [
    { name: 'placement_forest_providers', help: 'Resource providers in memory.', of: 'worst', samples: one(keeper.providerCount ?? 0) },
    {
      name: 'placement_forest_age_seconds',
      help: 'Time since the copy in memory was last known to be up to date.',
      of: 'worst',
      samples: one((keeper.age ?? 0) / 1000),
    },
  ];
}

function ofConnections(db: Db): Gauge[] {
  const lags = replicaLags(db);
  const states = Object.entries(db.pools());
  const samples = states.flatMap(([pool, { open, used }]) => [
    { labels: { pool, state: 'used' }, value: used },
    { labels: { pool, state: 'free' }, value: open - used },
  ]);
  const waiting = Object.fromEntries(states.map(([pool, state]) => [pool, state.waiting]));
  return [
    { name: 'placement_database_connections', help: 'Connections to the database.', of: 'all', samples },
    {
      name: 'placement_replicas',
      help: 'Replicas in the settings; the primary may be among them.',
      of: 'worst',
      samples: one(lags.length),
    },
    {
      name: 'placement_replicas_in_use',
      help: 'Replicas that answer reads.',
      of: 'worst',
      samples: one(lags.filter((lag) => lag !== null).length),
    },
    {
      name: 'placement_replica_lag_seconds',
      help: 'How far answers of a replica, named by its place in the settings, may lag behind. Missing while the replica is not used.',
      of: 'worst',
      samples: lags.flatMap((lag, place) => (lag === null ? [] : { labels: { replica: String(place + 1) }, value: lag })),
    },
    { name: 'placement_waiting_statements', help: 'Statements that wait for a connection.', of: 'all', samples: each('pool', waiting) },
  ];
}

function ofDisk(db: Db): Gauge[] {
  const { spaces, fault } = diskOf(db);
  const bytes = (of: 'free' | 'size') => spaces.map((space) => ({ labels: { volume: space.directory }, value: space[of] }));
  return [
    {
      name: 'placement_disk_full',
      help: 'Whether writes are refused because the disk of the database is full, or nearly so.',
      of: 'worst',
      samples: one(Number(fault !== null)),
    },
    { name: 'placement_volume_free_bytes', help: 'Free space of a volume of the database.', of: 'worst', samples: bytes('free') },
    { name: 'placement_volume_bytes', help: 'Size of a volume of the database.', of: 'worst', samples: bytes('size') },
  ];
}

function ofTurns(db: Db, heavyWork: HeavyWork, streams: () => number): Gauge[] {
  const permits = Object.entries(admissionOf(db).permits);
  const heavy = heavyWork.state;
  const waiting = { ...Object.fromEntries(permits.map(([kind, { state }]) => [kind, state.waiting])), heavy: heavy.waiting };
  const active = { ...Object.fromEntries(permits.map(([kind, { state }]) => [kind, state.active])), heavy: heavy.active };
  return [
    {
      name: 'placement_waiting',
      help: 'Writes, by kind, and heavy operations that wait for their turn.',
      of: 'all',
      samples: each('kind', waiting),
    },
    {
      name: 'placement_under_way',
      help: 'Writes, by kind, and heavy operations that have their turn.',
      of: 'all',
      samples: each('kind', active),
    },
    { name: 'placement_large_bytes', help: 'Bytes of large bodies and answers in memory.', of: 'all', samples: one(heavy.bytes) },
    { name: 'placement_streams', help: 'WebSockets and streams of server-sent events.', of: 'all', samples: one(streams()) },
  ];
}
