"""Flavors with images, ports, profiles, aliases and pre-filters, and the requests to Placement that Nova makes of them."""
import json
from urllib import parse

from nova import objects
from nova.accelerator import cyborg
from nova.compute import api as compute_api
from nova.network import neutron
from nova.objects import request_spec
from nova.pci import request as pci_request
from nova.scheduler import request_filter
from nova.scheduler import utils
from nova.virt import hardware

import flavor_parts
from nova_as_oracle import CONF, CONTEXT, answer

POLICIES = {None: 'LEGACY', 'required': 'REQUIRED', 'preferred': 'PREFERRED', 'legacy': 'LEGACY', 'socket': 'SOCKET'}
SWITCHES = {
    'imageType': 'query_placement_for_image_type_support',
    'imageMetadata': 'image_metadata_prefilter',
    'availabilityZone': 'query_placement_for_availability_zone',
    'projectAggregates': 'limit_tenants_to_placement_aggregate',
    'projectAggregateRequired': 'placement_aggregate_required_for_tenants',
    'isolatedAggregates': 'enable_isolated_aggregate_filtering',
}


def draw(dice):
    given = flavor_parts.draw(dice)
    return {**given, 'says': answer(lambda: translate(given))}


def translate(given):
    """As a boot does: the API checks flavor and image, then makes a RequestSpec, which the scheduler filters and turns into a query."""
    facts = given['facts']
    configure(facts)
    flavor = objects.Flavor(
        name='flavor', vcpus=given['flavor']['vcpus'], memory_mb=given['flavor']['memoryMb'], root_gb=given['flavor']['rootGb'],
        ephemeral_gb=given['flavor']['ephemeralGb'], swap=given['flavor']['swapMb'], extra_specs=dict(given['flavor']['extraSpecs']))
    image = {
        'id': '3f2a1c9e-5d4b-4c3a-8b2a-1f0e9d8c7b6a', 'name': 'image', 'disk_format': facts.get('imageDiskFormat', 'qcow2'),
        'properties': dict(facts['imageProperties'])}
    compute_api.API._validate_flavor_image_numa_pci(dict(image, properties=dict(image['properties'])), flavor, True, True)
    meta = objects.ImageMeta.from_dict(image)
    topology = hardware.numa_get_constraints(flavor, meta)
    policy = hardware.get_pci_numa_policy_constraint(flavor, meta)
    devices = pci_request.get_pci_requests_from_flavor(flavor, affinity_policy=policy)
    groups, level = requested_by_others(given)
    spec = objects.RequestSpec(
        flavor=flavor, image=meta, is_bfv=facts.get('bootedFromVolume', False), project_id=facts.get('prefilters', {}).get('project'),
        availability_zone=facts.get('prefilters', {}).get('availabilityZone'), requested_resources=groups, request_level_params=level,
        requested_networks=objects.NetworkRequestList(
            objects=[objects.NetworkRequest(port_id=port['port']) for port in facts.get('ports', [])]),
        numa_topology=topology, pci_requests=devices, requested_destination=None)
    request_filter.process_reqspec(CONTEXT, spec)
    request = utils.resources_from_request_spec(CONTEXT, spec, None)
    says = {'request': readable(request)}
    if request.cpu_pinning_requested:
        says['fallback'] = readable(utils.resources_from_request_spec(CONTEXT, spec, None, enable_pinning_translate=False))
    if topology:
        says['guest'] = guest_of(topology)
    if devices.requests:
        says['devices'] = [
            {'count': one.count, 'numaPolicy': POLICIES[one.numa_policy], 'alternatives': one.spec} for one in devices.requests]
    return says


def configure(facts):
    prefilters = facts.get('prefilters', {})
    for field, option in SWITCHES.items():
        # Later releases have no switch for zones.
        if option in CONF.scheduler:
            CONF.set_override(option, bool(prefilters.get(field)), group='scheduler')
    CONF.set_override('alias', [json.dumps(alias_of(alias)) for alias in facts['pciPassthrough']['aliases']], group='pci')
    for old in objects.AggregateList.get_all(CONTEXT):
        old.destroy()
    for aggregate in prefilters.get('hostAggregates', []):
        metadata = {entry['key']: entry['value'] for entry in aggregate['metadata']}
        objects.Aggregate(CONTEXT, uuid=aggregate['aggregate'], name=aggregate['aggregate'], metadata=metadata).create()
    managed = {port['port'] for port in facts.get('ports', []) if port.get('remoteManaged')}
    neutron.API.is_remote_managed_port = lambda _api, _context, port: port in managed


def alias_of(alias):
    names = {'vendorId': 'vendor_id', 'productId': 'product_id', 'deviceType': 'device_type'}
    spec = {names.get(key, key): value for key, value in alias.items() if key != 'numaPolicy'}
    return {**spec, **({'numa_policy': alias['numaPolicy'].lower()} if 'numaPolicy' in alias else {})}


def requested_by_others(given):
    """The groups of device profiles and ports."""
    client = cyborg._CyborgClient.__new__(cyborg._CyborgClient)
    profile_of = lambda groups: [{entry['key']: entry['value'] for entry in group['properties']} for group in groups]  # noqa: E731
    facts = given['facts']
    groups, level = [], objects.RequestLevelParams()
    if 'deviceProfile' in facts:
        groups += client.get_device_request_groups(profile_of(facts['deviceProfile']), None)
    for port in facts.get('ports', []):
        if 'deviceProfile' in port:
            groups += client.get_device_request_groups(profile_of(port['deviceProfile']), port['port'])
        if 'resourceRequest' in port:
            request = json.loads(port['resourceRequest'])
            if request and 'request_groups' in request:
                groups += request_spec.RequestGroup.from_extended_port_request(None, request)
                level.extend_with(objects.RequestLevelParams.from_port_request(request))
            elif request:
                groups.append(request_spec.RequestGroup.from_port_request(None, port['port'], request))
    return groups, level


def readable(request):
    """The query string in plain letters; its limit is a setting."""
    return '&'.join(part for part in parse.unquote(request.to_querystring()).split('&') if not part.startswith('limit='))


def guest_of(topology):
    cells = [{
        'shared': len(cell.cpuset), 'dedicated': len(cell.pcpuset), 'memoryMb': cell.memory, 'pageSize': page_size(cell.pagesize),
        'policy': cell.cpu_policy, 'threads': cell.cpu_thread_policy} for cell in topology.cells]
    return {'cells': cells, 'isolatesEmulator': topology.emulator_threads_isolated}


def page_size(number):
    return {hardware.MEMPAGES_SMALL: 'small', hardware.MEMPAGES_LARGE: 'large', hardware.MEMPAGES_ANY: 'any'}.get(number, number)
