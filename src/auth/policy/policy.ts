// Decides which caller may do what, for all surfaces. Denies by default.
import type { Identity } from '../../domain/identity.ts';
import type { RootCondition } from '../../domain/root-condition.ts';
import type { Target } from './compile.ts';
import { credentialsOf } from './credentials.ts';
import type { EffectiveRules } from './effective.ts';
import type { RuleScope } from './rule-default.ts';
import type { RuleName } from './rules.ts';

/** The decision of a rule: `wrong scope` if the caller's token is for another scope, whatever its roles. */
export type Decision = 'allowed' | 'denied' | 'wrong scope';

/** The rules at work. The target is what a rule decides about: its `project_id` and whatever else rules may compare. */
export interface Policy {
  allows(rule: RuleName, caller: Identity | null, target: Target): boolean;
  decide(rule: RuleName, caller: Identity | null, target: Target): Decision;
  /** The condition on the roots of trees that a caller may write to; null for all trees. */
  ownedBy(caller: Identity | null): RootCondition | null;
}

/** Decides by the rules in effect at each moment. */
export function policyOf(current: () => EffectiveRules, { enforcesScope }: { readonly enforcesScope: boolean }): Policy {
  const decide: Policy['decide'] = (name, caller, target) => {
    const rule = current().rules.get(name);
    if (caller === null || !rule) return 'denied';
    if (enforcesScope && rule.scopes !== null && !rule.scopes.includes(scopeOf(caller))) return 'wrong scope';
    return rule.decide(credentialsOf(caller), target) ? 'allowed' : 'denied';
  };
  const ownedBy: Policy['ownedBy'] = (caller) => {
    const rest = caller !== null && current().decideTrees(credentialsOf(caller), targetOf(caller));
    return typeof rest !== 'boolean' ? rest : rest ? null : { any: [] };
  };
  return { decide, ownedBy, allows: (rule, caller, target) => decide(rule, caller, target) === 'allowed' };
}

/** An unscoped token counts as a project's. */
export function scopeOf({ scope }: Identity): RuleScope {
  return scope === 'none' ? 'project' : scope;
}

/** The target of a request that is about no project or user in particular: the caller's own. */
export function targetOf(caller: Identity | null): Target {
  return { project_id: caller?.project ?? null, user_id: caller?.user ?? null };
}
