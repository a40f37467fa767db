// The rules without settings and files.
import { effectiveRules } from '../../src/auth/policy/effective.ts';
import { type Policy, policyOf } from '../../src/auth/policy/policy.ts';
import { defaultRules } from '../../src/auth/policy/rules.ts';

/** Upstream's current defaults, and ours. */
export function defaultPolicy(): Policy {
  const effective = effectiveRules(defaultRules('current'), new Map(), { enforcesNewDefaults: true });
  return policyOf(() => effective, { enforcesScope: true });
}
