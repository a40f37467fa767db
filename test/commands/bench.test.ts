// Examination. `bench` measures a gateway that it starts itself, and leaves nothing behind in a given database.
import { expect, test } from 'vitest';
import { runBench } from '../../src/commands/bench.ts';
import { socketOf, useDatabase } from '../support/database.ts';
import { layFailingWire } from '../support/failing-wire.ts';
import { program } from '../support/program.ts';

const database = useDatabase();

test('it measures in a schema of its own, leaves other tables unchanged, and drops the schema', async () => {
  const schemas = () => database.own`select nspname from pg_namespace where nspname not like 'pg_%' order by 1`;
  const rows = () => database.own`select count(*)::int as providers from resource_providers`;
  const before = [await schemas(), await rows()];
  const wire = await layFailingWire(socketOf(database.target));
  const shown: number[] = [];
  const lines: string[] = [];
  const report = await runBench({
    program: [process.execPath, program],
    // Settings of the machine's own gateway must not reach this one.
    environment: { ...process.env, PLACEMENT_AUTH: 'static', PLACEMENT_DATABASE_SCHEMA: 'placement' },
    databaseUrl: 'url' in wire.target ? wire.target.url : '',
    print: (line) => lines.push(line),
    progress: { at: (_phase, done, total) => shown.push(done / total), clear: () => {} },
    seconds: 0.2,
  });
  await wire.close();
  expect([await schemas(), await rows()]).toEqual(before);
  expect(report).toMatchObject({ database: 'given', processors: expect.any(Number) });
  expect(report.measured).toHaveLength(5);
  for (const { name, rate, median, p99, known, ratio } of report.measured) {
    expect(rate, name).toBeGreaterThan(0);
    expect(median, name).toBeGreaterThan(0);
    expect(p99, name).toBeGreaterThanOrEqual(median);
    expect(ratio, name).toBeCloseTo(rate / known, 1);
    expect(lines.join('\n')).toContain(`${name}: ${rate} a second`);
  }
  expect(Math.max(...shown)).toBe(1);
  expect(lines[0]).toMatch(/the schema placement_bench_[0-9a-f]{8}, which is dropped/);
});
