// The form of a rule in the tables of this directory.

/** The scope of a token, as far as rules tell scopes apart: an unscoped one counts as a project's. */
export type RuleScope = 'project' | 'domain' | 'system';

/** A rule as the code has it. */
export interface RuleDefault {
  /** In oslo.policy's grammar. */
  readonly check: string;
  /** The scopes that a token must have one of, whatever the check says; null for any. Only that of the rule asked counts, not those behind `rule:`. */
  readonly scopes: readonly RuleScope[] | null;
  /** The default of former releases, which is allowed too unless new defaults are enforced. An override under its name replaces this rule. */
  readonly older?: { readonly name: string; readonly check: string };
  /** What the rule allows. */
  readonly description: string;
  /** Methods and paths of REST that it guards. */
  readonly operations: readonly string[];
}
