// Examination. Counting the quotas of all projects costs in proportion to their number, also right after they have been set. Counted as in growth.test.ts.
import { expect, test } from 'vitest';
import { useExplained } from '../../support/explained.ts';
import { uuidOf } from '../../support/seed.ts';

const explained = useExplained();
const { costOf } = explained;

test('to import quotas of four times as many projects in an aggregate costs four times as much', async () => {
  const inventories = [{ resourceClass: 'VCPU', total: 10_000, reserved: 0, minUnit: 1, maxUnit: 1000, stepSize: 1, allocationRatio: 1 }];
  const host = { uuid: uuidOf('host'), name: 'host', parent: null, generation: 1, inventories, traits: [], aggregates: [uuidOf('zone')] };
  await costOf('import_resource_providers', { providers: [host] });
  const vcpu = { user: null, consumerType: null, resourceClass: 'VCPU', amount: 10 };
  const body = { parent: null, quotas: [vcpu, { ...vcpu, aggregate: uuidOf('zone') }] };
  const costs: number[] = [];
  for (const size of [250, 1000]) {
    const names = Array.from({ length: size }, (_, index) => `${index} of ${size}`);
    await explained.session.sql`select ensure_consumer_names(${names}::text[], '{u}', '{INSTANCE}')`;
    const allocations = [{ provider: uuidOf('host'), resourceClass: 'VCPU', amount: 1 }];
    const consumers = names.map((project) => ({
      uuid: uuidOf(`consumer of ${project}`),
      project,
      user: 'u',
      type: 'INSTANCE',
      generation: 1,
      allocations,
    }));
    await costOf('import_consumers', { consumers });
    const records = names.map((name) => ({ kind: 'project_quotas', name, uuid: uuidOf(`quotas of ${name}`), body }));
    costs.push((await costOf('import_records', { records })).rows);
  }
  const [small = 0, large = 0] = costs;
  expect(large / small).toBeLessThan(6);
});
