// The parts of a RequestSpec about earlier attempts: the hosts that were tried, and the limits within which a host took the instance.

import { computeNodeListForm } from './compute-node.ts';
import { integer, nullable } from './fields.ts';
import { defineForm, nested } from './form.ts';

export const schedulerRetriesForm = defineForm({
  name: 'SchedulerRetries',
  version: '1.1',
  fields: { num_attempts: integer, hosts: nested(computeNodeListForm) },
  steps: [],
});

export const schedulerLimitsForm = defineForm({
  name: 'SchedulerLimits',
  version: '1.0',
  fields: { vcpu: nullable(integer), disk_gb: nullable(integer), memory_mb: nullable(integer) },
  steps: [],
});
