"""Whether the cells of a guest fit in the cells of a host beside its usage: in which of them, and what they take there."""
from nova import objects
from nova.objects import numa
from nova.virt import hardware

import device_parts
from nova_as_oracle import answer, call, chance, some

NETWORKS = ['physnet1', 'physnet2']
SIZES = {'small': hardware.MEMPAGES_SMALL, 'large': hardware.MEMPAGES_LARGE, 'any': hardware.MEMPAGES_ANY}


def draw(dice):
    host = draw_host(dice)
    given = {'host': host, 'guest': draw_guest(dice, host)}
    if chance(dice, 0.8):
        given['ratios'] = {'cpu': dice.choice([1, 1, 1.5, 2, 4, 16]), 'ram': dice.choice([1, 1, 1.5, 0.9])}
    if chance(dice, 0.25):
        given['devices'] = device_parts.draw_devices(dice, [cell['id'] for cell in host])
        given['requests'] = device_parts.draw_requests(dice, given['devices'])
    return {**given, 'says': answer(lambda: fit(given))}


def draw_host(dice):
    count = dice.choice([1, 2, 2, 2, 3, 4])
    kind = dice.choice(['undivided', 'undivided', 'divided', 'divided', 'shared', 'dedicated'])
    threads = dice.choice([1, 2, 2, 4])
    size = dice.choice([4, 8, 8])
    paged = chance(dice, 0.6)
    sockets = None if chance(dice, 0.2) else dice.choice([1, 2])
    return [draw_cell(dice, cell, kind, threads, size, paged, None if sockets is None else cell * sockets // count) for cell in range(count)]


def draw_cell(dice, number, kind, threads, size, paged, socket):
    """Fields as in Nova's NUMACell. A host that does not divide its processors has one set for both kinds."""
    processors = list(range(number * size, (number + 1) * size))
    cores = [processors[at:at + threads] for at in range(0, size, threads)]
    parts = {'undivided': (cores, cores), 'divided': (cores[:1], cores[1:]), 'shared': (cores, []), 'dedicated': ([], cores)}[kind]
    shared, dedicated = [[thread for core in part for thread in core] for part in parts]
    memory = dice.choice([2048, 4096, 4096, 8192])
    pages = draw_pages(dice, memory) if paged else []
    cell = {
        'id': number, 'cpuset': shared, 'pcpuset': dedicated, 'siblings': cores, 'socket': socket,
        'pinned_cpus': sorted(some(dice, dedicated, 0, dice.choice([1, len(dedicated) or 1]))) if chance(dice, 0.35) else [],
        'cpu_usage': dice.choice([0, 0, 0, 1, 2, size]) if shared else 0,
        'memory': memory, 'mempages': pages,
        'memory_usage': sum(page['used'] * page['size_kb'] for page in pages) // 1024 if paged else dice.choice([0, 0, 256, memory // 2, memory])}
    if chance(dice, 0.25):
        cell['network_metadata'] = {'physnets': some(dice, NETWORKS), 'tunneled': chance(dice, 0.4)}
    return cell


def draw_pages(dice, memory):
    """Small pages, and larger ones that take a part of the memory."""
    large = dice.choice([0, memory // 2, memory // 2])
    pages = [{'size_kb': 4, 'total': (memory - large) * 256, 'used': dice.choice([0, 0, (memory - large) * 128]), 'reserved': 0}]
    for size in some(dice, [2048, 1048576], 1) if large else []:
        total = large * 1024 // size
        pages.append({'size_kb': size, 'total': total, 'used': dice.choice([0, 0, total // 2]), 'reserved': dice.choice([0, 0, min(1, total)])})
    return pages


def draw_guest(dice, host):
    count = dice.choice([1, 1, 2, 2, min(3, len(host) + 1)])
    policy = draw_policy(dice, host)
    threads = dice.choice([None, None, 'prefer', 'isolate', 'require']) if policy in ('dedicated', 'mixed') else None
    page = dice.choice([None, None, None, 'small', 'large', 'any', 'any', 4, 2048, 1048576])
    alike = chance(dice, 0.6)
    cells = []
    for number in range(count):
        if number > 0 and alike:
            cells.append(cells[0])
            continue
        size = dice.choice([1, 1, 2, 2, 2, 3, 4])
        dedicated = {'dedicated': size, 'mixed': dice.randint(0 if count > 1 else 1, size)}.get(policy, 0)
        cells.append({
            'shared': size - dedicated, 'dedicated': dedicated, 'memoryMb': dice.choice([128, 256, 256, 512, 512, 1024, 1024, 2048, 1025]),
            'pageSize': page, 'policy': policy, 'threads': threads})
    networks = some(dice, [*NETWORKS, None]) if chance(dice, 0.3) else []
    return {'cells': cells, 'isolatesEmulator': policy in ('dedicated', 'mixed') and chance(dice, 0.25), 'networks': networks}


def draw_policy(dice, host):
    """Mostly one that the processors of the host allow."""
    if chance(dice, 0.1):
        return dice.choice(['dedicated', 'shared', 'mixed', None])
    if not host[0]['pcpuset']:
        return dice.choice(['shared', None])
    return dice.choice(['dedicated', 'dedicated', 'mixed', 'shared', None] if host[0]['cpuset'] else ['dedicated'])


def fit(given):
    host, guest = nova_host_of(given['host']), nova_guest_of(given['guest'])
    limits = limits_of(given)
    if 'requests' in given:
        nova_devices = device_parts.nova_devices_of(given['devices'])
        stats = device_parts.stats_of(host, given['devices'], nova_devices)
        devices = {'pci_requests': device_parts.nova_requests_of(given['requests']), 'pci_stats': stats}
        return {'fits': bool(fit_to_host(host, guest, limits, **devices))}
    placed = fit_to_host(host, guest, limits)
    if not placed:
        return {'fits': False}
    cells = [{
        'id': cell.id, 'pinned': sorted({*(cell.cpu_pinning or {}).values(), *(cell.cpuset_reserved or ())}),
        'pageKb': cell.pagesize if asked['pageSize'] else None} for cell, asked in zip(placed.cells, given['guest']['cells'])]
    # Nova can compute the usage only of hosts that count pages.
    after = {'after': usage_of(hardware.numa_usage_from_instance_numa(host, placed))} if given['host'][0]['mempages'] else {}
    return {'fits': True, 'cells': cells, **after}


def fit_to_host(host, guest, limits, **devices):
    return call(
        hardware.numa_fit_instance_to_host, host_topology=host, instance_topology=guest, limits=limits, provider_mapping={}, **devices)


def usage_of(host):
    return [{
        'pinned': sorted(cell.pinned_cpus), 'sharedUsed': cell.cpu_usage, 'memoryUsedMb': cell.memory_usage,
        'pagesUsed': [pages.used for pages in cell.mempages]} for cell in host.cells]


def limits_of(given):
    """The overcommit ratios of the host and the networks of the guest. Nova's scheduler always gives both."""
    networks = given['guest']['networks']
    if 'ratios' not in given and not networks:
        return None
    ratios = given.get('ratios', {'cpu': 1e9, 'ram': 1e9})
    metadata = objects.NetworkMetadata(physnets={name for name in networks if name}, tunneled=None in networks)
    limits = numa.NUMATopologyLimits(cpu_allocation_ratio=ratios['cpu'], ram_allocation_ratio=ratios['ram'])
    if networks:
        limits.network_metadata = metadata
    return limits


def nova_host_of(cells):
    def made(cell):
        sets = {name: set(cell[name]) for name in ('cpuset', 'pcpuset', 'pinned_cpus')}
        pages = [objects.NUMAPagesTopology(**page) for page in cell['mempages']]
        near = cell.get('network_metadata')
        metadata = {'network_metadata': objects.NetworkMetadata(physnets=set(near['physnets']), tunneled=near['tunneled'])} if near else {}
        return objects.NUMACell(**{**cell, **sets, 'siblings': [set(core) for core in cell['siblings']], 'mempages': pages, **metadata})
    return objects.NUMATopology(cells=[made(cell) for cell in cells])


def nova_guest_of(guest):
    cells, processor = [], 0
    for number, cell in enumerate(guest['cells']):
        shared = set(range(processor, processor + cell['shared']))
        processor += cell['shared']
        dedicated = set(range(processor, processor + cell['dedicated']))
        processor += cell['dedicated']
        cells.append(objects.InstanceNUMACell(
            id=number, cpuset=shared, pcpuset=dedicated, memory=cell['memoryMb'], pagesize=SIZES.get(cell['pageSize'], cell['pageSize']),
            cpu_policy=cell['policy'], cpu_thread_policy=cell['threads']))
    return objects.InstanceNUMATopology(cells=cells, emulator_threads_policy='isolate' if guest['isolatesEmulator'] else None)
