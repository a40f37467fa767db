// A small cloud on a simulated clock: hosts that report, crash and return, some with a new identity; instances that are created, moved, resized and deleted;
// mistakes that leave the ledger wrong until an audit repairs it. Keeps its own record of the truth. Uses the mutations for Nova; only an evacuation from a
// lost host replaces allocations directly, as Nova itself does.
import { randomOf } from '../../src/domain/candidates/anchors.ts';
import { Refusal, type RefusalCode } from '../../src/domain/errors.ts';
import { auditComputeNode, type ComputeNodeAudited } from '../../src/nova/audits/compute-node-audits.ts';
import { reportComputeNode } from '../../src/nova/compute-nodes/compute-nodes.ts';
import { deleteComputeNode } from '../../src/nova/compute-nodes/deletion.ts';
import { claimAlternate } from '../../src/nova/instances/alternates.ts';
import { selectDestinations } from '../../src/nova/instances/destinations.ts';
import { endMigration, type MigrationStart, type MigrationStep, startMigration } from '../../src/nova/instances/migrations.ts';
import type { Selection } from '../../src/nova/instances/selections.ts';
import { drainPlan } from '../../src/nova/plans/drain-plan.ts';
import { reportPool } from '../../src/nova/services/pools.ts';
import { type NovaService, reportService } from '../../src/nova/services/services.ts';
import { type ConsumerExpectation, replaceAllocations } from '../../src/operations/allocations/allocation-writes.ts';
import { findHolders } from '../../src/operations/allocations/holdings.ts';
import { allocationsOf } from '../../src/operations/candidates/candidates.ts';
import { replaceAggregates } from '../../src/operations/providers/provider-writes.ts';
import type { RequestScope } from '../../src/operations/scope/scope.ts';
import { inParallel } from './in-parallel.ts';
import { release } from './release.ts';
import { uuidOf } from './seed.ts';
import { pci, type SizeName, sizes } from './small-cloud-sizes.ts';

export interface Host {
  readonly name: string;
  readonly uuid: string;
  readonly cell: string;
  readonly hasGpu: boolean;
  /** Network cards for instances, each a provider. */
  readonly hasCards: boolean;
  readonly sharesStorage: boolean;
  hypervisorVersion: number;
  /** The minute when it returns; null while it is up. */
  downUntil: number | null;
}

export interface Vm {
  readonly uuid: string;
  readonly diesAt: number;
  flavor: SizeName;
  host: Host;
  isDeleted: boolean;
  /** A move that was started but not finished. */
  move: Move | null;
}

interface Move {
  readonly migration: string;
  readonly flavor: SizeName;
  /** For a move by plan, which is claimed with the first step. */
  readonly planned: { readonly object: string; readonly host: Host } | null;
}

const moveOf = (instance: string, uuid: string) => ({ fields: { uuid, instance } });
const cardAddresses = ['0000:81:00.0', '0000:82:00.0', '0000:83:00.0', '0000:84:00.0'];
const owner = { project: 'p1', user: 'u1' };
const pool = 'nfs';
const noRoom: ReadonlySet<RefusalCode> = new Set(['NO_CANDIDATES', 'CAPACITY_EXCEEDED']);
const cells = ['cell0', 'cell1', 'cell2', 'cell3'];

export class SmallCloud {
  hosts: readonly Host[];
  /** All instances, deleted ones included, by uuid. */
  readonly vms = new Map<string, Vm>();
  /** By uuid: sources on failed hosts, allocated until the hosts return. */
  readonly evacuations = new Map<string, { readonly vm: Vm; readonly from: Host }>();
  /** Counts of what happened. */
  readonly counts = new Map<string, number>();
  readonly random: () => number;
  private readonly scope: () => RequestScope;
  private made = 0;
  /** The version of the services of new hosts. */
  private version = 70;

