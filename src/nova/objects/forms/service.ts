// Service on the wire. `version` is that of the service, a number that only increases; not that of the object.

import { computeNodeForm } from './compute-node.ts';
import { boolean, dateTime, integer, nullable, text, uuid } from './fields.ts';
import { defineForm, defineList, nested } from './form.ts';
import { persistentFields } from './persistent.ts';

export const serviceForm = defineForm({
  name: 'Service',
  version: '1.22',
  fields: {
    ...persistentFields,
    id: integer,
    uuid,
    host: nullable(text),
    binary: nullable(text),
    topic: nullable(text),
    report_count: integer,
    disabled: boolean,
    disabled_reason: nullable(text),
    last_seen_up: nullable(dateTime),
    forced_down: boolean,
    version: integer,
    compute_node: nested(computeNodeForm),
  },
  steps: [
    { below: '1.21', drop: ['uuid'] },
    { below: '1.16', drop: ['version'] },
    { below: '1.14', drop: ['forced_down'] },
    { below: '1.13', drop: ['last_seen_up'] },
  ],
});

export const serviceListForm = defineList('ServiceList', '1.19', serviceForm);
