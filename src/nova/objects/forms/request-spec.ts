// RequestSpec on the wire with its groups: the request to a scheduler.
import { boolean, dictOf, integer, listOf, nullable, opaque, text, uuid } from './fields.ts';
import { flavorForm } from './flavor.ts';
import { defineForm, nested } from './form.ts';
import { imageMetaForm } from './image-meta.ts';
import { instanceGroupForm } from './instance-group.ts';
import { networkMetadataForm } from './network-metadata.ts';
import { schedulerLimitsForm, schedulerRetriesForm } from './scheduler.ts';

export const requestGroupForm = defineForm({
  name: 'RequestGroup',
  version: '1.3',
  fields: {
    use_same_provider: boolean,
    resources: dictOf(integer),
    required_traits: listOf(text),
    forbidden_traits: listOf(text),
    aggregates: listOf(listOf(text)),
    forbidden_aggregates: listOf(text),
    requester_id: nullable(text),
    provider_uuids: listOf(uuid),
    in_tree: nullable(uuid),
  },
  steps: [
    { below: '1.3', drop: ['forbidden_aggregates'] },
    { below: '1.2', drop: ['in_tree'] },
    { below: '1.1', drop: ['requester_id', 'provider_uuids'] },
  ],
});

export const requestLevelParamsForm = defineForm({
  name: 'RequestLevelParams',
  version: '1.1',
  fields: { root_required: listOf(text), root_forbidden: listOf(text), same_subtree: listOf(listOf(text)) },
  steps: [{ below: '1.1', drop: ['same_subtree'] }],
});

export const destinationForm = defineForm({
  name: 'Destination',
  version: '1.4',
  fields: {
    host: text,
    node: nullable(text),
    cell: opaque,
    aggregates: nullable(listOf(text)),
    allow_cross_cell_move: boolean,
    forbidden_aggregates: nullable(listOf(text)),
  },
  steps: [
    { below: '1.4', drop: ['forbidden_aggregates'] },
    { below: '1.3', drop: ['allow_cross_cell_move'] },
    { below: '1.2', drop: ['aggregates'] },
    { below: '1.1', drop: ['cell'] },
  ],
});

export const instancePciRequestForm = defineForm({
  name: 'InstancePCIRequest',
  version: '1.4',
  fields: {
    count: integer,
    spec: listOf(dictOf(nullable(text))),
    alias_name: nullable(text),
    is_new: boolean,
    request_id: nullable(uuid),
    requester_id: nullable(text),
    numa_policy: nullable(text),
  },
  steps: [
    { below: '1.3', drop: ['requester_id'] },
    { below: '1.2', drop: ['numa_policy'] },
    { below: '1.1', drop: ['request_id'] },
  ],
});

export const instancePciRequestsForm = defineForm({
  name: 'InstancePCIRequests',
  version: '1.1',
  fields: { instance_uuid: uuid, requests: listOf(nested(instancePciRequestForm)) },
  steps: [],
});

export const requestSpecForm = defineForm({
  name: 'RequestSpec',
  version: '1.15',
  fields: {
    id: integer,
    project_id: nullable(text),
    user_id: nullable(text),
    availability_zone: nullable(text),
    flavor: nested(flavorForm),
    num_instances: integer,
    ignore_hosts: nullable(listOf(text)),
    force_hosts: nullable(listOf(text)),
    force_nodes: nullable(listOf(text)),
    instance_uuid: uuid,
    is_bfv: boolean,
    image: nullable(nested(imageMetaForm)),
    pci_requests: nullable(nested(instancePciRequestsForm)),
    requested_destination: nullable(nested(destinationForm)),
    retry: nullable(nested(schedulerRetriesForm)),
    limits: nullable(nested(schedulerLimitsForm)),
    instance_group: nullable(nested(instanceGroupForm)),
    scheduler_hints: nullable(dictOf(listOf(text))),
    requested_resources: nullable(listOf(nested(requestGroupForm))),
    request_level_params: nested(requestLevelParamsForm),
    network_metadata: nullable(nested(networkMetadataForm)),
  },
  steps: [
    { below: '1.14', drop: ['requested_networks'] },
    { below: '1.13', drop: ['request_level_params'] },
    { below: '1.12', drop: ['requested_resources'] },
    { below: '1.11', drop: ['is_bfv'] },
    { below: '1.10', drop: ['network_metadata'] },
    { below: '1.9', drop: ['user_id'] },
    { below: '1.8', drop: ['security_groups'] },
    { below: '1.6', drop: ['requested_destination'] },
  ],
});
