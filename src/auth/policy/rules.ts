// The table of rules: what each of them guards, and its default. Other modules contribute their own parts.
import { graphqlRules, writers } from './graphql-rules.ts';
import type { RuleDefault } from './rule-default.ts';
import { treesRules } from './trees-rule.ts';
import { baseRules, type UpstreamRelease, upstreamRules } from './upstream-rules.ts';

/** A rule that a surface uses. */
export type RuleName = keyof typeof upstreamRules | keyof typeof graphqlRules;

/** By name, in the order of display: rules that others refer to come first. */
export function defaultRules(release: UpstreamRelease): ReadonlyMap<string, RuleDefault> {
  const upstream = Object.entries(upstreamRules).map(([name, rule]) => [name, rule[release]] as const);
  const { scopes } = upstreamRules['placement:resource_providers:create'][release];
  const graphql = Object.entries<RuleDefault>(graphqlRules).map(
    // Writes get the scopes of upstream's writes, because only the checks of the rules behind them count.
    ([name, rule]) => [name, rule.scopes === writers ? { ...rule, scopes } : rule] as const,
  );
  return new Map<string, RuleDefault>([...Object.entries(baseRules[release]), ...upstream, ...Object.entries(treesRules), ...graphql]);
}
