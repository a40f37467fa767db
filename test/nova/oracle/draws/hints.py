"""The hint build_near_host_ip: whether the address of a host is in the network of the hint."""
from nova import objects
from nova.scheduler import host_manager
from nova.scheduler.filters import affinity_filter

from nova_as_oracle import answer, chance

JUNK = ['', 'x', '10.0.0', '10.0.0.300', 'fe80::1::2']


def draw(dice):
    hints = {'build_near_host_ip': [address(dice) if chance(dice, 0.9) else dice.choice(JUNK)]}
    if chance(dice, 0.7):
        hints['cidr'] = [dice.choice(['/8', '/16', '/24', '/30', '/31', '/32', '/0', '/64', '/129', '24', '', '/x'])]
    given = {'hints': hints, 'hostIp': address(dice)}
    return {**given, 'says': answer(lambda: {'near': is_near(given)})}


def address(dice):
    if chance(dice, 0.2):
        return f'fd00::{dice.randint(0, 1)}:{dice.randint(1, 9)}'
    return f'10.{dice.randint(0, 1)}.{dice.randint(0, 1)}.{dice.randint(0, 7)}'


def is_near(given):
    state = host_manager.HostState('host', 'node', None)
    state.host_ip = given['hostIp']
    return affinity_filter.SimpleCIDRAffinityFilter().host_passes(state, objects.RequestSpec(scheduler_hints=given['hints']))
