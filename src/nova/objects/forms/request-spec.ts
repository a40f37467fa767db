// RequestSpec on the wire with its groups: the request to a scheduler.
import { boolean, dictOf, integer, listOf, nullable, opaque, text, uuid } from '../fields.ts';
import { defineForm, nested } from '../form.ts';
import { flavorForm } from './flavor.ts';

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
    image: opaque,
    requested_resources: nullable(listOf(nested(requestGroupForm))),
    request_level_params: nested(requestLevelParamsForm),
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
