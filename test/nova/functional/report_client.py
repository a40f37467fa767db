"""SchedulerReportClient, the only way from Nova's services to Placement, over the GraphQL of this gateway.

What is not overridden (retries, doubling for evacuations, the cache of the provider tree, quotas) is Nova's own code.
"""
import copy
import time

from keystoneauth1 import exceptions as ks_exc
from nova import exception
from nova.scheduler.client import report

import forms


class GraphQLReportClient(report.SchedulerReportClient):

    def _ask(self, request_id, document, **variables):
        response = self.post('/graphql', {'query': document, 'variables': variables}, global_request_id=request_id)
        answer = response.json()
        if answer.get('errors'):
            raise (forms.Malformed if response.status_code == 400 else forms.Refused)(answer['errors'])
        return answer['data']

    def _write(self, request_id, mutation, selection='', **value):
        """The payload; what GraphQL itself refuses as malformed is among its `userErrors`."""
        try:
            return self._ask(request_id, 'mutation($input: %sInput!) {%s(input: $input) {%s %s}}' % (
                mutation[0].upper() + mutation[1:], mutation, forms.REFUSAL, selection), input=value)[mutation]
        except forms.Malformed as malformed:
            return {'userErrors': malformed.problems}

    def _list(self, context, field, selection, **filter):
        nodes, after, more = [], None, True
        while more:
            page = self._ask(context.global_id, 'query($filter: %sFilterInput, $after: String) {page: %s(first: 1000, filter: $filter, after: $after)'
                             ' {pageInfo {hasNextPage endCursor} nodes {%s}}}' % (field[0].upper() + field[1:-1], field, selection),
                             filter=filter, after=after)['page']
            nodes, after, more = nodes + page['nodes'], page['pageInfo']['endCursor'], page['pageInfo']['hasNextPage']
        return nodes

    # Reads of providers

    def _read(self, context, **key):
        data = self._ask(context.global_id, 'query($uuid: UUID, $name: String) {resourceProvider(uuid: $uuid, name: $name) {%s}}' % forms.PROVIDER, **key)
        return data['resourceProvider']

    @report.safe_connect
    def _get_resource_provider(self, context, uuid):
        return forms.described(self._read(context, uuid=uuid))

    def get_provider_by_name(self, context, name):
        try:
            provider = forms.described(self._read(context, name=name))
        except ks_exc.ClientException:
            raise exception.PlacementAPIConnectFailure()
        if provider is None:
            raise exception.ResourceProviderNotFound(name_or_uuid=name)
        return provider

    def get_providers_in_tree(self, context, uuid):
        return [forms.described(provider) for provider in self._list(context, 'resourceProviders', forms.PROVIDER, inTrees=[uuid])]

    @report.safe_connect
    def _get_sharing_providers(self, context, agg_uuids):
        return agg_uuids and self._list(context, 'resourceProviders', forms.PROVIDER, isSharing=True, aggregates=[{'anyOf': list(agg_uuids)}])

    def _get_inventory(self, context, rp_uuid):
        provider = self._read(context, uuid=rp_uuid)
        return provider and {'inventories': forms.inventories_of(provider), 'resource_provider_generation': provider['generation']}

    @report.safe_connect
    def _get_provider_aggregates(self, context, rp_uuid):
        provider = self._read(context, uuid=rp_uuid)
        if provider is None:
            raise exception.ResourceProviderAggregateRetrievalFailed(uuid=rp_uuid)
        return report.AggInfo(forms.aggregates_of(provider), provider['generation'])

    def get_provider_traits(self, context, rp_uuid):
        provider = self._read(context, uuid=rp_uuid)
        if provider is None:
            raise exception.ResourceProviderTraitRetrievalFailed(uuid=rp_uuid)
        return report.TraitInfo(set(provider['traitNames']), provider['generation'])

    # The provider tree

    def _keep(self, providers, whole=True):
        """Takes fresh providers into the cache: `whole` trees, parents first, or what known providers have."""
        if whole:
            self._provider_tree.populate_from_iterable([forms.described(provider) for provider in providers])
        for provider in providers:
            uuid, generation = provider['uuid'], provider['generation']
            self._provider_tree.update_inventory(uuid, forms.inventories_of(provider), generation=generation)
            self._provider_tree.update_aggregates(uuid, forms.aggregates_of(provider), generation=generation)
            self._provider_tree.update_traits(uuid, provider['traitNames'], generation=generation)
            self._association_refresh_time[uuid] = time.time()

    def _load(self, context, uuid):
        """Whether there is such a tree; the cache then has all of it, and the providers that share with it."""
        data = self._ask(context.global_id, 'query($uuid: UUID!) {resourceProvider(uuid: $uuid) {root {%s descendants {%s}}}}' % (
            forms.PROVIDER, forms.PROVIDER), uuid=uuid)['resourceProvider']
        if data is None:
            return False
        tree = [data['root'], *data['root']['descendants']]
        self._keep(tree)
        sharing = self._get_sharing_providers(context, {aggregate for provider in tree for aggregate in forms.aggregates_of(provider)})
        self._keep([dict(provider, parent=None) for provider in sharing if not self._provider_tree.exists(provider['uuid'])])
        self._keep(sharing, whole=False)
        return True

    def _ensure_resource_provider(self, context, uuid, name=None, parent_provider_uuid=None):
        known = self._provider_tree.exists(uuid) and self._provider_tree.get_provider_uuids(uuid)
        if known and not any(self._associations_stale(one) for one in known):
            return uuid
        if not self._load(context, uuid):
            made = self._write(context.global_id, 'createResourceProvider', 'resourceProvider {%s}' % forms.PROVIDER,
                               uuid=uuid, name=name or uuid, parent=parent_provider_uuid)
            if made['resourceProvider']:
                self._keep([made['resourceProvider']])
            elif not self._load(context, uuid):
                raise exception.ResourceProviderCreationFailed(name=name or uuid)
        return uuid

    def _desired(self, new_tree, root):
        """What changes in one tree, with the ancestors of what changes."""
        desired, needed = [], set()
        for uuid in reversed(new_tree.get_provider_uuids(root)):
            data, known = new_tree.data(uuid), self._provider_tree.exists(uuid)
            parts = {}
            if not known or self._provider_tree.has_inventory_changed(uuid, data.inventory):
                parts['inventories'] = forms.inventory_inputs(data.inventory)
            if not known or self._provider_tree.have_aggregates_changed(uuid, data.aggregates):
                parts['aggregates'] = list(data.aggregates)
            if not known or self._provider_tree.have_traits_changed(uuid, data.traits):
                parts['traits'] = list(data.traits)
            if parts and known:
                parts['expect'] = {'generation': self._provider_tree.data(uuid).generation}
            if parts or uuid in needed:
                needed.add(data.parent_uuid)
                desired.append(dict(parts, uuid=uuid, name=data.name, parentName=data.parent_uuid and new_tree.data(data.parent_uuid).name))
        return desired[::-1]

    def _apply(self, context, root, desired, removed=(), consumers=()):
        """Writes one tree in one transaction and keeps what it has become, or returns what is wrong."""
        answer = self._write(context.global_id, 'applyProviderTree', 'root {%s descendants {%s}}' % (forms.PROVIDER, forms.PROVIDER), root=root,
                             resourceProviders=desired, removed=list(removed), consumers=list(consumers))
        if not answer['userErrors']:
            for uuid in removed:
                self.invalidate_resource_provider(uuid)
            self._keep([answer['root'], *answer['root']['descendants']])
        return answer['userErrors']

    def _changes(self, new_tree):
        """What each tree of `new_tree` needs, by its root: what is desired, and what is removed."""
        changes = {}
        for root in (provider.uuid for provider in new_tree.roots):
            removed = [uuid for uuid in self._provider_tree.get_provider_uuids(root) if not new_tree.exists(uuid)] if (
                self._provider_tree.exists(root)) else []
            desired = self._desired(new_tree, root)
            if removed and not desired:
                desired = [{'uuid': root, 'name': new_tree.data(root).name}]
            if desired:
                changes[root] = desired, removed
        return changes

    def update_from_provider_tree(self, context, new_tree, allocations=None):
        for root in new_tree.roots:
            if not self._provider_tree.exists(root.uuid):
                self._load(context, root.uuid)
        changes = self._changes(new_tree)
        reshaped = allocations
        if allocations is not None and len(changes) != 1:
            self._reshape_trees(context, new_tree, allocations)
            changes, reshaped = self._changes(new_tree), None
        for root, (desired, removed) in changes.items():
            errors = self._apply(context, root, desired, removed, forms.consumers_of(reshaped))
            if errors:
                self._clear_provider_cache_for_tree(root)
                raise self._failure(errors, root, reshaped is not None)
        if allocations is not None:
            for root in new_tree.roots:  # allocations change the generations of all their providers
                self._load(context, root.uuid)
        for uuid in reversed(self._provider_tree.get_provider_uuids()):
            if not new_tree.exists(uuid):
                try:
                    self._delete_provider(uuid, context.global_id)
                except exception.ResourceProviderInUse:
                    self._clear_provider_cache_for_tree(uuid)
                    raise exception.ResourceProviderSyncFailed()

    def _reshape_trees(self, context, new_tree, allocations):
        """Allocations that move between trees, with sharing providers: as Nova does it, in three steps."""
        old_tree = copy.deepcopy(self._provider_tree)
        for uuid in new_tree.get_provider_uuids():
            data = new_tree.data(uuid)
            if not self._provider_tree.exists(uuid):
                self._ensure_resource_provider(context, uuid, data.name, data.parent_uuid)
                new_tree.update_inventory(uuid, data.inventory, generation=self._provider_tree.data(uuid).generation)
        try:
            self._set_up_and_do_reshape(context, old_tree, new_tree, allocations)
        except exception.PlacementReshapeConflict:
            self.clear_provider_cache()
            raise
        for root in new_tree.roots:
            self._load(context, root.uuid)

    def _reshape(self, context, inventories, allocations):
        self._ensure_resource_classes(context, {name for given in inventories.values() for name in given['inventories']})
        errors = self._write(context.global_id, 'reshape', consumers=forms.consumers_of(allocations), resourceProviders=[
            {'resourceProvider': uuid, 'expect': {'generation': given['resource_provider_generation']},
             'inventories': forms.inventory_inputs(given['inventories'])} for uuid, given in inventories.items()])['userErrors']
        if errors:
            raise self._failure(errors, None, True)
        return forms.Answer()

    def _ensure_resource_classes(self, context, names):
        for name in names:
            if name.startswith('CUSTOM_'):
                errors = self._write(context.global_id, 'createResourceClass', name=name)['userErrors']
                if errors and errors[0]['code'] != 'DUPLICATE':
                    raise exception.InvalidResourceClass(resource_class=name)

    @staticmethod
    def _failure(errors, uuid, reshape=False):
        text, conflict = forms.Answer(errors).text, forms.CODES.get(errors[0]['code']) == 'placement.concurrent_update'
        if reshape:
            return (exception.PlacementReshapeConflict if conflict else exception.ReshapeFailed)(error=text)
        if errors[0].get('noun') == 'INVENTORY' and errors[0]['code'] == 'IN_USE':
            return exception.InventoryInUse('There was a conflict when trying to complete your request.\n\n '
                                            "update conflict: Inventory for '%s' on resource provider '%s' in use." % (errors[0]['key'], uuid))
        if conflict:
            return exception.ResourceProviderUpdateConflict(uuid=uuid, generation=errors[0].get('expected') or 0, error=text)
        return exception.ResourceProviderSyncFailed()

    def _set(self, context, uuid, parts, generation=None):
        """Parts of one provider. Names that do not exist yet are created, so it is named with its ancestors."""
        data = self._provider_tree.data(uuid)
        desired = [dict(parts, uuid=uuid, name=data.name, expect={'generation': data.generation if generation is None else generation})]
        while data.parent_uuid:
            data = self._provider_tree.data(data.parent_uuid)
            desired[0]['parentName'] = data.name
            desired.insert(0, {'uuid': data.uuid, 'name': data.name})
        errors = self._apply(context, data.uuid, desired)
        if not errors:
            return
        error = errors[0]
        if 'resourceClass' in error['path']:
            raise exception.InvalidResourceClass(resource_class=error['message'])
        if error['code'] in ('IN_USE', 'PROVIDER_CONFLICT'):
            raise self._failure(errors, uuid)
        raise exception.ResourceProviderUpdateFailed(url=uuid, error=error['message'])

    def set_inventory_for_provider(self, context, rp_uuid, inv_data):
        if self._provider_tree.has_inventory_changed(rp_uuid, inv_data):
            self._set(context, rp_uuid, {'inventories': forms.inventory_inputs(inv_data)})

    @report.safe_connect
    def set_traits_for_provider(self, context, rp_uuid, traits, generation=None):
        if self._provider_tree.have_traits_changed(rp_uuid, traits):
            self._set(context, rp_uuid, {'traits': list(traits or [])}, generation)

    @report.safe_connect
    def set_aggregates_for_provider(self, context, rp_uuid, aggregates, use_cache=True, generation=None):
        known = self._provider_tree.exists(rp_uuid)
        if use_cache and not self._provider_tree.have_aggregates_changed(rp_uuid, aggregates):
            return
        answer = self._write(context.global_id, 'replaceAggregates', 'resourceProvider {%s}' % forms.PROVIDER, resourceProvider=rp_uuid,
                             aggregates=list(aggregates or []),
                             expect={'generation': self._provider_tree.data(rp_uuid).generation if generation is None else generation})
        if answer['userErrors']:
            self.invalidate_resource_provider(rp_uuid)
            raise self._failure(answer['userErrors'], rp_uuid)
        if known:
            self._keep([answer['resourceProvider']], whole=False)

    def _delete_provider(self, rp_uuid, global_request_id=None):
        errors = self._write(global_request_id, 'deleteResourceProvider', resourceProvider=rp_uuid, expect={'unchecked': True})['userErrors']
        if errors and errors[0]['code'] != 'NOT_FOUND':
            raise exception.ResourceProviderInUse()
        self.invalidate_resource_provider(rp_uuid)

    # Candidates and allocations

    @report.safe_connect
    def get_allocation_candidates(self, context, resources):
        try:
            found = self._ask(context.global_id, 'query($input: CandidatesInput!) {allocationCandidates(input: $input) {candidates {%s}}}' % (
                forms.CANDIDATE), input=forms.candidates_input(resources))['allocationCandidates']['candidates']
        except forms.Refused as refused:
            report.LOG.error('No allocation candidates for %s: %s', resources, refused)
            return None, None, None
        requests = [forms.candidate_of(candidate) for candidate in found]
        # Nova reads only whose summaries there are.
        summaries = {uuid: {} for candidate, request in zip(found, requests) for uuid in (candidate['root']['uuid'], *request['allocations'])}
        return requests, summaries, report.SAME_SUBTREE_VERSION

    def get_allocs_for_consumer(self, context, consumer):
        try:
            return forms.record_of(self._ask(context.global_id, 'query($uuid: UUID!) {consumer(uuid: $uuid) {%s}}' % forms.CONSUMER, uuid=consumer)['consumer'])
        except forms.Refused as refused:
            raise exception.ConsumerAllocationRetrievalFailed(consumer_uuid=consumer, error=str(refused))

    @report.safe_connect
    def claim_resources(self, context, consumer_uuid, alloc_request, project_id, user_id, allocation_request_version, consumer_generation=None):
        current = self.get_allocs_for_consumer(context, consumer_uuid)
        if current['allocations']:
            consumer_generation = alloc_request.get('consumer_generation', current['consumer_generation'])
            alloc_request = report._move_operation_alloc_request(current['allocations'], alloc_request)
        answer = self._put_allocations(context, consumer_uuid, {
            'allocations': alloc_request['allocations'], 'project_id': project_id, 'user_id': user_id, 'consumer_generation': consumer_generation})
        if 'consumer generation conflict' in answer.text:
            raise exception.AllocationUpdateFailed(consumer_uuid=consumer_uuid, error=answer.text)
        return bool(answer)

    def _put_allocations(self, context, consumer_uuid, payload, version=None):
        return forms.Answer(self._write(context.global_id, 'replaceAllocations', consumers=[forms.consumer_input(consumer_uuid, payload)])['userErrors'])

    @report.safe_connect
    def move_allocations(self, context, source_consumer_uuid, target_consumer_uuid):
        now = self._ask(context.global_id, 'query($source: UUID!, $target: UUID!) {source: consumer(uuid: $source) {generation}'
                        ' target: consumer(uuid: $target) {generation}}', source=source_consumer_uuid, target=target_consumer_uuid)
        if not now['source']:
            return bool(now['target'])  # moved already
        errors = self._write(context.global_id, 'replaceAllocations', consumers=[
            {'consumer': source_consumer_uuid, 'expect': now['source'], 'hold': {'allocations': []}},
            {'consumer': target_consumer_uuid, 'expect': now['target'] or {'isNew': True}, 'hold': {'takeFrom': source_consumer_uuid}}])['userErrors']
        if errors and errors[0]['code'] == 'CONSUMER_CONFLICT':
            raise exception.AllocationMoveFailed(source_consumer=source_consumer_uuid, target_consumer=target_consumer_uuid, error=str(errors))
        return not errors

    @report.safe_connect
    def delete_allocation_for_instance(self, context, uuid, consumer_type='instance', force=False):
        """One write whatever `force` is: nothing can change between a read and it."""
        answer = self._write(context.global_id, 'releaseAllocations', 'releasedConsumerUuids', consumers=[
            {'consumer': uuid, 'expect': {'unchecked': True}}])
        if answer['userErrors']:
            raise exception.AllocationDeleteFailed(consumer_uuid=uuid, error=str(answer['userErrors']))
        return bool(answer['releasedConsumerUuids'])

    def get_allocations_for_resource_provider(self, context, rp_uuid):
        held, page = {}, {'hasNextPage': True, 'endCursor': None}
        while page['hasNextPage']:
            provider = self._ask(context.global_id, 'query($uuid: UUID!, $after: String) {resourceProvider(uuid: $uuid)'
                                 ' {heldHere(first: 1000, after: $after) {pageInfo {hasNextPage endCursor} nodes'
                                 ' {amount resourceClass {name} consumer {uuid}}}}}', uuid=rp_uuid, after=page['endCursor'])['resourceProvider']
            if provider is None:
                raise exception.ResourceProviderAllocationRetrievalFailed(rp_uuid=rp_uuid, error='there is no such provider')
            for part in provider['heldHere']['nodes']:
                held.setdefault(part['consumer']['uuid'], {'resources': {}})['resources'][part['resourceClass']['name']] = part['amount']
            page = provider['heldHere']['pageInfo']
        return report.ProviderAllocInfo(held)

    def get_allocations_for_provider_tree(self, context, nodename):
        self._provider_tree.get_provider_uuids(name_or_uuid=nodename)  # refuses an unknown one
        return {consumer['uuid']: forms.record_of(consumer) for consumer in self._list(context, 'consumers', forms.CONSUMER, inTreesNamed=[nodename])}

    def _get_usages(self, context, project_id, user_id=None):
        rows = self._ask(context.global_id, 'query($filter: ConsumerFilterInput) {usages(filter: $filter) {nodes {resources'
                         ' {amount resourceClass {name}}}}}', filter={'projects': [project_id], 'users': user_id and [user_id]})['usages']['nodes']
        return forms.Answer(body={'usages': {part['resourceClass']['name']: part['amount'] for row in rows for part in row['resources']}})
