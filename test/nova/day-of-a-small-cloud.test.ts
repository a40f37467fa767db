// Examination. A day of a small cloud on a simulated clock: 200 hosts that report every simulated minute; 2,000 instances that are created, moved, resized
// and deleted; hosts that crash and return, are upgraded, drained, reinstalled and deleted; mistakes, and audits that correct them. The day has 48 minutes,
// so that the test takes one real minute; many things happen concurrently in each. Nothing is ever over capacity; in the end nothing is orphaned and all
// usage is exact.
import { expect, test } from 'vitest';
import { runAudit } from '../../src/commands/audit.ts';
import { findComputeNode } from '../../src/nova/compute-nodes/compute-nodes.ts';
import { parseInstance } from '../../src/nova/instances/instance-inputs.ts';
import { demandsOf, sumAmounts } from '../../src/nova/instances/placements.ts';
import { releaseAllocations } from '../../src/operations/allocations/allocation-writes.ts';
import { useDatabase } from '../support/database.ts';
import { inParallel } from '../support/in-parallel.ts';
import { expectSoundLedger, refusalOf, scopeOf } from '../support/ledger.ts';
import { type Host, SmallCloud, type Vm } from '../support/small-cloud.ts';
import { pci, type SizeName, sizes } from '../support/small-cloud-sizes.ts';

const database = useDatabase();
const hostCount = 200;
const minutes = 48;
const instancesInAll = 2000;
const width = 6;

const overCapacity = () => database.db.sql`
  select p.name, rc.name as "resourceClass", i.used from inventories i
  join resource_providers p on p.id = i.resource_provider_id
  join resource_classes rc on rc.id = i.resource_class_id
  where i.used > floor((i.total - i.reserved) * i.allocation_ratio)`;

/** What is left of a host. Its devices are deleted with its providers. */
const leftOf = ({ name, uuid }: Host) => database.db.sql`
  select name from resource_providers where uuid = ${uuid} or starts_with(name, ${`${name}_`})
  union all select host from services where host = ${name} union all select name from records where name = ${name}`;

/** The usage of each class on each host, because after all allocations are lost, nothing says which of several equal cards an instance had. */
const useOfAll = () => database.db.sql`
  select root.name, rc.name as "resourceClass", sum(i.used)::int as used from inventories i
  join resource_providers p on p.id = i.resource_provider_id
  join resource_providers root on root.id = p.root_provider_id
  join resource_classes rc on rc.id = i.resource_class_id group by 1, 2 order by 1, 2`;

const historyOf = (consumer: string) => database.db.sql`
  select e.id, e.kind, e.at::text, e.changes -> 'consumers' -> ${consumer}::text as change
  from event_subjects s join events e on e.id = s.event_id where s.subject = ${consumer}::uuid order by e.id`;

