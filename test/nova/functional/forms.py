"""What Nova's report client handles, as GraphQL names it: selections, inputs, and answers in the form of Nova."""
from keystoneauth1 import exceptions as ks_exc

PROVIDER = ('uuid name generation parent {uuid} root {uuid} traitNames aggregates {uuid}'
            ' inventories {resourceClass {name} total reserved minUnit maxUnit stepSize allocationRatio}')
CONSUMER = ('uuid generation project {externalId} user {externalId}'
            ' allocations {amount resourceClass {name} resourceProvider {uuid generation}}')
CANDIDATE = ('root {uuid} allocations {amount resourceClass {name} resourceProvider {uuid}}'
             ' mappings {suffix resourceProviders {uuid}}')
REFUSAL = 'userErrors {code message path ... on InUse {noun key} ... on ProviderConflict {expected}}'
FIELDS = {'total': 'total', 'reserved': 'reserved', 'min_unit': 'minUnit', 'max_unit': 'maxUnit', 'step_size': 'stepSize',
          'allocation_ratio': 'allocationRatio'}
CODES = {'CONSUMER_CONFLICT': 'placement.concurrent_update', 'PROVIDER_CONFLICT': 'placement.concurrent_update',
         'IN_USE': 'placement.inventory.inuse'}


class Answer:
    """What Nova's code reads of a response."""

    def __init__(self, errors=(), body=None):
        self.status_code = 409 if errors else 204
        self.body = body or {'errors': [
            {'code': CODES.get(error['code'], error['code']), 'detail': (
                'consumer generation conflict: ' if error['code'] == 'CONSUMER_CONFLICT' else '') + error['message']} for error in errors]}
        self.text = str(self.body)

    def __bool__(self):
        return self.status_code < 400

    def json(self):
        return self.body


class Refused(ks_exc.ClientException):
    """An answer without data."""


class Malformed(Refused):
    """Refused before it ran, such as a total that is missing."""

    @property
    def problems(self):
        return [problem for error in self.message for problem in error['extensions'].get('problems', [])]


def inventories_of(provider):
    return {inventory['resourceClass']['name']: {ours: inventory[theirs] for ours, theirs in FIELDS.items()}
            for inventory in provider['inventories']}


def inventory_inputs(inventories):
    return [{'resourceClass': name, **{FIELDS[field]: value for field, value in inventory.items()}}
            for name, inventory in (inventories or {}).items()]


def allocations_of(held):
    allocations = {}
    for part in held:
        provider = allocations.setdefault(part['resourceProvider']['uuid'], {'resources': {}})
        if 'generation' in part['resourceProvider']:
            provider['generation'] = part['resourceProvider']['generation']
        provider['resources'][part['resourceClass']['name']] = part['amount']
    return allocations


def amounts(resources):
    return [{'resourceClass': name, 'amount': amount} for name, amount in resources.items()]


def consumer_input(uuid, payload):
    generation = payload.get('consumer_generation')
    return {'consumer': uuid, 'expect': {'isNew': True} if generation is None else {'generation': generation},
            'project': payload.get('project_id'), 'user': payload.get('user_id'),
            'hold': {'allocations': [{'resourceProvider': provider, 'resources': amounts(held['resources'])}
                                     for provider, held in payload['allocations'].items()]}}


def consumers_of(allocations):
    return [consumer_input(uuid, record) for uuid, record in (allocations or {}).items()]


def record_of(consumer):
    if consumer is None:
        return {'allocations': {}}
    return {'allocations': allocations_of(consumer['allocations']), 'consumer_generation': consumer['generation'],
            'project_id': consumer['project']['externalId'], 'user_id': consumer['user']['externalId']}


def condition(required, forbidden):
    """Of a list of conditions; an empty one is refused."""
    return [{how: sorted(names) for how, names in (('allOf', required), ('noneOf', forbidden)) if names}] if required or forbidden else []


def group_input(suffix, group):
    return {'suffix': suffix or None, 'resources': amounts(group.resources) or None,
            'traits': condition(group.required_traits, group.forbidden_traits),
            'aggregates': [{'anyOf': list(some)} for some in group.aggregates] + condition([], group.forbidden_aggregates),
            'inTrees': [group.in_tree] if group.in_tree else None}


def candidates_input(request):
    """A ResourceRequest of Nova. It may be unlimited, which a search never is."""
    return {'groups': [group_input(suffix, group) for suffix, group in request._rg_by_id.items() if group.to_queryparams()],
            'groupPolicy': (request._group_policy or 'none').upper(),
            'rootTraits': condition(request._root_required, request._root_forbidden),
            'sameSubtree': [{'suffixes': sorted(suffixes)} for suffixes in request._same_subtree],
            'limit': min(request._limit or 1000, 1000)}


def candidate_of(candidate):
    return {'allocations': allocations_of(candidate['allocations']), 'mappings': {
        mapping['suffix'] or '': [provider['uuid'] for provider in mapping['resourceProviders']] for mapping in candidate['mappings']}}


def described(provider):
    """A provider as REST describes it."""
    return provider and dict(provider, parent_provider_uuid=provider['parent'] and provider['parent']['uuid'],
                             root_provider_uuid=provider['root']['uuid'])


def aggregates_of(provider):
    return {aggregate['uuid'] for aggregate in provider['aggregates']}
