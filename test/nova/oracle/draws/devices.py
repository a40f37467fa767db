"""Whether the PCI devices of a host can serve requests, near the cells of an instance."""
from nova import objects

import device_parts
from nova_as_oracle import answer, call, chance, some


def draw(dice):
    sockets = draw_sockets(dice)
    devices = device_parts.draw_devices(dice, list(range(len(sockets))))
    nova_devices = device_parts.nova_devices_of(devices)
    if chance(dice, 0.5):
        device_parts.claim_some(dice, nova_devices)
    listed = [{**given, **({} if made.is_available() else {'status': made.status})} for given, made in zip(devices, nova_devices)]
    near = some(dice, range(len(sockets)), 1, 2) if chance(dice, 0.7) else []
    given = {'sockets': sockets, 'devices': listed, 'near': near, 'requests': device_parts.draw_requests(dice, devices)}
    return {**given, 'says': answer(lambda: serve(given, nova_devices))}


def draw_sockets(dice):
    """The socket of each cell of the host; a host knows all of them or none."""
    cells = dice.choice([1, 2, 2, 2, 4])
    return [None] * cells if chance(dice, 0.15) else [cell * dice.choice([1, 2]) // cells for cell in range(cells)]


def serve(given, nova_devices):
    topology = objects.NUMATopology(cells=[objects.NUMACell(id=cell, socket=socket) for cell, socket in enumerate(given['sockets'])])
    stats = device_parts.stats_of(topology, given['devices'], nova_devices)
    near = [objects.InstanceNUMACell(id=cell) for cell in given['near']]
    requests = device_parts.nova_requests_of(given['requests'])
    return {'served': call(stats.support_requests, requests=requests, numa_cells=near, provider_mapping={})}
