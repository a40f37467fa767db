// A small cloud in another Placement, and an import of it into a new database for each test of a file.
import { afterEach, beforeEach } from 'vitest';
import { type ImportOptions, type ImportResult, runImport } from '../../src/commands/import.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { type FakeCloud, type FakePlacement, startFakePlacement, token } from './fake-placement.ts';

export const host = '11111111-0000-4000-8000-000000000001';
export const cell = '11111111-0000-4000-8000-000000000002';
export const device = '11111111-0000-4000-8000-000000000003';
export const pool = '11111111-0000-4000-8000-000000000004';
export const server = '22222222-0000-4000-8000-000000000001';
export const oldServer = '22222222-0000-4000-8000-000000000002';
export const rack = '33333333-0000-4000-8000-00000000000a';
export const nobody = '00000000-0000-0000-0000-000000000000';

export const record = (total: number, rest: Record<string, number> = {}) => ({
  total,
  reserved: 0,
  min_unit: 1,
  max_unit: 2147483647,
  step_size: 1,
  allocation_ratio: 1,
  ...rest,
});

/** A tree of three, listed with the children first, and a pool; one consumer on two of them, one incomplete and over capacity. */
export function smallCloud(): FakeCloud {
  return {
    version: '1.39',
    resourceClasses: ['VCPU', 'MEMORY_MB', 'DISK_GB', 'CUSTOM_LICENSE'],
    traits: ['HW_NUMA_ROOT', 'MISC_SHARES_VIA_AGGREGATE', 'CUSTOM_FAST', 'CUSTOM_UNUSED'],
    providers: [
      { uuid: device, name: 'cn1-fpga', parent: cell, generation: 0, inventories: {}, traits: [], aggregates: [] },
      {
        uuid: cell,
        name: 'cn1-numa0',
        parent: host,
        generation: 41,
        inventories: {
          VCPU: record(8, { allocation_ratio: 0.5, min_unit: 3, step_size: 2 }),
          MEMORY_MB: record(1024, { reserved: 1024, allocation_ratio: 1.2345678901 }),
        },
        traits: ['HW_NUMA_ROOT', 'CUSTOM_FAST'],
        aggregates: [],
      },
      { uuid: host, name: 'cn1', parent: null, generation: 7, inventories: {}, traits: [], aggregates: [rack.toUpperCase()] },
      {
        uuid: pool,
        name: 'pool',
        parent: null,
        generation: 3000000000,
        inventories: { DISK_GB: record(100, { allocation_ratio: 0 }), CUSTOM_LICENSE: record(5) },
        traits: ['MISC_SHARES_VIA_AGGREGATE'],
        aggregates: [rack],
      },
    ],
    consumers: [
      {
        uuid: server,
        generation: 12,
        project: 'p',
        user: 'u',
        type: 'INSTANCE',
        holds: { [cell]: { VCPU: 4 }, [pool]: { CUSTOM_LICENSE: 1 } },
      },
      {
        uuid: oldServer,
        generation: 1,
        project: nobody,
        user: nobody,
        type: 'unknown',
        holds: { [cell]: { VCPU: 7 }, [pool]: { DISK_GB: 9 } },
      },
    ],
    gone: new Set(),
    unreadable: new Set(),
    unlisted: new Set(),
    failures: 0,
    lifetime: Number.POSITIVE_INFINITY,
    accepts: (sent) => sent === token,
  };
}

/** The database, the other Placement and what imports have printed, in the current test. */
interface Importing {
  database: TestDatabase;
  placement: FakePlacement;
  lines: string[];
  run(options?: Partial<ImportOptions>): Promise<ImportResult>;
}

export function useImport(): Importing {
  const importing = {
    run: (options = {}) =>
      runImport(importing.database.db, {
        url: importing.placement.url,
        token: async () => token,
        report: (line) => importing.lines.push(line),
        ...options,
      }),
  } as Importing;
  beforeEach(async () => {
    importing.database = await createTestDatabase();
    importing.placement = await startFakePlacement(smallCloud());
    importing.lines = [];
  });
  afterEach(async () => {
    await importing.placement.close();
    await importing.database.drop();
  });
  return importing;
}