  constructor(scope: () => RequestScope, hostCount: number, seed: number) {
    this.scope = scope;
    this.random = randomOf(seed);
    this.hosts = Array.from({ length: hostCount }, (_, index) => ({
      ...{ name: `host${index}`, uuid: uuidOf(`host${index}`), cell: cells[index % cells.length] as string },
      ...{ hasGpu: index % 20 === 7, hasCards: index % 10 === 3, sharesStorage: index % 4 === 0, hypervisorVersion: 1, downUntil: null },
    }));
  }

  /** The pool and all hosts, as an older release without reported owners wrote them. */
  async build(): Promise<void> {
    await reportPool(this.scope(), {
      ...{ uuid: uuidOf(pool), name: pool, aggregates: [uuidOf('storage')] },
      inventories: [{ resourceClass: 'DISK_GB', total: 100_000 }],
    });
    await inParallel(this.hosts, 8, (host) => this.setUp(host));
    await this.upgradeServices(this.hosts, this.version);
  }

  private async setUp(host: Host): Promise<void> {
    await this.report(host);
    const aggregates = [host.cell, ...(host.sharesStorage ? ['storage'] : [])].map(uuidOf);
    await replaceAggregates(this.scope(), { resourceProvider: host.uuid, expect: { unchecked: true }, aggregates });
    await this.report(host);
  }

  async upgradeServices(hosts: readonly Host[], version: number): Promise<void> {
    this.version = version;
    await inParallel(hosts, 8, (host) => this.reportService(host, { version }));
  }

  private reportService({ name }: Host, state: Omit<NovaService, 'host' | 'binary'>) {
    return reportService(this.scope(), { fields: { host: name, binary: 'nova-compute', ...state } });
  }

  get living(): Vm[] {
    return [...this.vms.values()].filter(({ isDeleted }) => !isDeleted);
  }

  get upHosts(): Host[] {
    return this.hosts.filter(({ downUntil }) => downUntil === null);
  }

  /** Returns whether the report changed anything. */
  async report(host: Host): Promise<boolean> {
    const { name, uuid, hasGpu, hasCards, sharesStorage, hypervisorVersion } = host;
    const node = { uuid, serviceHost: name, hypervisorHostname: name, hypervisorType: 'QEMU', hypervisorVersion };
    const { changed } = await reportComputeNode(this.scope(), {
      computeNodeRecord: { fields: { ...node, vcpus: 16, memoryMb: 32_768, localGb: 500 } },
      hasSharedStorage: sharesStorage,
      ...(hasGpu ? { vgpus: [{ address: '0000:84:00.0', total: 2 }] } : {}),
      ...(hasCards ? { pciDevices: this.cardsOf(host), pciInPlacement: true } : {}),
    });
    this.count(changed ? 'reports with news' : 'reports without news');
    return changed;
  }

  /** Includes the instances that have them. */
  private cardsOf(host: Host) {
    const users = this.living.filter((vm) => vm.host === host && vm.flavor === 'nic');
    return cardAddresses.map((address, place) => {
      const state = users[place] ? { status: 'allocated', instance: users[place].uuid } : { status: 'available' };
      return { device: { fields: { address, vendorId: '8086', productId: '1563', devType: 'type-PCI', ...state } } };
    });
  }

  /** Creates instances of one size; sometimes the build fails on the selected host, and an alternate is claimed. */
  async boot(flavor: SizeName, howMany: number, diesAt: number): Promise<void> {
    const instances = Array.from({ length: howMany }, () => ({ instance: uuidOf(`vm${this.made++}`), ...owner }));
    await this.refusable('boots refused', async () => {
      const { destinations } = await this.select(instances, flavor);
      for (const { instance, selected, alternates } of destinations) {
        const host = this.hostOf(selected.candidate.root.uuid);
        const failsAtFirst = alternates.length > 0 && this.random() < 0.1;
        const built = failsAtFirst ? await this.buildOnAlternate(instance.uuid, host, alternates) : host;
        if (!built) continue;
        this.vms.set(instance.uuid, { uuid: instance.uuid, diesAt, flavor, host: built, isDeleted: false, move: null });
        this.count('boots');
        if (flavor === 'nic' || flavor === 'gpu') this.count('boots with devices');
      }
    });
  }

