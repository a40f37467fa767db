// Flavor on the wire. `swap` is in MB, `memory_mb` in MiB, `root_gb` and `ephemeral_gb` in GiB.
import { boolean, dictOf, float, integer, listOf, nullable, text } from './fields.ts';
import { defineForm, defineList } from './form.ts';
import { persistentFields } from './persistent.ts';

export const flavorForm = defineForm({
  name: 'Flavor',
  version: '1.2',
  fields: {
    ...persistentFields,
    id: integer,
    name: nullable(text),
    flavorid: text,
    memory_mb: integer,
    vcpus: integer,
    root_gb: integer,
    ephemeral_gb: integer,
    swap: integer,
    rxtx_factor: nullable(float),
    disabled: boolean,
    is_public: boolean,
    extra_specs: dictOf(text),
    projects: listOf(text),
    description: nullable(text),
  },
  steps: [{ below: '1.2', drop: ['description'] }],
});

export const flavorListForm = defineList('FlavorList', '1.1', flavorForm);
