"""Draws the PCI devices of a host, some of them claimed, and requests for such devices."""
from nova import objects
from nova.pci import stats

from nova_as_oracle import chance, some, uuid_of

VENDORS = ['8086', '15b3']
PRODUCTS = ['10fb', 'A2D6']
NETWORKS = ['physnet1', 'physnet2', 'PhysNet1']
POLICIES = ['REQUIRED', 'LEGACY', 'PREFERRED', 'SOCKET']


class Tagged:
    """Takes the place of the operator's device specifications: each device has tags of its own."""

    def __init__(self, tags):
        self.tags = tags

    def get_devspec(self, device):
        return Tagged(self.tags[device.address])

    def get_tags(self):
        return self.tags


def draw_devices(dice, cells):
    """Cards with their functions; a card that serves only its functions is not listed itself."""
    devices = []
    for bus in range(dice.randint(1, 4)):
        kind = dice.choice(['whole', 'card', 'card with functions', 'card with functions', 'functions', 'vdpa'])
        card = f'0000:8{bus}:00.0'
        common = {'vendorId': dice.choice(VENDORS), 'productId': dice.choice(PRODUCTS), 'numaNode': dice.choice([None, *cells, *cells])}
        tags = draw_tags(dice)
        if kind in ('whole', 'card', 'card with functions'):
            devices.append({'address': card, 'devType': 'type-PCI' if kind == 'whole' else 'type-PF', **common, **tags})
        if kind in ('card with functions', 'functions', 'vdpa'):
            for function in range(1, dice.randint(2, 5)):
                own = {'address': f'0000:8{bus}:00.{function}', 'parentAddress': card, 'devType': 'vdpa' if kind == 'vdpa' else 'type-VF'}
                devices.append({**own, **common, **(tags if chance(dice, 0.9) else draw_tags(dice))})
    return devices


def draw_tags(dice):
    tags = {}
    if chance(dice, 0.35):
        tags['physical_network'] = dice.choice(NETWORKS)
    if chance(dice, 0.2):
        tags['remote_managed'] = dice.choice(['true', 'True', 'false'])
    if chance(dice, 0.15):
        tags['trusted'] = 'true'
    return {'tags': tags} if tags else {}


def draw_requests(dice, devices):
    """Most are for devices that the host has, as the others could never be served."""
    requests = []
    for _ in range(dice.choice([1, 1, 2, 3])):
        specs = [spec_for(dice, dice.choice(devices)) for _ in range(dice.choice([1, 1, 1, 2]))]
        policy = {'numaPolicy': dice.choice(POLICIES)} if chance(dice, 0.7) else {}
        requests.append({'count': dice.choice([1, 1, 1, 2, 3]), 'alternatives': specs, **policy})
    return requests


def spec_for(dice, device):
    known = {'vendor_id': device['vendorId'], 'product_id': device['productId'], 'dev_type': device['devType'], **device.get('tags', {})}
    spec = {name: known[name] for name in some(dice, known, 1)}
    if chance(dice, 0.15):
        spec[dice.choice(['physical_network', 'remote_managed', 'dev_type'])] = dice.choice([*NETWORKS, 'true', 'type-VF'])
    return spec


def claim_some(dice, nova_devices):
    """What Nova's tracker does for instances: the card of a claimed function is no longer free, nor are the functions of a claimed card."""
    for device in nova_devices:
        if device.is_available() and chance(dice, 0.15):
            device.claim(uuid_of(dice))


def nova_devices_of(devices):
    made = {}
    for device in devices:
        made[device['address']] = objects.PciDevice(
            address=device['address'], vendor_id=device['vendorId'], product_id=device['productId'], dev_type=device['devType'],
            numa_node=device['numaNode'], parent_addr=device.get('parentAddress'), status='available', extra_info={}, compute_node_id=1)
    for device in made.values():
        device.parent_device = made.get(device.parent_addr)
        device.child_devices = [each for each in made.values() if each.parent_addr == device.address]
    return list(made.values())


def stats_of(topology, devices, nova_devices):
    tracked = stats.PciDeviceStats(topology, dev_filter=Tagged({device['address']: device.get('tags', {}) for device in devices}))
    for device in nova_devices:
        if device.is_available():
            tracked.add_device(device)
    return tracked


def nova_requests_of(requests):
    return [objects.InstancePCIRequest(
        count=request['count'], spec=request['alternatives'], numa_policy=request.get('numaPolicy', '').lower() or None)
        for request in requests]