  /** If no alternate is left, the instance is abandoned. */
  private async buildOnAlternate(instance: string, failed: Host, alternates: readonly Selection[]): Promise<Host | null> {
    const tries = alternates.map(({ object }) => ({ object }));
    const host = await this.refusable('builds given up', async () => {
      const { place } = await claimAlternate(this.scope(), { instance, expect: await this.expectationOf(instance), selections: tries });
      return this.hostOf(alternates[place]?.candidate.root.uuid);
    });
    if (host && host.cell !== failed.cell) throw new Error('an alternate is in another cell');
    if (host) this.count('builds on an alternate');
    else await release(this.scope(), instance);
    return host;
  }

  /** A deletion. If the host is down or the last step is lost, the allocations remain. */
  async remove(vm: Vm, isCutOff = this.random() < 0.02): Promise<void> {
    vm.isDeleted = true;
    const isLost = vm.host.downUntil !== null || isCutOff;
    this.count(isLost ? 'deletions that left something behind' : 'deletions');
    if (!isLost) await release(this.scope(), vm.uuid);
  }

  /** A move, or a resize if the size changes. It may be interrupted after the first step. */
  async move(vm: Vm, flavor: SizeName): Promise<void> {
    vm.move = { migration: uuidOf(`move${this.made++}`), flavor, planned: null };
    await this.startMove(vm, vm.move.migration);
    if (this.random() < 0.1) this.count('moves cut off');
    else await this.finishMove(vm);
  }

  private async startMove(vm: Vm, migration: string, rest: Pick<MigrationStart, 'selection'> = {}): Promise<MigrationStep> {
    const expect = await this.expectationOf(vm.uuid);
    return startMigration(this.scope(), { migrationRecord: moveOf(vm.uuid, migration), expect, ...rest });
  }

  private async expectationOf(instance: string): Promise<ConsumerExpectation> {
    const holder = (await findHolders(this.scope(), [instance])).get(instance);
    return holder ? { generation: holder.generation } : { isNew: true };
  }

  /** Completes an interrupted move by repeating it from its first step. */
  async finishMove(vm: Vm): Promise<void> {
    if (!vm.move) return;
    const { migration, flavor, planned } = vm.move;
    if (planned) return this.finishPlanned(vm, migration, planned);
    const parties = { migrationRecord: moveOf(vm.uuid, migration) };
    await this.startMove(vm, migration);
    const host = await this.refusable('moves refused', () => this.newHostOf(vm, flavor));
    if (!host || this.random() < 0.1) {
      await endMigration(this.scope(), { ...parties, outcome: 'REVERTED' });
      this.count('moves undone');
    } else {
      await endMigration(this.scope(), { ...parties, outcome: 'CONFIRMED' });
      this.count(flavor === vm.flavor ? 'moves' : 'resizes');
      Object.assign(vm, { host, flavor });
    }
    vm.move = null;
  }

  private async finishPlanned(vm: Vm, migration: string, { object, host }: NonNullable<Move['planned']>): Promise<void> {
    await this.startMove(vm, migration, { selection: { object } });
    await endMigration(this.scope(), { migrationRecord: moveOf(vm.uuid, migration), outcome: 'CONFIRMED' });
    Object.assign(vm, { host, move: null });
    this.count('moves by plan');
  }

  /** Disables the host and moves its instances away as planned, unless others took the capacity. Returns the instances without a destination. */
  async drain(host: Host): Promise<Vm[]> {
    await this.reportService(host, { disabled: true, disabledReason: 'drained' });
    const { moves, stuck } = await drainPlan(this.scope(), { computeNodes: [host.uuid], sameAggregates: cells.map(uuidOf) });
    for (const { consumer, selection } of moves) {
      const vm = this.vms.get(consumer);
      if (!vm || vm.isDeleted || vm.move) continue;
      const planned = { object: selection.object, host: this.hostOf(selection.candidate.root.uuid) };
      const migration = uuidOf(`move${this.made++}`);
      const start = () => this.startMove(vm, migration, { selection: { object: planned.object } });
      if (!(await this.refusable('moves by plan refused', start))) continue;
      vm.move = { migration, flavor: vm.flavor, planned };
      if (this.random() < 0.3) this.count('moves by plan cut off');
      else await this.finishMove(vm);
    }
    this.count('drains');
    return stuck.flatMap(({ consumer }) => this.vms.get(consumer) ?? []);
  }

