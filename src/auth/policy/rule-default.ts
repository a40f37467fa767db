// The form of a rule in the tables of this directory.

/** The scope of a token, as far as rules distinguish scopes: an unscoped token counts as a project's. */
export type RuleScope = 'project' | 'domain' | 'system';

/** A default rule. */
export interface RuleDefault {
  /** In oslo.policy's grammar. */
  readonly check: string;
  /** A token must have one of these scopes, whatever the check says; null for any. Only those of the rule itself count, not of rules that it refers to. */
  readonly scopes: readonly RuleScope[] | null;
  /** The default of former releases, which also applies unless new defaults are enforced. An override under its name replaces this rule. */
  readonly older?: { readonly name: string; readonly check: string };
  /** What the rule allows. */
  readonly description: string;
  /** The REST methods and paths that it guards. */
  readonly operations: readonly string[];
}
