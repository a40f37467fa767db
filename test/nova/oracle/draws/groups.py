"""Server groups: which hosts may take one more member beside those that they have."""
from nova import objects
from nova.scheduler import host_manager
from nova.scheduler.filters import affinity_filter

from nova_as_oracle import answer, chance, uuid_of

POLICIES = ['affinity', 'affinity', 'anti-affinity', 'anti-affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity', None]
FILTERS = [affinity_filter.ServerGroupAffinityFilter, affinity_filter.ServerGroupAntiAffinityFilter]


def draw(dice):
    hosts = [[uuid_of(dice) for _ in range(dice.choice([0, 0, 1, 2, 3]))] for _ in range(dice.randint(1, 5))]
    members = [instance for host in hosts for instance in host if chance(dice, 0.5)]
    # Members may have no host yet.
    members += [uuid_of(dice) for _ in range(dice.choice([0, 0, 1]))]
    group = draw_group(dice, hosts, members)
    given = {'group': group.obj_to_primitive(f'1.{dice.choice([6, 9, 10, 11, 11, 11])}'), 'hosts': hosts}
    return {**given, 'says': answer(lambda: {'hosts': [number for number, host in enumerate(hosts) if admits(group, number, host)]})}


def draw_group(dice, hosts, members):
    policy = dice.choice(POLICIES)
    rules = {'max_server_per_host': str(dice.randint(1, 3))} if policy == 'anti-affinity' and chance(dice, 0.5) else {}
    return objects.InstanceGroup(
        uuid=uuid_of(dice), name='group', policy=policy, policies=[policy] if policy else [], members=members, rules=rules,
        hosts=[f'host{number}' for number, host in enumerate(hosts) if set(host) & set(members)])


def admits(group, number, instances):
    state = host_manager.HostState(f'host{number}', f'node{number}', None)
    state.instances = dict.fromkeys(instances)
    spec = objects.RequestSpec(instance_group=group, instance_uuid='5b0e7c1d-2f3a-4b5c-8d6e-7f8091a2b3c4')
    return all(kind().host_passes(state, spec) for kind in FILTERS)
