// Examination. Every field of the contract, selected by callers of every kind: their permissions match the schema, and a table that is reviewed.
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { expect, test } from 'vitest';
import { isOfProjects } from '../../src/auth/policy/graphql-rules.ts';
import type { RuleName } from '../../src/auth/policy/rules.ts';
import { declaredNeed, type Need, needOfField } from '../../src/graphql/permissions-of-schema.ts';
import { loadSchema } from '../../src/graphql/resolvers/schema.ts';
import { useDatabase } from '../support/database.ts';
import { type Persona, personas, useCallers, useSubscribers } from '../support/personas.ts';
import { defaultPolicy } from '../support/policy.ts';

const database = useDatabase();
const ask = useCallers(() => database, { federation: true });
const subscribe = useSubscribers(() => database);
const schema = loadSchema({ federation: true });
const policy = defaultPolicy();
const everyone = Object.keys(personas) as Persona[];

/** The operation that selects a field by the shortest path, and the needs of everything on that path. */
interface Way {
  readonly element: string;
  readonly operation: string;
  readonly needs: readonly Need[];
}

/** The values of required arguments, which need not be valid. */
function textOf(type: GraphQLInputType): string {
  if (isNonNullType(type)) return textOf(type.ofType);
  if (isListType(type)) return '[]';
  if (isEnumType(type)) return type.getValues()[0]?.name ?? 'null';
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    const given = type.isOneOf ? fields.slice(0, 1) : fields.filter(isRequired);
    return `{${given.map((field) => `${field.name}: ${textOf(field.type)}`).join(', ')}}`;
  }
  const scalars: Readonly<Record<string, string>> = {
    UUID: '"99999999-0000-4000-8000-000000000009"',
    ID: '"eA"',
    String: '"x"',
    DateTime: JSON.stringify(new Date().toISOString()),
    Boolean: 'false',
    True: 'true',
  };
  return scalars[type.name] ?? '1';
}

const isRequired = ({ type, defaultValue }: GraphQLArgument | GraphQLInputField) => isNonNullType(type) && defaultValue === undefined;

function callOf({ name, args }: GraphQLField<unknown, unknown>): string {
  const given = args.filter((argument) => isRequired(argument) || argument.name === 'first');
  return given.length === 0 ? name : `${name}(${given.map((argument) => `${argument.name}: ${textOf(argument.type)}`).join(', ')})`;
}

/** All fields of all types, each by the first path that a breadth-first search finds. */
function waysToAll(): Way[] {
  type Step = { readonly type: GraphQLNamedType; readonly open: string; readonly close: string; readonly needs: readonly Need[] };
  const ways: Way[] = [];
  const seen = new Set<GraphQLNamedType>();
  const queue: Step[] = [];
  const enter = (step: Step): void => {
    if (seen.has(step.type)) return;
    seen.add(step.type);
    queue.push(step);
    for (const member of isInterfaceType(step.type) || isUnionType(step.type) ? schema.getPossibleTypes(step.type) : []) {
      enter({ ...step, type: member, open: `${step.open} ... on ${member.name} {`, close: `${step.close} }` });
    }
  };
  for (const [keyword, type] of [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const) {
    if (type) enter({ type, open: `${keyword} {`, close: '}', needs: [] });
    // Fields that queries reach are selected by a query.
    for (let step = queue.shift(); step; step = queue.shift()) {
      if (!isObjectType(step.type) && !isInterfaceType(step.type)) continue;
      for (const field of Object.values(step.type.getFields())) {
        const target = getNamedType(field.type);
        const needs = [
          ...step.needs,
          needOfField(step.type, field),
          ...(isCompositeType(target) && !isUnionType(target) ? [declaredNeed(target)] : []),
        ];
        const open = `${step.open} ${callOf(field)}`;
        const operation = `${open}${isCompositeType(target) ? ' { __typename }' : ''} ${step.close}`;
        ways.push({ element: `${step.type.name}.${field.name}`, operation, needs });
        if (isCompositeType(target)) enter({ type: target, open: `${open} {`, close: `} ${step.close}`, needs });
      }
    }
  }
  const introspection: Need = { rule: 'placement:graphql:schema:read' };
  ways.push({ element: 'Query.__schema', operation: '{ __schema { __typename } }', needs: [introspection] });
  ways.push({ element: 'Query.__type', operation: '{ __type(name: "Query") { name } }', needs: [introspection] });
  return ways;
}

/** + allowed, o for the own project, . FORBIDDEN, - UNAUTHENTICATED */
type Verdict = '+' | 'o' | '.' | '-';

function declaredVerdict(needs: readonly Need[], persona: Persona): Verdict {
  const caller = personas[persona];
  const rules = needs.flatMap((need) => (typeof need === 'object' ? [need?.rule ?? 'none'] : []));
  if (caller === null) return rules.length === 0 ? '+' : '-';
  const verdicts = rules.map((rule): Verdict => {
    if (policy.allows(rule as RuleName, caller, {})) return '+';
    const own = caller.project !== null && isOfProjects(rule) && policy.allows(rule as RuleName, caller, { project_id: caller.project });
    return own ? 'o' : '.';
  });
  return verdicts.includes('.') ? '.' : verdicts.includes('o') ? 'o' : '+';
}

test('every field answers every persona as the schema and the reviewed table say', async () => {
  const rows: string[] = [];
  for (const { element, operation, needs } of waysToAll()) {
    const verdicts: Verdict[] = [];
    for (const persona of everyone) {
      const { status, data, errors } = await (operation.startsWith('subscription') ? subscribe : ask)(persona, operation);
      const code = errors?.[0]?.extensions.code;
      const measured = code === 'UNAUTHENTICATED' ? '-' : code === 'FORBIDDEN' ? '.' : '+';
      const declared = declaredVerdict(needs, persona);
      expect([element, persona, measured], operation).toEqual([element, persona, declared === 'o' ? '+' : declared]);
      if (measured === '-' || measured === '.') expect([status, data ?? null], operation).toEqual([measured === '-' ? 401 : 403, null]);
      else expect(code, operation).not.toBe('GRAPHQL_VALIDATION_FAILED');
      verdicts.push(declared);
    }
    rows.push(`${verdicts.join(' ')}  ${element}`);
  }
  const legend = [
    '+ allowed, o for its own project, . FORBIDDEN, - UNAUTHENTICATED',
    ...everyone.map((name, index) => `${'| '.repeat(index)}${name}`),
    '',
  ];
  await expect([...legend, ...rows, ''].join('\n')).toMatchFileSnapshot('permissions-matrix.txt');
});
