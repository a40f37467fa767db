// NetworkMetadata on the wire: the networks to which an instance is connected, or which are near a NUMA cell.
import { boolean, listOf, text } from './fields.ts';
import { defineForm } from './form.ts';

export const networkMetadataForm = defineForm({
  name: 'NetworkMetadata',
  version: '1.0',
  fields: { physnets: listOf(text), tunneled: boolean },
  steps: [],
});
