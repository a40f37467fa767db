// NetworkMetadata on the wire: the networks that an instance is connected to, or that a NUMA cell is near.
import { boolean, listOf, text } from './fields.ts';
import { defineForm } from './form.ts';

export const networkMetadataForm = defineForm({
  name: 'NetworkMetadata',
  version: '1.0',
  fields: { physnets: listOf(text), tunneled: boolean },
  steps: [],
});
