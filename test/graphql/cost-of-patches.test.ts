// The cost of patches of many providers: the previews of the dashboard and of the examples stay within the limit, whatever the filter selects.
import { readFileSync } from 'node:fs';
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { limits } from '../../src/domain/limits.ts';
import { estimateOf } from '../../src/graphql/cost.ts';
import { loadSchema } from '../../src/graphql/resolvers/schema.ts';
import { readSettings } from '../../src/settings/settings.ts';

const schema = loadSchema(readSettings({}).settings);
const input = { select: { filter: { names: ['cn1'] } }, resourceClass: 'VCPU', patch: { allocationRatio: 2 } };

test.each([
  ['dashboard/actions/actions.graphql', 'PatchInventories'],
  ['dashboard/actions/actions.graphql', 'PatchTraits'],
  ['explorer/examples/change-ratio.graphql', 'ChangeRatio'],
])('of %s %s leaves room for more fields', (file, name) => {
  const document = parse(readFileSync(new URL(`../../src/ui/${file}`, import.meta.url), 'utf8'));
  const operation = document.definitions.find((one) => one.kind === 'OperationDefinition' && one.name?.value === name);
  if (operation?.kind !== 'OperationDefinition') throw new Error(`no ${name}`);
  const cost = estimateOf(schema, document, operation).objects({ input });
  expect(cost).toBeGreaterThan(limits.patchedProviders);
  expect(cost).toBeLessThan(limits.operationCost / 2);
});
