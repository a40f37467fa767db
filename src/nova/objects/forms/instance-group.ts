// InstanceGroup on the wire: a server group. Its limit for each host is text in `_rules`; before 1.11 its policy was a list of one.
import { dictOf, integer, listOf, nullable, text, uuid } from './fields.ts';
import { defineForm } from './form.ts';
import { persistentFields } from './persistent.ts';

export const instanceGroupForm = defineForm({
  name: 'InstanceGroup',
  version: '1.11',
  fields: {
    ...persistentFields,
    id: integer,
    uuid,
    user_id: nullable(text),
    project_id: nullable(text),
    name: nullable(text),
    policies: nullable(listOf(text)),
    policy: nullable(text),
    members: nullable(listOf(text)),
    hosts: nullable(listOf(text)),
    _rules: dictOf(text),
  },
  steps: [
    {
      below: '1.11',
      drop: ['policy', 'rules'],
      change: (data) => ({ ...data, policies: data.policy ? [data.policy] : [] }),
    },
    { below: '1.7', change: (data) => ({ ...data, metadetails: {} }) },
  ],
});
