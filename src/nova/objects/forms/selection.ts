// Selection on the wire: a host for an instance, with what is needed to claim it. `allocation_request` is JSON text.
import { nullable, opaque, text, uuid } from './fields.ts';
import { defineForm } from './form.ts';

export const selectionForm = defineForm({
  name: 'Selection',
  version: '1.1',
  fields: {
    compute_node_uuid: uuid,
    service_host: text,
    nodename: text,
    cell_uuid: uuid,
    limits: opaque,
    allocation_request: nullable(text),
    allocation_request_version: nullable(text),
    availability_zone: nullable(text),
  },
  steps: [{ below: '1.1', drop: ['availability_zone'] }],
});
