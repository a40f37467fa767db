// The table of rules: what each of them guards, and its default. Other modules give their own parts of it.
import { graphqlRules } from './graphql-rules.ts';
import type { RuleDefault } from './rule-default.ts';
import { baseRules, type UpstreamRelease, upstreamRules } from './upstream-rules.ts';

/** A rule that a surface asks. */
export type RuleName = keyof typeof upstreamRules | keyof typeof graphqlRules;

/** By name, in the order in which they are shown: those that others refer to come first. */
export function defaultRules(release: UpstreamRelease): ReadonlyMap<string, RuleDefault> {
  const upstream = Object.entries(upstreamRules).map(([name, rule]) => [name, rule[release]] as const);
  return new Map<string, RuleDefault>([...Object.entries(baseRules[release]), ...upstream, ...Object.entries(graphqlRules)]);
}