  async enable(host: Host): Promise<void> {
    await this.reportService(host, { disabled: false });
  }

  /** Refused while it has instances. */
  async deleteHost(host: Host): Promise<void> {
    await deleteComputeNode(this.scope(), { computeNode: host.uuid });
    this.hosts = this.hosts.filter((one) => one !== host);
  }

  /** A host fails: it gets no new instances, and most of its instances are rebuilt elsewhere. */
  async crash(host: Host, downUntil: number): Promise<void> {
    host.downUntil = downUntil;
    this.count('crashes');
    await this.reportService(host, { forcedDown: true });
    const evacuees = this.living.filter((vm) => vm.host === host && !vm.move).filter(() => this.random() < 0.7);
    for (const vm of evacuees) {
      const migration = uuidOf(`evacuation${this.made++}`);
      await this.startMove(vm, migration);
      const found = await this.refusable('evacuations refused', () => this.newHostOf(vm));
      if (found) {
        this.evacuations.set(migration, { vm, from: host });
        vm.host = found;
        this.count('evacuations');
      } else await endMigration(this.scope(), { migrationRecord: moveOf(vm.uuid, migration), outcome: 'REVERTED' });
    }
  }

  /** A host returns: it drops the instances that were rebuilt elsewhere, and is audited. */
  async comeBack(host: Host): Promise<ComputeNodeAudited> {
    host.downUntil = null;
    await this.reportService(host, { forcedDown: false });
    await this.report(host);
    for (const [migration, { vm, from }] of this.evacuations) {
      if (from !== host) continue;
      this.evacuations.delete(migration);
      // An instance deleted meanwhile has no allocations that a confirmation could keep.
      if (vm.isDeleted) await release(this.scope(), migration);
      else await endMigration(this.scope(), { migrationRecord: moveOf(vm.uuid, migration), outcome: 'CONFIRMED' });
    }
    return this.audit(host);
  }

  /** A host is reinstalled under another name: its new node takes over the allocations of the old one, which is deleted. */
  async setUpAnew(host: Host): Promise<void> {
    const name = `${host.name}-new`;
    const anew: Host = { ...host, name, uuid: uuidOf(name) };
    await this.reportService(host, { disabled: true, disabledReason: 'set up anew' });
    await this.reportService(anew, { version: this.version, disabled: true });
    for (const vm of this.vms.values()) if (vm.host === host) vm.host = anew;
    await this.setUp(anew);
    await deleteComputeNode(this.scope(), { computeNode: host.uuid, handOver: { computeNode: anew.uuid } });
    await this.reportService(anew, { disabled: false });
    this.hosts = this.hosts.map((one) => (one === host ? anew : one));
    this.count('hosts set up anew');
  }

  /**
   * A host is lost for good, and its instances are rebuilt on others. As when Nova itself claims for an evacuation, each holds its new place beside the old
   * one, until the node is deleted.
   */
  async lose(host: Host): Promise<void> {
    await this.reportService(host, { forcedDown: true });
    const { moves, stuckCount } = await drainPlan(this.scope(), { computeNodes: [host.uuid] });
    if (stuckCount > 0) throw new Error(`${stuckCount} of ${host.name} have nowhere to go`);
    const holders = await findHolders(
      this.scope(),
      moves.map(({ consumer }) => consumer),
    );
    for (const { consumer, selection } of moves) {
      const vm = this.vms.get(consumer);
      const old = holders.get(consumer);
      if (!vm || !old) throw new Error(`${consumer} is no instance of ${host.name}`);
      const ofHost = old.allocations.filter(({ resourceProvider }) => resourceProvider !== uuidOf(pool));
      const allocations = [...ofHost, ...allocationsOf(selection.candidate)];
      await replaceAllocations(this.scope(), { consumers: [{ consumer, expect: { generation: old.generation }, hold: { allocations } }] });
      vm.host = this.hostOf(selection.candidate.root.uuid);
      this.count('evacuations from a lost host');
    }
    await deleteComputeNode(this.scope(), { computeNode: host.uuid, handOver: { evacuated: true } });
    this.hosts = this.hosts.filter((one) => one !== host);
    this.count('hosts lost');
  }

