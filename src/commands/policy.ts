// The commands for rules: `policy show` prints the rules in effect, `policy check` shows whether a caller may do something, and by which rule and line.
import { textOf } from '../auth/policy/check.ts';
import type { Target } from '../auth/policy/compile.ts';
import { credentialsOf } from '../auth/policy/credentials.ts';
import type { EffectiveRule, EffectiveRules } from '../auth/policy/effective.ts';
import { explain, originInWords } from '../auth/policy/explain.ts';
import { isOfProjects } from '../auth/policy/graphql-rules.ts';
import { scopeOf, targetOf } from '../auth/policy/policy.ts';
import { readTokenFile } from '../auth/token-file.ts';
import type { Identity } from '../domain/identity.ts';
import { nearestTo } from '../domain/nearest.ts';
import { ruleOfField } from './field-rule.ts';

/** The flags of `policy check`. */
export interface CheckFlags {
  readonly rule?: string;
  readonly user?: string;
  readonly project?: string;
  readonly roles?: string;
  readonly system?: boolean;
  readonly domain?: string;
  readonly tokenId?: string;
  readonly target?: readonly string[];
}

/** A question that cannot be answered in this form. */
export class PolicyQuestionFault extends Error {}

/** Every rule in effect, with what it allows and guards. */
export function describePolicy({ rules }: EffectiveRules) {
  return [...rules.values()].map(described);
}

/** Every rule in effect, one per line. */
export function showPolicy({ rules }: EffectiveRules): readonly string[] {
  const rows = [...rules.values()].map((rule) => {
    const { rule: name, check, from, scopes } = described(rule);
    return [name, check, from, scopes === null ? 'any' : scopes.join(', ')];
  });
  return table([['rule', 'check', 'from', 'scope of the token'], ...rows]);
}

function described({ name, check, origin, scopes, operations, description }: EffectiveRule) {
  return { rule: name, check: textOf(check), from: originInWords(origin), scopes, operations, description };
}

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

export interface PolicyAnswer {
  readonly isAllowed: boolean;
  readonly lines: readonly string[];
}

/**
 * Whether a caller may do something, and why. `operation` is a method and a path, or a field of GraphQL; without it, a flag names the rule. Throws
 * PolicyQuestionFault.
 */
export async function checkPolicy(
  { rules }: EffectiveRules,
  operation: readonly string[],
  flags: CheckFlags,
  { enforcesScope, tokensFile }: { readonly enforcesScope: boolean; readonly tokensFile: string | null },
): Promise<PolicyAnswer> {
  const caller = flags.tokenId === undefined ? callerOf(flags) : await callerOfToken(flags.tokenId, tokensFile);
  const { rule, asked } = ruleOf(rules, operation, flags);
  const target = { ...(asked ?? targetOf(caller)), ...targetIn(flags.target ?? []) };
  const isOfScope = !enforcesScope || rule.scopes === null || rule.scopes.includes(scopeOf(caller));
  const isAllowed = isOfScope && rule.decide(credentialsOf(caller), target);
  const isOwn = isAllowed && isOfProjects(rule.name) && !rule.decide(credentialsOf(caller), {});
  const scope = isOfScope ? [] : [`  no  the token is for: ${scopeOf(caller)}; the rule is for: ${rule.scopes?.join(', ')}`];
  return {
    isAllowed,
    lines: [
      `${isAllowed ? 'allowed' : 'denied'}: ${rule.name} (${originInWords(rule.origin)})${isOwn ? ', for what belongs to its project' : ''}`,
      ...scope,
      ...explain(rule, rules, credentialsOf(caller), target),
    ],
  };
}

function callerOf({ user = 'somebody', project, roles = '', system = false, domain }: CheckFlags): Identity {
  if ([project !== undefined, system, domain !== undefined].filter(Boolean).length > 1) {
    throw new PolicyQuestionFault('a token has one scope: give one of --project, --domain and --system');
  }
  return {
    method: 'keystone',
    user,
    project: project ?? null,
    roles: roles.split(',').filter((role) => role !== ''),
    scope: system ? 'system' : domain !== undefined ? 'domain' : project === undefined ? 'none' : 'project',
    domain: domain ?? null,
    userDomain: null,
    projectDomain: null,
    service: null,
  };
}

async function callerOfToken(id: string, tokensFile: string | null): Promise<Identity> {
  if (tokensFile === null) throw new PolicyQuestionFault('--token-id needs PLACEMENT_TOKENS_FILE or --tokens-file, the file of the tokens');
  const { tokens } = await readTokenFile(tokensFile);
  const token = tokens.find((each) => each.id === id);
  if (!token) throw new PolicyQuestionFault('unknown token id: placement-gateway token list shows the ids');
  const { user, project, roles } = token;
  return { ...callerOf({ user, roles: roles.join(','), ...(project !== null && { project }) }), method: 'static' };
}

interface Asked {
  readonly rule: EffectiveRule;
  /** What the query of the path names. */
  readonly asked?: Target;
}

function ruleOf(rules: ReadonlyMap<string, EffectiveRule>, [method, path, ...more]: readonly string[], flags: CheckFlags): Asked {
  if (flags.rule !== undefined && method !== undefined)
    throw new PolicyQuestionFault('give only one of a method and path, a field, and --rule');
  const named = flags.rule ?? (path === undefined && method !== undefined ? ruleNamedBy(method) : undefined);
  if (named !== undefined) {
    const rule = rules.get(named);
    if (rule) return { rule };
    const nearest = nearestTo(named, rules.keys());
    throw new PolicyQuestionFault(
      `unknown rule ${named}${nearest === null ? ': policy show lists all rules' : `; did you mean ${nearest}?`}`,
    );
  }
  if (method === undefined || path === undefined || more.length > 0) {
    throw new PolicyQuestionFault('give a method and a path such as GET /resource_providers, a field such as Query.consumers, or --rule');
  }
  const [place = '', query] = path.split('?', 2);
  const rule = [...rules.values()].find(({ operations }) => operations.some((each) => isOperation(each, method, place)));
  if (!rule) throw new PolicyQuestionFault(`no rule guards ${method} ${place}: policy show --json lists what each rule guards`);
  if (rule.name !== 'placement:usages') return { rule };
  return { rule, asked: { project_id: new URLSearchParams(query).getAll('project_id').at(-1) ?? null } };
}

function ruleNamedBy(field: string): string | undefined {
  if (!field.includes('.')) return undefined;
  const need = ruleOfField(field);
  if ('fault' in need) throw new PolicyQuestionFault(`${field} ${need.fault}`);
  return need.rule;
}

function isOperation(operation: string, method: string, path: string): boolean {
  const [ownMethod, ownPath = ''] = operation.split(' ');
  const [own, given] = [ownPath.split('/'), path.replace(/^\/placement(?=\/)/, '').split('/')];
  return (
    ownMethod === method.toUpperCase() &&
    own.length === given.length &&
    own.every((part, index) => part.startsWith('{') || part === given[index])
  );
}

function targetIn(pairs: readonly string[]): Target {
  return Object.fromEntries(
    pairs.map((pair) => {
      const mark = pair.indexOf('=');
      if (mark < 1)
        throw new PolicyQuestionFault(`--target ${JSON.stringify(pair)} must be a name and a value, such as project_id=web-shop`);
      const [name, value] = [pair.slice(0, mark), pair.slice(mark + 1)];
      return [name, name === 'root_traits' ? value.split(',') : value];
    }),
  );
}
