// Examination. A write of consumers reads only the quotas of their projects and of the projects above, however many others have quotas of the same classes.
// Counted as the rows of the tables of quotas that pass through the plans of all statements in the functions.
import { beforeAll, expect, test } from 'vitest';
import { quotaRecord } from '../../../src/db/quotas.ts';
import { type ClaimedConsumer, joinClaims } from '../../../src/db/writes/claim-batch.ts';
import { useExplained } from '../../support/explained.ts';
import { uuidOf } from '../../support/seed.ts';

/** Those that claim, each below another project; the last one may have no VCPU. */
const claimants = Array.from({ length: 8 }, (_, index) => `claimant ${index}`);
const above = 'above';
const others = Array.from({ length: 2000 }, (_, index) => `other ${index}`);
const zones = ['east', 'west'];
const classes = ['VCPU', 'MEMORY_MB'];
const by = { user: 'u', project: 'p', roles: [], requestId: 'req-growth' };
const quota = (of: object, amount: number) => ({ user: null, consumerType: null, resourceClass: null, ...of, amount });
const quotas = [
  quota({ consumerType: 'INSTANCE' }, 1000),
  ...classes.flatMap((resourceClass) =>
    [{}, ...zones.map((zone) => ({ aggregate: uuidOf(zone) }))].map((place) => quota({ resourceClass, ...place }, 1000)),
  ),
];

const explained = useExplained();
const { costOf } = explained;

beforeAll(async () => {
  await explained.session.sql`select ensure_consumer_names(${[above, ...claimants, ...others]}::text[], '{u}', '{INSTANCE}')`;
  const inventories = classes.map((resourceClass) => ({
    ...{ resourceClass, total: 10_000, reserved: 0, minUnit: 1, maxUnit: 1000, stepSize: 1, allocationRatio: 1 },
  }));
  for (const zone of zones) {
    const host = {
      uuid: uuidOf(`host in ${zone}`),
      name: `host in ${zone}`,
      parent: null,
      expect: {},
      inventories,
      aggregates: [uuidOf(zone)],
    };
    await costOf('apply_provider_tree', { root: host.uuid, dryRun: false, consumers: [], providers: [host] });
  }
  await setQuotas(null, quotas);
  for (const [index, project] of claimants.entries()) {
    await setQuotas(project, index === claimants.length - 1 ? [quota({ resourceClass: 'VCPU' }, 0)] : [], above);
  }
});

function setQuotas(project: string | null, some: typeof quotas, parent: string | null = null) {
  return costOf('replace_quotas', { record: { ...quotaRecord(project), body: { parent, quotas: some } }, expect: {} });
}

let made = 0;
/** The last `count` new consumers again, or as many new ones, each of another project. */
function consumers(count: number, amount: number, isNew: boolean): ClaimedConsumer[] {
  if (isNew) made += count;
  return claimants.slice(0, count).map((project, index) => ({
    ...{ uuid: uuidOf(`server ${made - index}`), ...(!isNew && { expects: -1 }), project, user: 'u', type: 'INSTANCE' },
    allocations: classes.flatMap((resourceClass) =>
      amount === 0 ? [] : [{ provider: uuidOf(`host in ${zones[index % zones.length]}`), resourceClass, amount }],
    ),
  }));
}
const together = (some: readonly ClaimedConsumer[]) =>
  costOf('claim_together', joinClaims(some.map((consumer) => ({ call: { by }, consumers: [consumer], hasQuotas: true }))));
const alone = (some: readonly ClaimedConsumer[]) =>
  costOf('replace_allocations', {
    consumers: some.map(({ expects, ...consumer }) => ({ ...consumer, expect: expects ? {} : { isNew: true as const }, keepType: false })),
    ...{ hasQuotas: true, checkFirst: true },
  });

/** In this order, each with the number of its consumers. */
const writes: Record<string, readonly [number, () => Promise<unknown>]> = {
  'a claim': [1, () => together(consumers(1, 1, true))],
  'a resize': [1, () => together(consumers(1, 2, false))],
  'a release': [1, () => together(consumers(1, 0, false))],
  '7 claims together': [7, () => together(consumers(7, 1, true))],
  '7 resizes together': [7, () => together(consumers(7, 2, false))],
  '7 releases together': [7, () => together(consumers(7, 0, false))],
  '8 claims together of which one is beyond its quota': [8, () => together(consumers(8, 1, true))],
  'a claim that is tried alone': [1, () => alone(consumers(1, 1, true))],
  'a resize that is tried alone': [1, () => alone(consumers(1, 2, false))],
};

/** The rows of quotas that each write reads, for each of its consumers. */
async function rowsRead(): Promise<[string, number][]> {
  const read: [string, number][] = [];
  for (const [name, [count, write]] of Object.entries(writes)) {
    await write();
    read.push([name, explained.session.rowsOf(/^(quota_uses|project_parents)$/) / count]);
  }
  return read;
}

/** What the planner knows about the tables when it plans the writes. */
const states: Record<string, () => Promise<unknown>> = {
  'never analyzed': () => explained.session.sql`discard plans`,
  'analyzed since': () => explained.session.sql`analyze`,
  'planned while few projects had quotas': async () => {
    await explained.session.sql`delete from quota_uses q using projects p where p.id = q.project_id and p.external_id like 'other %'`;
    await explained.session.sql`analyze`;
    await rowsRead();
    await setQuotas(null, quotas);
  },
};

test.each(Object.keys(states))('%s, a write reads few rows of quotas beside those of 2,000 other projects', async (state) => {
  await states[state]?.();
  const [kept] = await explained.session.sql<{ count: number }[]>`select count(*)::int from quota_uses`;
  expect(kept?.count).toBeGreaterThan(others.length * quotas.length);
  const read = await rowsRead();
  expect(read.filter(([, rows]) => rows === 0 || rows > 300)).toEqual([]);
});
