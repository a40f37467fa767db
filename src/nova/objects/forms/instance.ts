// Instance on the wire.
import { boolean, dictOf, integer, nullable, opaque, text, uuid } from './fields.ts';
import { flavorForm } from './flavor.ts';
import { asSent, defineForm, defineList, nested } from './form.ts';
import { pciDeviceListForm } from './pci-device.ts';
import { persistentFields } from './persistent.ts';
import { instancePciRequestsForm } from './request-spec.ts';

export const instanceForm = defineForm({
  name: 'Instance',
  version: '2.8',
  fields: {
    ...persistentFields,
    id: integer,
    uuid,
    project_id: nullable(text),
    user_id: nullable(text),
    host: nullable(text),
    node: nullable(text),
    compute_id: nullable(integer),
    vm_state: nullable(text),
    task_state: nullable(text),
    power_state: nullable(integer),
    memory_mb: nullable(integer),
    vcpus: nullable(integer),
    root_gb: nullable(integer),
    ephemeral_gb: nullable(integer),
    flavor: nested(flavorForm),
    old_flavor: nullable(nested(flavorForm)),
    new_flavor: nullable(nested(flavorForm)),
    pci_devices: nullable(nested(pciDeviceListForm)),
    pci_requests: asSent(instancePciRequestsForm),
    numa_topology: opaque,
    migration_context: opaque,
    system_metadata: dictOf(nullable(text)),
    hidden: boolean,
    cleaned: boolean,
    resources: opaque,
  },
  steps: [
    { below: '2.8', drop: ['compute_id'] },
    { below: '2.7', drop: ['resources'] },
    { below: '2.6', drop: ['hidden'] },
    { below: '2.4', drop: ['trusted_certs'] },
    { below: '2.3', drop: ['device_metadata'] },
    { below: '2.2', drop: ['keypairs'] },
    { below: '2.1', drop: ['services'] },
  ],
});

export const instanceListForm = defineList('InstanceList', '2.6', instanceForm);
