// Writes docs/graphql-permissions.md: which rule each element of the GraphQL contract needs, and which callers the rules allow by default.
// With --check it writes nothing and exits with 1 if the file is not up to date.
import { readFile, writeFile } from 'node:fs/promises';
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { effectiveRules } from '../src/auth/policy/effective.ts';
import { isOfProjects } from '../src/auth/policy/graphql-rules.ts';
import { policyOf } from '../src/auth/policy/policy.ts';
import { defaultRules, type RuleName } from '../src/auth/policy/rules.ts';
import { type Identity, plainIdentity } from '../src/domain/identity.ts';
import { declaredNeed } from '../src/graphql/permissions-of-schema.ts';

const contract = buildSchema(await readFile(new URL('../schema.graphql', import.meta.url), 'utf8'));
const defaults = effectiveRules(defaultRules('current'), new Map(), { enforcesNewDefaults: true });
const policy = policyOf(() => defaults, { enforcesScope: true });

const someone = (roles: readonly string[], scope: Identity['scope'] = 'project'): Identity => ({
  ...plainIdentity('keystone', 'someone', scope === 'project' ? 'own' : null, roles),
  scope,
});
const callers = {
  '`admin`': someone(['admin']),
  '`service`': someone(['service']),
  '`auditor`': someone(['auditor']),
  '`reader` of the system': someone(['reader'], 'system'),
  '`reader` of a project': someone(['reader']),
};

function reach(rule: string, caller: Identity): string {
  if (policy.allows(rule as RuleName, caller, {})) return 'yes';
  const own = isOfProjects(rule) && caller.project !== null && policy.allows(rule as RuleName, caller, { project_id: caller.project });
  return own ? 'own' : '';
}

type Element = Parameters<typeof declaredNeed>[0];
const elementsOf = new Map<string, string[]>();
const tell = (label: string, element: Element): void => {
  const need = declaredNeed(element);
  if (typeof need === 'object' && need !== null) elementsOf.set(need.rule, [...(elementsOf.get(need.rule) ?? []), `\`${label}\``]);
};
const argumentsOf = (field: GraphQLField<unknown, unknown> | GraphQLInputField): readonly GraphQLArgument[] =>
  'args' in field ? field.args : [];
for (const type of Object.values(contract.getTypeMap())) {
  tell(type.name, type);
  if (isEnumType(type)) for (const value of type.getValues()) tell(`${type.name}.${value.name}`, value);
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
  for (const field of Object.values(type.getFields())) {
    tell(`${type.name}.${field.name}`, field);
    for (const argument of argumentsOf(field)) tell(`${type.name}.${field.name}(${argument.name}:)`, argument);
  }
}

const names = [...defaultRules('current').keys()].filter((name) => elementsOf.has(name) || name.startsWith('placement:graphql:'));
const rules = defaultRules('current');
const cells = names.map(
  (name) =>
    `| \`${name}\` | ${Object.values(callers)
      .map((caller) => reach(name, caller))
      .join(' | ')} |`,
);
const told = names.flatMap((name) => [
  '',
  `### ${name}`,
  '',
  `${rules.get(name)?.description} Default: \`${rules.get(name)?.check}\`${scopesOf(name)}.`,
  ...(elementsOf.has(name) ? ['', (elementsOf.get(name) ?? []).join(', ')] : []),
]);

function scopesOf(name: string): string {
  const scopes = rules.get(name)?.scopes;
  return scopes ? `, for tokens of a ${scopes.join(' or the ')}` : '';
}

const text = `# Permissions in GraphQL

Generated from \`schema.graphql\` and \`src/auth/policy\` by \`npm run generate\`. Do not edit. How roles and rules work in general is in [access.md](access.md).

Every field of the contract needs a rule, its own or that of its type, and so do some arguments. The directive \`@access(rule:)\` names the rule, and so does the
description of the element. An operation is checked as a whole before it runs: if its caller lacks the right to any part of it, even in a fragment or behind
\`@skip\`, the answer is FORBIDDEN with the \`element\` and the \`rule\`, without data. An object needs the rule of its type even if only \`__typename\` is selected.

Parts of other objects, such as pages and payloads, need no rule of their own (\`@partOfParent\`). \`serviceInfo\` needs no token (\`@public\`).

## Which callers the rules allow by default

\`own\` allows a caller the objects of its token's project, as if there were no others. Objects of other projects are treated like objects that do not exist: in lists,
counts, sums, cursors, events and errors, and by \`node\` and \`_entities\`. An operation that needs one such rule is answered for the project throughout. \`fit\`
says only whether there is room for one.

| Rule | ${Object.keys(callers).join(' | ')} |
| --- | ${Object.keys(callers)
  .map(() => '---')
  .join(' | ')} |
${cells.join('\n')}

## Which elements need which rule
${told.join('\n')}
`;

const file = new URL('../docs/graphql-permissions.md', import.meta.url);
if (!process.argv.includes('--check')) {
  await writeFile(file, text);
} else if (text !== (await readFile(file, 'utf8').catch(() => null))) {
  console.error('docs/graphql-permissions.md does not match the contract and the rules. Run `npm run generate`.');
  process.exitCode = 1;
}
