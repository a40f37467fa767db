"""Hosts with instances as Nova's resource tracker records them, their state in the scheduler's host manager, and how they are weighed."""
import collections
import math

from nova import objects
from nova.compute import resource_tracker
from nova.compute import stats as compute_stats
from nova.scheduler import host_manager
from nova.scheduler import weights
from nova.scheduler.weights import affinity
from nova.scheduler.weights import compute
from nova.scheduler.weights import cpu
from nova.scheduler.weights import disk
from nova.scheduler.weights import pci
from nova.scheduler.weights import ram

from nova_as_oracle import CONF, CONTEXT, answer, chance, some

MULTIPLIERS = {
    'ram': 'ram', 'cpu': 'cpu', 'disk': 'disk', 'pci': 'pci', 'buildFailure': 'build_failure', 'softAffinity': 'soft_affinity',
    'softAntiAffinity': 'soft_anti_affinity'}
# Nova takes no negative multiplier of the others.
REVERSIBLE = ('ram', 'cpu', 'disk')
DEFAULTS = {name: 1.0 for name in MULTIPLIERS} | {'buildFailure': 1000000.0}
WEIGHERS = [
    ram.RAMWeigher, cpu.CPUWeigher, disk.DiskWeigher, pci.PCIWeigher, compute.BuildFailureWeigher, affinity.ServerGroupSoftAffinityWeigher,
    affinity.ServerGroupSoftAntiAffinityWeigher]


def draw(dice):
    given = {'hosts': [draw_host(dice) for _ in range(dice.randint(2, 4))]}
    if chance(dice, 0.2):
        make_special(dice, dice.choice(given['hosts']))
    if chance(dice, 0.4):
        given['policy'] = dice.choice(['soft-affinity', 'soft-anti-affinity'])
    if chance(dice, 0.4):
        given['multipliers'] = {
            name: dice.choice([0.0, 2.0, 0.5, *([-1.0] if name in REVERSIBLE else [])]) for name in some(dice, MULTIPLIERS, 1, 3)}
    return {**given, 'says': answer(lambda: weigh(given))}


def draw_host(dice):
    vcpus, pcpus = dice.choice([(4, 0), (8, 0), (16, 0), (16, 0), (8, 8), (4, 4)])
    host = {
        'vcpus': vcpus, 'pcpus': pcpus, 'memoryMb': dice.choice([4096, 16384, 65536]),
        'localGb': dice.choice([20, 100, 500]), 'cpuRatio': dice.choice([1.0, 2.0, 4.0, 16.0]),
        'reserved': {'cpus': dice.choice([0, 0, 1]), 'memoryMb': dice.choice([0, 512]), 'diskMb': dice.choice([0, 0, 1024, 2048])},
        'instances': [draw_instance(dice) for _ in range(dice.randint(0, 4))], 'members': 0}
    if chance(dice, 0.4):
        host['devices'] = dice.choice([1, 2, 8, 120])
    if chance(dice, 0.25):
        host['failedBuilds'] = dice.randint(1, 3)
    if host['instances'] and chance(dice, 0.5):
        host['members'] = dice.randint(1, len(host['instances']))
    if chance(dice, 0.2):
        names = some(dice, MULTIPLIERS.values(), 1, 2)
        host['metadata'] = [{f'{name}_weight_multiplier': dice.choice(['2', '0.5', '-1', 'much', ' 3.0'])} for name in names for _ in range(dice.choice([1, 2]))]
    return host


def make_special(dice, host):
    """What few hosts have."""
    kind = dice.choice(['dedicated', 'disk', 'swap'])
    if kind == 'dedicated':
        host.update(vcpus=0, pcpus=8)
    elif kind == 'disk':
        host['diskAvailableLeast'] = dice.choice([0, 5, 600])
    else:
        host['instances'].append({**draw_instance(dice), 'swapMb': 512})


def draw_instance(dice):
    return {
        'vcpus': dice.choice([1, 2, 4]), 'memoryMb': dice.choice([512, 2048, 4096]), 'rootGb': dice.choice([0, 5, 20]),
        'ephemeralGb': dice.choice([0, 0, 5]), 'swapMb': dice.choice([0, 0, 1024])}


def weigh(given):
    multipliers = {**DEFAULTS, **given.get('multipliers', {})}
    for name, option in MULTIPLIERS.items():
        CONF.set_override(f'{option}_weight_multiplier', multipliers[name], group='filter_scheduler')
    members = [f'{number}-{member}' for number, host in enumerate(given['hosts']) for member in range(host['members'])]
    spec = objects.RequestSpec(instance_group=objects.InstanceGroup(policy=given['policy'], members=members) if 'policy' in given else None)
    states = [state_of(host, number) for number, host in enumerate(given['hosts'])]
    weighed = weights.HostWeightHandler().get_weighed_objects([weigher() for weigher in WEIGHERS], states, spec)
    sums = {each.obj.host: each.weight for each in weighed}
    return {'hosts': [{
        'freeRamMb': state.free_ram_mb, 'freeVcpus': state.vcpus_total * state.cpu_allocation_ratio - state.vcpus_used,
        'freeDiskMb': state.free_disk_mb, 'weight': math.floor(sums[state.host] * 1e6 + 0.5) / 1e6} for state in states]}


def state_of(host, number):
    state = host_manager.HostState(f'host{number}', f'node{number}', None)
    instances = {f'{number}-{place}': None for place in range(len(host['instances']))}
    aggregates = [objects.Aggregate(metadata=metadata) for metadata in host.get('metadata', [])]
    state.update(compute=record_of(host), aggregates=aggregates, inst_dict=instances)
    return state


def record_of(host):
    """The ComputeNode that the tracker of the host writes."""
    pools = [objects.PciDevicePool(vendor_id='8086', product_id='10fb', numa_node=0, tags={}, count=host['devices'])] if 'devices' in host else []
    node = objects.ComputeNode(
        uuid='9e0c2b7a-1d4f-4e6a-9b3c-5f8d7a6e4c21', host='host', hypervisor_hostname='node', vcpus=host['vcpus'] + host['pcpus'],
        memory_mb=host['memoryMb'], local_gb=host['localGb'], cpu_allocation_ratio=host['cpuRatio'], ram_allocation_ratio=1.0,
        disk_allocation_ratio=1.0, disk_available_least=host.get('diskAvailableLeast'), numa_topology=None, host_ip='10.0.0.1',
        hypervisor_type='QEMU', hypervisor_version=1, cpu_info='{}', supported_hv_specs=[], metrics=None, updated_at=None,
        stats={'failed_builds': str(host.get('failedBuilds', 0))}, pci_device_pools=objects.PciDevicePoolList(objects=pools))
    for option, value in zip(('cpus', 'memory_mb', 'disk_mb'), host['reserved'].values()):
        CONF.set_override(f'reserved_host_{option}', value)
    tracker = resource_tracker.ResourceTracker.__new__(resource_tracker.ResourceTracker)
    tracker.compute_nodes, tracker.tracked_instances = {'node': node}, set()
    tracker.stats = collections.defaultdict(compute_stats.Stats)
    tracker._update_usage_from_instances(CONTEXT, [], 'node')
    for instance in host['instances']:
        tracker._update_usage({
            'vcpus': instance['vcpus'], 'memory_mb': instance['memoryMb'], 'root_gb': instance['rootGb'],
            'ephemeral_gb': instance['ephemeralGb'], 'swap': instance['swapMb']}, 'node')
    return node