  /** Releases an instance that is still running, by mistake. */
  async releaseByMistake(vm: Vm): Promise<void> {
    await release(this.scope(), vm.uuid);
    this.count('releases by mistake');
  }

  /** Audits a host against its actual instances; removes and repairs. */
  async audit(host: Host): Promise<ComputeNodeAudited> {
    const here = [...this.vms.values()].filter((vm) => vm.host === host);
    const coming = this.living.filter(({ move }) => move?.planned?.host === host);
    const known = [...here, ...coming].map((vm) => ({
      ...{ instance: vm.uuid, host: vm.host.name, deleted: vm.isDeleted, taskState: vm.move ? 'migrating' : null },
    }));
    const instances = here.filter(({ isDeleted }) => !isDeleted).map((vm) => this.instanceOf(vm));
    const migrations = [...this.evacuations.keys(), ...this.living.flatMap(({ move }) => move?.migration ?? [])];
    const audited = await auditComputeNode(this.scope(), {
      ...{ computeNode: host.uuid, host: host.name, instances, known, migrations, removeStale: true, repair: true },
    });
    this.count('removed by audits', audited.allocations.filter(({ removed }) => removed).length);
    this.count('repaired by audits', audited.instances.filter(({ repaired }) => repaired).length);
    for (const { instance, state, repaired } of audited.instances) {
      const vm = this.vms.get(instance);
      if (vm && state === 'MISSING' && !repaired) await this.goElsewhere(vm);
    }
    return audited;
  }

  /** The capacity of an instance released by mistake has been claimed by another. */
  private async goElsewhere(vm: Vm): Promise<void> {
    const host = await this.refusable('nowhere to go', () => this.newHostOf(vm));
    if (!host) return;
    vm.host = host;
    this.count('gone elsewhere');
  }

  private async newHostOf(vm: Vm, flavor = vm.flavor): Promise<Host> {
    const { destinations } = await this.select([{ instance: vm.uuid, ...owner }], flavor);
    return this.hostOf(destinations[0]?.selected.candidate.root.uuid);
  }

  instanceOf({ uuid, flavor, host }: Vm) {
    const fields = { uuid, ...owner, flavor: { fields: sizes[flavor] } };
    return { instanceRecord: { fields }, pciPassthrough: pci, pool: host.sharesStorage ? uuidOf(pool) : null };
  }

  private select(instances: readonly { instance: string; project: string; user: string }[], flavor: SizeName) {
    const order = { orderBy: [{ field: 'FREE', resourceClass: 'MEMORY_MB', direction: 'DESC' }], cells: cells.map(uuidOf) } as const;
    const requestFrom = { flavorToRequest: { flavor: { fields: sizes[flavor] }, pciPassthrough: pci } };
    return selectDestinations(this.scope(), { instances, requestFrom, ...order });
  }

  private hostOf(uuid: string | undefined): Host {
    const host = this.hosts.find((one) => one.uuid === uuid);
    if (!host) throw new Error(`${uuid} is no host`);
    return host;
  }

  count(what: string, by = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + by);
  }

  /** A call that may be refused for lack of capacity. */
  private async refusable<Result>(what: string, run: () => Promise<Result>): Promise<Result | null> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Refusal) || !error.problems.every(({ code }) => noRoom.has(code))) throw error;
      this.count(what);
      return null;
    }
  }
}
