// The quotas of projects: what their consumers may hold. Claims obey them in the database (db/writes/steps/over_quotas.sql).
import { quotaRecord, selectStoredSettings } from '../../db/quotas.ts';
import { invalidInput } from '../../domain/errors.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { Quota, QuotaSettings } from '../../domain/quota.ts';
import type { StoredSettings } from '../../domain/service.ts';
import { consumerTypeFault, maxNameLength } from '../../domain/text.ts';
import { InputCheck, type ProviderExpectation } from '../request/input.ts';
import type { RequestScope } from '../scope/scope.ts';
import { write } from '../scope/write.ts';

type GivenQuota = { readonly [Field in keyof Quota]?: Optional<Quota[Field]> };

interface QuotasInput {
  readonly expect: ProviderExpectation;
  readonly project?: Optional<string>;
  readonly parentProject?: Optional<string>;
  readonly quotas: readonly GivenQuota[];
}

/** The quotas that were set for a project, or the defaults. Refuses INVALID_INPUT for text that cannot be an id. */
export async function findQuotas({ db }: RequestScope, project: Optional<string>): Promise<QuotaSettings> {
  const check = new InputCheck();
  check.text(['project'], project, maxNameLength);
  check.done();
  const { kind, name } = quotaRecord(project ?? null);
  const stored = await selectStoredSettings(db, kind, name);
  return (stored as (StoredSettings & QuotaSettings) | null) ?? { generation: 0, parent: null, quotas: [] };
}

/** Replaces the quotas of a project, or the defaults. Equal ones are not written. Refuses INVALID_INPUT, NOT_FOUND (a class, an aggregate) and SETTINGS_CONFLICT. */
export async function replaceQuotas(
  scope: RequestScope,
  { expect, project, parentProject: parent, quotas }: QuotasInput,
): Promise<QuotaSettings> {
  if (scope.quotasOfKeystone) throw invalidInput([], 'The quotas follow the limits of Keystone: set registered limits and limits there');
  const check = new InputCheck();
  const expected = check.expectation(['expect'], expect);
  check.text(['project'], project, maxNameLength);
  check.text(['parentProject'], parent, maxNameLength);
  check.size(['quotas'], quotas, 0, limits.projectQuotas);
  const isDefault = typeof project !== 'string';
  if (isDefault && typeof parent === 'string') check.add(['parentProject'], 'parentProject cannot be given for the defaults');
  if (typeof parent === 'string' && parent === project) check.add(['parentProject'], 'parentProject must be another project');
  const all = quotas.map(({ user = null, consumerType = null, resourceClass = null, aggregate = null, amount = null }, index): Quota => {
    const here = ['quotas', index];
    check.text([...here, 'user'], user, maxNameLength);
    if (isDefault && user !== null) check.add([...here, 'user'], 'user cannot be given for the defaults');
    if (consumerType !== null) check.fault([...here, 'consumerType'], consumerTypeFault(consumerType));
    if (resourceClass !== null) check.className([...here, 'resourceClass'], resourceClass);
    if (amount !== null && !(Number.isSafeInteger(amount) && amount >= 0))
      check.add([...here, 'amount'], 'amount must be a whole number of at least 0');
    return { user, consumerType, resourceClass, ...(aggregate !== null && { aggregate }), amount };
  });
  check.unique(
    ['quotas'],
    all.map(({ user, consumerType, resourceClass, aggregate }) => JSON.stringify([resourceClass, consumerType, user, aggregate])),
    (index) => [index],
  );
  check.done();
  const request = { record: { ...quotaRecord(project ?? null), body: { parent: parent ?? null, quotas: all } }, expect: expected };
  const { record } = await write(scope, 'replace_quotas', request, ({ code, details }) => {
    if (code === 'SETTINGS_CONFLICT') return ['expect'];
    if (code !== 'NOT_FOUND') return ['parentProject'];
    const field = details.noun === 'aggregate' ? 'aggregate' : 'resourceClass';
    return ['quotas', all.findIndex((quota) => quota[field] === details.key), field];
  });
  return record as StoredSettings & QuotaSettings;
}
