// The contract check between releases, on pairs of test contracts: it finds what clients would notice, and passes only if the changelog names it.
import { readdirSync, readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { findContractChanges, latestRelease, untoldChanges } from '../../tools/contract-changes.ts';

const base = `
  directive @hint(a: Int) on FIELD
  scalar Moment @specifiedBy(url: "https://example.org/1")
  interface Named { name: String }
  type Provider implements Named { name: String uuid: ID! size(unit: Unit = MB, round: Int): Int }
  type Pool { uuid: ID! kind: Kind }
  union Thing = Provider
  enum Kind { DISK }
  enum Unit { MB }
  input Filter { name: String depth: Int = 1 at: Moment }
  directive @open on ENUM
  directive @preview on OBJECT | FIELD_DEFINITION
  enum Reason @open { FULL }
  type Draft @preview { a: Int kind: Kind }
  type Query { provider(filter: Filter): Provider pool: Pool thing: Thing why: Reason draft: Draft @preview plan(a: Int): Int @preview }`;

/** A pair: what is replaced in the contract by what, and which change must be found. */
const pairs: [sentence: string, from: string, to: string, found: string[]][] = [
  ['nothing', '', '', []],
  ['a field removed', 'type Pool { uuid: ID! kind: Kind }', 'type Pool { kind: Kind }', ['breaking Pool.uuid']],
  ['a type changed', 'uuid: ID! kind', 'uuid: String! kind', ['breaking Pool.uuid']],
  ['a field that may now be null', 'uuid: ID! size', 'uuid: ID size', ['breaking Provider.uuid']],
  ['a field that is never null any more', 'kind: Kind', 'kind: Kind!', []],
  ['an argument removed', ', round: Int', '', ['breaking Provider.size(round:)']],
  ['a new required argument', 'round: Int', 'round: Int, exact: Boolean!', ['breaking Provider.size(exact:)']],
  ['a new optional argument', 'round: Int', 'round: Int, exact: Boolean', []],
  ['another default of an argument', 'Unit = MB', 'Unit', ['dangerous Provider.size(unit:)']],
  ['a new required field of an input', 'name: String depth', 'name: String! depth', ['breaking Filter.name']],
  ['a new optional field of an input', 'depth: Int = 1', 'depth: Int = 1 width: Int', []],
  ['another default of an input field', 'depth: Int = 1', 'depth: Int = 2', ['dangerous Filter.depth']],
  ['a type removed', 'union Thing = Provider', 'union Thing = Pool', ['breaking Thing', 'dangerous Thing']],
  ['a value of an enum in answers', 'enum Kind { DISK }', 'enum Kind { DISK TAPE }', ['breaking Kind.TAPE']],
  ['a value of an enum that is open', '{ FULL }', '{ FULL GONE }', []],
  ['a value gone of an enum that is open', '{ FULL }', '{ GONE }', ['breaking Reason.FULL']],
  ['an enum that becomes open', 'enum Kind {', 'enum Kind @open {', ['dangerous Kind']],
  ['a field of a preview removed', '{ a: Int kind', '{ kind', ['preview Draft.a']],
  ['a preview removed', ' draft: Draft @preview', '', ['preview Query.draft']],
  ['an argument of a preview removed', 'plan(a: Int)', 'plan', ['preview Query.plan(a:)']],
  ['an enum value gone', 'enum Kind { DISK }', 'enum Kind { TAPE }', ['breaking Kind.DISK', 'breaking Kind.TAPE']],
  ['a new member of an interface', 'type Pool {', 'type Pool implements Named { name: String', ['dangerous Pool']],
  ['a type that leaves an interface', 'Provider implements Named', 'Provider', ['breaking Provider']],
  ['a directive removed', 'directive @hint(a: Int) on FIELD', '', ['breaking @hint']],
  ['another specification of a scalar', 'org/1', 'org/2', ['dangerous Moment']],
];

const coordinatesOf = (before: GraphQLSchema, after: GraphQLSchema) =>
  findContractChanges(before, after).map(({ severity, coordinate }) => `${severity} ${coordinate}`);

describe('between two contracts is found', () => {
  test.each(pairs)('%s', (_sentence, from, to, found) => {
    expect(base).toContain(from);
    expect(coordinatesOf(buildSchema(base), buildSchema(base.replace(from, to)))).toEqual(found);
  });

  test('an input that becomes @oneOf', () => {
    const before = 'type Query { a(by: By): Int } input By { uuid: ID name: String }';
    const after = before.replace('input By', 'input By @oneOf');
    expect(coordinatesOf(buildSchema(before), buildSchema(after))).toEqual(['breaking By']);
  });
});

describe('a change passes', () => {
  const broken = findContractChanges(buildSchema(base), buildSchema(base.replace('uuid: ID! kind', 'kind')));
  const dangerous = findContractChanges(buildSchema(base), buildSchema(base.replace('depth: Int = 1', 'depth: Int = 2')));
  const preview = findContractChanges(buildSchema(base), buildSchema(base.replace('{ a: Int kind', '{ kind')));
  const changelog = (entry: string, old = '') => `# Changelog\n\n## 0.2.0 (unreleased)\n\n${entry}\n\n## 0.1.0 (2026-12-01)\n\n${old}\n`;

  test('when an entry of the unreleased version names it and says that it breaks', () => {
    expect(untoldChanges(broken, changelog('- Breaking: `Pool.uuid` is gone;\n  ask for\n  `id`.'), '0.1.0')).toEqual([]);
  });

  test('not when nothing names it, when another entry does, or the entry does not say that it breaks', () => {
    expect(untoldChanges(broken, changelog('- Something else.'), '0.1.0')).toEqual(broken);
    expect(untoldChanges(broken, changelog('- Breaking: `Pool.kind` is gone.\n- `Pool.uuid` is different.'), '0.1.0')).toEqual(broken);
  });

  test('not when only the section of a release names it', () => {
    expect(untoldChanges(broken, changelog('', '- Breaking: `Pool.uuid` is gone.'), '0.1.0')).toEqual(broken);
  });

  test('and a dangerous one needs no more than its name', () => {
    expect(untoldChanges(dangerous, changelog('- `Filter.depth` is 2.'), '0.1.0')).toEqual([]);
    expect(untoldChanges(dangerous, changelog('- A depth is 2.'), '0.1.0')).toEqual(dangerous);
  });

  test('and so does one of a preview, whatever it breaks', () => {
    expect(untoldChanges(preview, changelog('- `Draft.a` is gone.'), '0.1.0')).toEqual([]);
    expect(untoldChanges(preview, changelog(''), '0.1.0')).toEqual(preview);
  });
});

describe('the release that is compared with', () => {
  test('is the highest version that is kept, by number', () => {
    expect(latestRelease(['README.md', '0.9.0', '0.10.0', '0.10.0-rc'])).toBe('0.10.0');
  });

  test('is none before the first', () => {
    expect(latestRelease(['README.md'])).toBeNull();
  });

  test('can be read as a contract', () => {
    const folder = new URL('../../releases/', import.meta.url);
    const kept = readdirSync(folder).filter((name) => latestRelease([name]) !== null);
    for (const name of kept) expect(() => buildSchema(readFileSync(new URL(`${name}/contract.graphql`, folder), 'utf8'))).not.toThrow();
  });
});

/** The reason of a deprecation names the day until which the element stays. */
function deprecationsWithoutDate(schema: GraphQLSchema): string[] {
  const undated = (name: string, { deprecationReason }: { readonly deprecationReason?: string | null | undefined }): string[] =>
    typeof deprecationReason === 'string' && !isDated(deprecationReason) ? [name] : [];
  const argumentsOf = (element: object): readonly GraphQLArgument[] =>
    'args' in element ? (element.args as readonly GraphQLArgument[]) : [];
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    const values = isEnumType(type) ? type.getValues() : [];
    const fields = isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? Object.values(type.getFields()) : [];
    return [...values, ...fields].flatMap((element) => {
      const name = `${type.name}.${element.name}`;
      return [...undated(name, element), ...argumentsOf(element).flatMap((argument) => undated(`${name}(${argument.name}:)`, argument))];
    });
  });
}

const isDated = (reason: string): boolean => {
  const [, day] = /\buntil (\d{4}-\d{2}-\d{2})\b/.exec(reason) ?? [];
  return day !== undefined && !Number.isNaN(Date.parse(day));
};

describe('what is deprecated says until when it stays', () => {
  test('in the contract', () => {
    expect(deprecationsWithoutDate(buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8')))).toEqual([]);
  });

  test('and what does not is noticed', () => {
    const planted = buildSchema(`
      type Query { a: Int @deprecated b: Int @deprecated(reason: "Use a; until 2027-05-01.") c(d: Int @deprecated(reason: "until 2027-13-01")): E }
      input I { e: Int @deprecated(reason: "Soon.") } enum E { F @deprecated(reason: "until 1 May") G }`);
    expect(deprecationsWithoutDate(planted).toSorted()).toEqual(['E.F', 'I.e', 'Query.a', 'Query.c(d:)']);
  });
});
