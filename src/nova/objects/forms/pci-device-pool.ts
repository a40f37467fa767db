// PciDevicePool on the wire. The type of the devices is one of the tags.
import { dictOf, integer, nullable, text } from './fields.ts';
import { defineForm, defineList } from './form.ts';

export const pciDevicePoolForm = defineForm({
  name: 'PciDevicePool',
  version: '1.1',
  fields: { product_id: text, vendor_id: text, numa_node: nullable(integer), tags: dictOf(nullable(text)), count: integer },
  steps: [{ below: '1.1', drop: ['numa_node'] }],
});

export const pciDevicePoolListForm = defineList('PciDevicePoolList', '1.1', pciDevicePoolForm);
