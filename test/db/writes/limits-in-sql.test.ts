// Functions in SQL cannot read src/domain/limits.ts: where they repeat a limit, it is the same.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { limits } from '../../../src/domain/limits.ts';

const { adoptedConsumers, allocationRatio, amount, problemsReported, refusalsReported } = limits;

test.each([
  ['steps/give_way_to_pools', `most constant int := ${adoptedConsumers};`],
  ['steps/lock_consumers', `jsonb_array_length(reasons) > ${refusalsReported}`],
  ['steps/refuse_all', `'$[1 to ${refusalsReported - 1}]'`],
  ['steps/refuse_all', `jsonb_array_length(reasons) > ${refusalsReported}`],
  ['steps/write_inventories', `"stepSize") <= ${amount}`],
  ['steps/write_inventories', `abs(i."allocationRatio") <= ${String(allocationRatio).replace('+', '')}`],
  ['functions/patch_inventories', `'$[0 to ${problemsReported - 1}]'`],
])('%s.sql has the limit in %s', (name, text) => {
  expect(readFileSync(new URL(`../../../src/db/writes/${name}.sql`, import.meta.url), 'utf8')).toContain(text);
});
