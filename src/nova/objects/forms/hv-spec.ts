// HVSpec on the wire: a kind of guest that a compute node supports. The words of its fields are not used here.
import { type Data, defineForm } from './form.ts';

export const hvSpecForm = defineForm({
  name: 'HVSpec',
  version: '1.2',
  fields: {},
  steps: [{ below: '1.1', change: renameVirtuozzo }],
});

function renameVirtuozzo(data: Data): Data {
  return data.hv_type === 'virtuozzo' ? { ...data, hv_type: 'parallels' } : data;
}
