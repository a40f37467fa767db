// PciDevice on the wire.
import { dictOf, integer, nullable, type Receiver, readRecord, text, uuid } from './fields.ts';
import { type Data, defineForm, defineList, refuseValues } from './form.ts';
import { isBelow, parseVersion } from './manifest.ts';
import { persistentFields } from './persistent.ts';

export const pciDeviceForm = defineForm({
  name: 'PciDevice',
  version: '1.7',
  fields: {
    ...persistentFields,
    id: integer,
    uuid,
    compute_node_id: nullable(integer),
    address: text,
    vendor_id: text,
    product_id: text,
    dev_type: text,
    status: text,
    dev_id: nullable(text),
    label: nullable(text),
    instance_uuid: nullable(text),
    request_id: nullable(text),
    extra_info: dictOf(text),
    numa_node: nullable(integer),
    parent_addr: nullable(text),
  },
  steps: [
    { below: '1.7', change: refuseValues('dev_type', 'vdpa') },
    { below: '1.6', drop: ['uuid'] },
    { below: '1.5', change: refuseNewStatuses },
    { below: '1.4', drop: ['parent_addr'], change: parentIntoExtraInfo },
    { below: '1.2', drop: ['request_id'] },
  ],
});

export const pciDeviceListForm = defineList('PciDeviceList', '1.3', pciDeviceForm);

/** Refuses them only for 1.4, like Nova: for older versions it has dropped the field by which it recognizes devices that may have them. */
function refuseNewStatuses(data: Data, receiver: Receiver): Data {
  const isOlder = isBelow(parseVersion(receiver.manifest.PciDevice ?? '1.4', []), { major: 1, minor: 4 });
  return isOlder || !Object.hasOwn(data, 'parent_addr') ? data : refuseValues('status', 'unclaimable', 'unavailable')(data, receiver);
}

/** Older versions have the address of the physical function in `extra_info`. */
function parentIntoExtraInfo(data: Data): Data {
  const parent = data.parent_addr;
  if (typeof parent !== 'string') return data;
  return { ...data, extra_info: { ...(readRecord(data.extra_info ?? {}, []) as Data), phys_function: parent } };
}
