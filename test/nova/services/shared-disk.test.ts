// Examination. Shared disk through random histories: hosts report and join; pools are added, grow, begin and stop to serve; instances are claimed, resized
// and released; several of these concurrently. After each step every disk is held in one place, hosts served by a pool neither offer nor hold any, and all
// totals equal those of the rows.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '../../../src/domain/errors.ts';
import { reportComputeNode } from '../../../src/nova/compute-nodes/compute-nodes.ts';
import { reportPool } from '../../../src/nova/services/pools.ts';
import { replaceAllocations } from '../../../src/operations/allocations/allocation-writes.ts';
import { findHolders } from '../../../src/operations/allocations/holdings.ts';
import { claim } from '../../../src/operations/candidates/claims.ts';
import { replaceInventories } from '../../../src/operations/providers/inventory-writes.ts';
import { replaceAggregates, replaceTraits } from '../../../src/operations/providers/provider-writes.ts';
import { useDatabase } from '../../support/database.ts';
import { query } from '../../support/graphql.ts';
import { expectSoundLedger, scopeOf } from '../../support/ledger.ts';
import { tried } from '../../support/profile.ts';
import { reportOf } from '../../support/reports.ts';
import { useRest } from '../../support/rest.ts';
import { type Amounts, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const { succeed } = useRest(database);
const scope = () => scopeOf(database.db);

const sharing = 'MISC_SHARES_VIA_AGGREGATE';
const unchecked = { unchecked: true };
/** The request for the fit. */
const wanted = 40;

/** One history; hosts, pools and instances have numbers. */
class Cloud {
  readonly #run: number;
  /** An aggregate of all hosts, and of no pool. */
  readonly all: string;
  /** The disk of each instance with allocations. */
  readonly held = new Map<string, number>();

  constructor(run: number) {
    this.#run = run;
    this.all = uuidOf(`hosts of ${run}`);
  }

  readonly host = (number: number) => `host ${number} of ${this.#run}`;
  readonly pool = (number: number) => `pool ${number} of ${this.#run}`;
  readonly rack = (number: number) => uuidOf(`rack ${number} of ${this.#run}`);
  readonly instance = (number: number) => uuidOf(`instance ${number} of ${this.#run}`);

  report(number: number, localGb: number, hasSharedStorage = true) {
    const name = this.host(number);
    const fields = { uuid: uuidOf(name), serviceHost: name, hypervisorHostname: name, vcpus: 1000, memoryMb: 1024, localGb };
    return reportComputeNode(scope(), reportOf({ ...fields, hasSharedStorage }));
  }

  join(number: number, racks: readonly number[]) {
    const aggregates = [this.all, ...racks.map(this.rack)];
    return replaceAggregates(scope(), { resourceProvider: uuidOf(this.host(number)), expect: unchecked, aggregates });
  }

  /** Gives a host disk of its own, like an operator over REST. */
  give(number: number, total: number) {
    const inventories = [
      { resourceClass: 'VCPU', total: 1000 },
      { resourceClass: 'DISK_GB', total },
    ];
    return replaceInventories(scope(), { resourceProvider: uuidOf(this.host(number)), expect: unchecked, inventories });
  }

  serve(number: number, total: number, racks: readonly number[]) {
    const name = this.pool(number);
    const inventories = [{ resourceClass: 'DISK_GB', total }];
    return reportPool(scope(), { uuid: uuidOf(name), name, inventories, aggregates: racks.map(this.rack) });
  }

  mark(number: number, traits: readonly string[]) {
    return replaceTraits(scope(), { resourceProvider: uuidOf(this.pool(number)), expect: unchecked, traits });
  }

  async claim(number: number, amount: number) {
    const consumer = this.instance(number);
    if (this.held.has(consumer)) return;
    const resources = [
      { resourceClass: 'VCPU', amount: 1 },
      { resourceClass: 'DISK_GB', amount },
    ];
    const request = { groups: [{ resources }], rootTraits: [], rootAggregates: [{ anyOf: [this.all] }] };
    await claim(scope(), { consumers: [{ consumer, expect: { isNew: true }, project: `p${this.#run}`, user: 'u' }], request });
    this.held.set(consumer, amount);
  }

  /** Resizes a disk; 0 releases it. */
  async resize(number: number, amount: number) {
    const consumer = this.instance(number);
    const had = (await findHolders(scope(), [consumer])).get(consumer);
    if (!had) return;
    const allocations = had.allocations.map(({ resourceProvider, resources }) => ({
      resourceProvider,
      resources: resources.map((held) => (held.resourceClass === 'DISK_GB' ? { ...held, amount } : held)),
    }));
    const hold = { allocations: amount === 0 ? [] : allocations };
    await replaceAllocations(scope(), { consumers: [{ consumer, expect: { generation: had.generation }, hold }] });
    if (amount === 0) this.held.delete(consumer);
    else this.held.set(consumer, amount);
  }

  /** The disk of hosts and pools, by name. */
  async places() {
    const rows = await database.db.sql<{ name: string; uuid: string; total: number; used: number }[]>`
      select p.name, p.uuid, i.total, i.used::int as used from inventories i join resource_providers p on p.id = i.resource_provider_id
      join resource_classes rc on rc.id = i.resource_class_id and rc.name = 'DISK_GB' where p.name like ${`% of ${this.#run}`}`;
    return new Map(rows.map((row) => [row.name, row]));
  }

  /** Each host, or pool that is not sharing now, with its aggregates, the pools that serve it, and whether its own disk is on a pool. */
  async served() {
    return database.db.sql<{ name: string; pools: string[]; racks: string[]; isShared: boolean }[]>`
      with sharing as (
        select p.id, p.name from resource_providers p join resource_provider_traits has on has.resource_provider_id = p.id
        join traits t on t.id = has.trait_id and t.name = ${sharing}
      )
      select p.name, exists (select from records r where r.uuid = p.uuid and r.body ? 'hasSharedStorage') as "isShared",
        array(select a.uuid from resource_provider_aggregates m join placement_aggregates a on a.id = m.aggregate_id
          where m.resource_provider_id = p.id and a.uuid <> ${this.all}) as racks,
        array(select distinct sharing.name from resource_provider_aggregates m join resource_provider_aggregates own using (aggregate_id)
          join sharing on sharing.id = own.resource_provider_id where m.resource_provider_id = p.id) as pools
      from resource_providers p where p.name like ${`% of ${this.#run}`} and p.id not in (select id from sharing)`;
  }

  async check() {
    const [places, served] = [await this.places(), await this.served()];
    const hosts = served.filter(({ name }) => name.startsWith('host'));
    const sum = (names: Iterable<string>) => {
      const rows = [...names].flatMap((name) => places.get(name) ?? []);
      const added = (key: 'total' | 'used') => rows.reduce((all, row) => all + row[key], 0);
      return rows.length === 0 ? [] : [{ total: added('total'), used: added('used') }];
    };

    // Every disk is held once, in one place, and on no host served by a pool.
    const disks = await database.db.sql<{ uuid: string; used: number }[]>`
      select c.uuid, a.used::int as used from allocations a join consumers c on c.id = a.consumer_id join projects p on p.id = c.project_id
      join resource_classes rc on rc.id = a.resource_class_id and rc.name = 'DISK_GB' where p.external_id = ${`p${this.#run}`}`;
    expect(disks.map(({ uuid, used }) => [uuid, used]).toSorted()).toEqual([...this.held].toSorted());
    const inWay = hosts.filter(({ name, pools, isShared }) => isShared && pools.length > 0 && places.has(name));
    expect(inWay.map(({ name }) => name)).toEqual([]);

    // All totals equal these.
    const asked = 'resourceClasses: ["DISK_GB"]';
    const used = [...this.held.values()].reduce((all, amount) => all + amount, 0);
    const told = await query<Told>(
      database.db,
      `query ($names: [String!]!, $project: String!) {
        totals(filter: { names: $names }, ${asked}) { own { total used } shared { total used } }
        resourceClass(name: "DISK_GB") { cloudTotal { total used } }
        cloudMap(${asked}) { names classes { total used } }
        project(externalId: $project) { usages { nodes { amount(resourceClass: "DISK_GB") } } }
        computeNodes(first: 1000) { nodes { hypervisorHostname localGb localGbUsed
          resourceProvider { sharedPools(resourceClasses: "DISK_GB") { resourceProvider { name } inventory { total used } } } } }
      }`,
      { names: [...places.keys()], project: `p${this.#run}` },
    );
    // Pools among the requested providers count there.
    expect(told.totals).toEqual({ own: sum(places.keys()), shared: [] });
    expect(sum(places.keys())[0]?.used ?? 0).toBe(used);
    const [cloud] = await database.db.sql<object[]>`
      select sum(i.total)::int as total, sum(i.used)::int as used from inventories i join resource_classes rc on rc.id = i.resource_class_id and rc.name = 'DISK_GB'`;
    expect(told.resourceClass.cloudTotal ?? { total: null, used: null }).toEqual(cloud);
    expect(told.project?.usages.nodes.map(({ amount }) => amount) ?? [0]).toEqual([used]);
    const nodes = new Map(told.computeNodes.nodes.map((node) => [node.hypervisorHostname, node]));
    const [disk] = told.cloudMap.classes;
    for (const { name, pools, racks } of hosts) {
      const [own = null] = sum([name]);
      const shared = pools.flatMap((pool) => sum([pool]).map((inventory) => ({ resourceProvider: { name: pool }, inventory })));
      expect(nodes.get(name)).toEqual({
        ...{ hypervisorHostname: name, localGb: own?.total ?? 0, localGbUsed: own?.used ?? 0 },
        resourceProvider: { sharedPools: shared.toSorted((a, b) => (a.resourceProvider.name < b.resourceProvider.name ? -1 : 1)) },
      });
      const place = told.cloudMap.names.indexOf(name);
      expect([disk?.total[place], disk?.used[place]]).toEqual([own?.total ?? null, own?.used ?? null]);
      const { totals } = await query<Pick<Told, 'totals'>>(
        database.db,
        `query ($name: String!) { totals(filter: { names: [$name] }, ${asked}) { own { total used } shared { total used } } }`,
        { name },
      );
      expect(totals).toEqual({ own: sum([name]), shared: sum(pools) });
      for (const rack of racks) {
        const there = served.filter((other) => other.racks.includes(rack));
        const { aggregate } = await query<{ aggregate: Pick<Told, 'totals'> }>(
          database.db,
          `query ($uuid: UUID!) { aggregate(uuid: $uuid) { totals(${asked}) { own { total used } shared { total used } } } }`,
          { uuid: rack },
        );
        const serving = new Set(there.flatMap((other) => other.pools));
        expect(aggregate.totals).toEqual({ own: sum(there.map((other) => other.name)), shared: sum(serving) });
      }
    }
    const { usages } = (await succeed(`GET /usages?project_id=p${this.#run}`, { version: '1.9' })).json as { usages: Amounts };
    expect(usages.DISK_GB ?? 0).toBe(used);
    for (const place of places.values()) {
      const rest = async (path: string) => (await succeed(`GET /resource_providers/${place.uuid}/${path}`)).json as Rest;
      expect((await rest('usages')).usages?.DISK_GB).toBe(place.used);
      expect((await rest('inventories')).inventories?.DISK_GB?.total).toBe(place.total);
    }

    // Nothing is offered twice, or beyond the capacity.
    const reached = new Set(hosts.flatMap(({ name, pools }) => [name, ...pools]));
    const room = [...reached]
      .map((name) => sum([name])[0])
      .reduce((all, at) => all + Math.max(0, Math.floor(((at?.total ?? 0) - (at?.used ?? 0)) / wanted)), 0);
    const { fit } = await query<{ fit: { total: number } }>(
      database.db,
      'query ($input: CandidatesInput!) { fit(input: $input) { total } }',
      {
        input: {
          groups: [
            {
              resources: [
                { resourceClass: 'VCPU', amount: 1 },
                { resourceClass: 'DISK_GB', amount: wanted },
              ],
            },
          ],
          rootAggregates: [{ anyOf: [this.all] }],
        },
      },
    );
    expect(fit.total).toBe(room);
  }
}

interface Amount {
  readonly total: number;
  readonly used: number;
}
interface Rest {
  readonly usages?: Amounts;
  readonly inventories?: Readonly<Record<string, { readonly total: number }>>;
}
interface Told {
  readonly totals: { readonly own: readonly Amount[]; readonly shared: readonly Amount[] };
  readonly resourceClass: { readonly cloudTotal: Amount | null };
  readonly cloudMap: {
    readonly names: readonly string[];
    readonly classes: readonly { readonly total: number[]; readonly used: number[] }[];
  };
  readonly project: { readonly usages: { readonly nodes: readonly { readonly amount: number }[] } } | null;
  readonly computeNodes: { readonly nodes: readonly { readonly hypervisorHostname: string }[] };
}

type Step = (cloud: Cloud) => Promise<unknown>;

const number = fc.integer({ min: 1, max: 3 });
const instance = fc.integer({ min: 1, max: 8 });
const size = fc.constantFrom(30, 100, 250, 1000);
const amount = fc.constantFrom(10, 40, 90, 200);
const racks = fc.subarray([1, 2]);
const called = (name: string, run: Step) => Object.assign(run, { toString: () => name });

const report = fc
  .tuple(number, size, fc.boolean())
  .map(([of, total, own]) => called(`report(${of}, ${total}, ${of < 3 || !own})`, (cloud) => cloud.report(of, total, of < 3 || !own)));
const join = fc.tuple(number, racks).map(([of, at]) => called(`join(${of}, [${at}])`, (cloud) => cloud.join(of, at)));
const give = fc.tuple(number, size).map(([of, total]) => called(`give(${of}, ${total})`, (cloud) => cloud.give(of, total)));
const serve = fc
  .tuple(number, size, racks)
  .map(([of, total, at]) => called(`serve(${of}, ${total}, [${at}])`, (cloud) => cloud.serve(of, total, at)));
const mark = fc.tuple(number, fc.boolean()).map(([of, is]) => called(`mark(${of}, ${is})`, (cloud) => cloud.mark(of, is ? [sharing] : [])));
const claims = fc.tuple(instance, amount).map(([of, disk]) => called(`claim(${of}, ${disk})`, (cloud) => cloud.claim(of, disk)));
const resize = fc
  .tuple(instance, fc.oneof(amount, fc.constant(0)))
  .map(([of, disk]) => called(`resize(${of}, ${disk})`, (cloud) => cloud.resize(of, disk)));
/** Concurrent operations, each on something else. */
const together = fc
  .tuple(
    fc.oneof(report, join, give, serve, mark),
    fc.uniqueArray(instance, { minLength: 1, maxLength: 3 }),
    fc.oneof(amount, fc.constant(0)),
    fc.boolean(),
  )
  .map(([one, instances, disk, isNew]) =>
    called(`at once: ${String(one)}, ${isNew ? 'claim' : 'resize'}([${instances}], ${disk})`, (cloud) =>
      Promise.all([
        attempt(cloud, one),
        ...instances.map((of) => attempt(cloud, (it) => (isNew ? it.claim(of, disk || 10) : it.resize(of, disk)))),
      ]),
    ),
  );
const steps = fc.array(
  fc.oneof(report, join, give, serve, mark, { arbitrary: claims, weight: 4 }, resize, { arbitrary: together, weight: 3 }),
  {
    minLength: 8,
    maxLength: 20,
  },
);

/** A refused operation changes nothing. */
async function attempt(cloud: Cloud, step: Step): Promise<void> {
  await step(cloud).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
}

test('in every state every disk is held and counted in one place, and offered at most once', { timeout: 600_000 }, async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      run += 1;
      const cloud = new Cloud(run);
      for (const [host, localGb] of [1000, 250, 100].entries()) {
        await cloud.report(host + 1, localGb, host < 2);
        await cloud.join(host + 1, []);
      }
      for (const of of [1, 2, 3]) await cloud.claim(of, 90);
      for (const step of history) {
        await attempt(cloud, step);
        await cloud.check();
      }
    }),
    { numRuns: tried(8, 150) },
  );
  await expectSoundLedger(database.db);
});