test('a day ends without orphans, with nothing over capacity at any time, and with exact usage', async () => {
  const cloud = new SmallCloud(() => scopeOf(database.db), hostCount, 20_261_121);
  await cloud.build();
  const { random } = cloud;
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;

  for (let minute = 0; minute < minutes; minute++) {
    // An upgrade in eight minutes, of some hosts in each.
    const upgraded = minute - minutes / 2;
    if (upgraded >= 0 && upgraded < 8) {
      await cloud.upgradeServices(
        cloud.hosts.filter((_, place) => place % 8 === upgraded),
        73,
      );
    }
    if (minute % 2 === 1) await cloud.crash(pick(cloud.upHosts), minute + 3 + Math.floor(random() * 6));
    // Moves come first: an instance that has lost its host and is moving again holds nothing on the host that returns.
    for (const vm of cloud.living) if (vm.move) await cloud.finishMove(vm);
    for (const host of cloud.hosts) if (host.downUntil === minute) await cloud.comeBack(host);

    if (minute % 16 === 9) await cloud.setUpAnew(pick(cloud.upHosts.filter(({ hasCards }) => hasCards)));

    if (minute % 8 === 2) pick(cloud.upHosts).hypervisorVersion++;
    const reporting = cloud.upHosts;
    database.statements.length = 0;
    let news = 0;
    await inParallel(reporting, width, async (host) => {
      if (await cloud.report(host)) news++;
    });
    // An unchanged report costs one statement; a changed one reads once and writes once.
    expect(database.statements.length).toBe(reporting.length + news);

    const busy = new Set<Vm>();
    const take = () => {
      const vm = pick(cloud.living.filter((one) => !busy.has(one) && !one.move && one.host.downUntil === null));
      if (vm) busy.add(vm);
      return vm;
    };
    const deeds: (() => Promise<unknown>)[] = [];
    const drained = minute % 6 === 4 ? pick(cloud.upHosts) : null;
    if (drained) {
      for (const vm of cloud.living) if (vm.host === drained) busy.add(vm);
      deeds.push(async () => {
        await cloud.drain(drained);
        await cloud.enable(drained);
      });
    }
    for (const vm of cloud.living) {
      if (vm.diesAt > minute || vm.move || busy.has(vm)) continue;
      busy.add(vm);
      deeds.push(() => cloud.remove(vm));
    }
    // Instances that found no room try again the next minute, perhaps with another size; those of the last minute find room.
    const scarce = (['gpu', 'nic'] as const)[minute % 2] ?? 'gpu';
    const flavors: SizeName[] = ['tiny', 'tiny', 'small', 'small', 'small', 'large', minute < minutes - 1 ? scarce : 'tiny'];
    for (let due = Math.ceil((instancesInAll * (minute + 1)) / minutes) - cloud.vms.size; due > 0; ) {
      const howMany = Math.min(1 + Math.floor(random() * 4), due);
      const flavor = pick(flavors);
      const diesAt = minute + 1 + Math.floor(random() * minutes * 0.7);
      deeds.push(() => cloud.boot(flavor, howMany, diesAt));
      due -= howMany;
    }
    const wronged = new Set([pick(cloud.upHosts), pick(cloud.upHosts)]);
    for (const kind of minute === 0 ? [] : ['move', 'move', 'move', 'resize', 'resize', 'mistake']) {
      const vm = take();
      // Scarce resources are taken at once, so an instance that lost them by mistake would have nowhere to go.
      if (!vm || (kind !== 'move' && (vm.flavor === 'gpu' || vm.flavor === 'nic'))) continue;
      if (kind === 'mistake') wronged.add(vm.host);
      if (kind === 'mistake') deeds.push(() => cloud.releaseByMistake(vm));
      else deeds.push(() => cloud.move(vm, kind === 'move' ? vm.flavor : pick<SizeName>(['small', 'large'])));
    }
    await inParallel(
      deeds.toSorted(() => random() - 0.5),
      width,
      (deed) => deed(),
    );
    for (const host of wronged) await cloud.audit(host);
    expect(await overCapacity()).toEqual([]);
  }

  // In the evening all hosts come back, interrupted work is finished, and every host is audited.
  for (const vm of cloud.living) if (vm.move) await cloud.finishMove(vm);
  for (const host of cloud.hosts) if (host.downUntil !== null) await cloud.comeBack(host);
  const unhealed: unknown[] = [];
  await inParallel(cloud.hosts, width, async (host) => {
    const { instances, problems } = await cloud.audit(host);
    if (problems.length > 0) unhealed.push({ host: host.name, problems, instances: instances.filter(({ state }) => state !== 'RIGHT') });
  });
  expect(unhealed).toEqual([]);

  const on = (host: Host) => cloud.living.filter((vm) => vm.host === host);
  const fullest = (hosts: readonly Host[]) => hosts.toSorted((a, b) => on(b).length - on(a).length)[0] as Host;
  const emptiest = (hosts: readonly Host[]) =>
    hosts.filter((host) => on(host).length > 0).toSorted((a, b) => on(a).length - on(b).length)[0] as Host;
  // One host is lost: its instances are rebuilt elsewhere, and nothing of it is left.
  const lost = emptiest(cloud.hosts.slice(50));
  const rebuilt = on(lost);
  expect(rebuilt.length).toBeGreaterThan(0);
  await cloud.lose(lost);
  expect(rebuilt.filter((vm) => vm.host === lost)).toEqual([]);
  expect(await leftOf(lost)).toEqual([]);

  // Two hosts are retired: nothing of them is left, and their instances are elsewhere.
  for (const host of [fullest(cloud.hosts.slice(0, 25)), fullest(cloud.hosts.slice(25))]) {
    const others = on(host);
    expect(others.length).toBeGreaterThan(0);
    expect(await refusalOf(database.db, () => cloud.deleteHost(host))).toMatchObject([{ code: 'IN_USE' }]);
    // In a full cloud, instances with nowhere to go are deleted.
    const stuck = await cloud.drain(host);
    expect(stuck.length).toBeLessThan(others.length);
    for (const vm of stuck) await cloud.remove(vm, false);
    for (const vm of others) if (vm.move) await cloud.finishMove(vm);
    expect(on(host)).toEqual([]);
    await cloud.deleteHost(host);
    expect(await findComputeNode(scopeOf(database.db), { uuid: host.uuid })).toBeNull();
    expect(await leftOf(host)).toEqual([]);
  }
  const states = new Map<string, number>();
  await inParallel(cloud.hosts, width, async (host) => {
    const { allocations, instances } = await cloud.audit(host);
    for (const { instance, state } of instances) {
      if (state !== 'RIGHT') unhealed.push({ host: host.name, state, vm: cloud.vms.get(instance), history: await historyOf(instance) });
    }
    for (const key of [...allocations.map(({ reason }) => reason), ...instances.map(({ state }) => state)]) {
      states.set(key, (states.get(key) ?? 0) + 1);
    }
  });
  expect(unhealed).toEqual([]);

  const { living } = cloud;
  expect(states).toEqual(
    new Map([
      ['TRACKED', living.length],
      ['RIGHT', living.length],
    ]),
  );
  const consumers = await database.db.sql<{ uuid: string }[]>`select uuid from consumers`;
  expect(new Set(consumers.map(({ uuid }) => uuid))).toEqual(new Set(living.map(({ uuid }) => uuid)));
  const demand = sumAmounts(
    living.flatMap(({ uuid, flavor }) =>
      demandsOf(
        parseInstance(
          { instanceRecord: { fields: { uuid, project: 'p1', user: 'u1', flavor: { fields: sizes[flavor] } } }, pciPassthrough: pci },
          [],
        ),
      )
        .slice(0, 1)
        .flat(),
    ),
  );
  const use = await database.db.sql<{ resourceClass: string; amount: number }[]>`
    select rc.name as "resourceClass", sum(i.used)::int as amount from inventories i
    join resource_classes rc on rc.id = i.resource_class_id group by rc.name having sum(i.used) > 0`;
  expect(new Map(use.map((row) => [row.resourceClass, row.amount]))).toEqual(new Map(demand.map((row) => [row.resourceClass, row.amount])));
  const processors = await database.db.sql<{ name: string; used: number }[]>`
    select p.name, i.used::int as used from inventories i join resource_providers p on p.id = i.resource_provider_id
    join resource_classes rc on rc.id = i.resource_class_id where rc.name = 'VCPU'`;
  for (const { name, used } of processors) {
    const expected = living.filter(({ host }) => host.name === name).reduce((sum, { flavor }) => sum + sizes[flavor].vcpus, 0);
    expect([name, used]).toEqual([name, expected]);
  }
  expect(await overCapacity()).toEqual([]);

  // The worst mistake: all allocations are lost. The hosts know their instances, so their audits restore all of them.
  const before = await useOfAll();
  for (let from = 0; from < consumers.length; from += 1000) {
    const lost = consumers.slice(from, from + 1000).map(({ uuid }) => ({ consumer: uuid, expect: { unchecked: true } }));
    await releaseAllocations(scopeOf(database.db), { consumers: lost });
  }
  expect(await useOfAll()).not.toEqual(before);
  await inParallel(cloud.hosts, width, async (host) => {
    const { instances, problems } = await cloud.audit(host);
    if (problems.length > 0 || instances.some(({ repaired }) => !repaired)) unhealed.push({ host: host.name, problems, instances });
  });
  expect(unhealed).toEqual([]);
  expect(await useOfAll()).toEqual(before);

  expect(await runAudit(database.db, () => {})).toMatchObject({ differences: 0 });
  await expectSoundLedger(database.db);

  // Everything that the test is meant to cover has happened.
  const happened = [...cloud.counts].filter(([, count]) => count > 0).map(([what]) => what);
  expect(happened).toEqual(
    expect.arrayContaining([
      ...['boots', 'builds on an alternate', 'deletions', 'deletions that left something behind', 'moves', 'moves undone', 'moves cut off'],
      ...['resizes', 'crashes', 'evacuations', 'releases by mistake', 'removed by audits', 'repaired by audits', 'boots refused'],
      ...['drains', 'moves by plan', 'moves by plan cut off', 'boots with devices'],
      ...['hosts set up anew', 'evacuations from a lost host', 'hosts lost'],
      ...['reports with news', 'reports without news'],
    ]),
  );
  expect(cloud.vms.size).toBe(instancesInAll);
}, 600_000);
