// Finds the changes between two contracts that clients would notice, the ones among them that CHANGELOG.md does not name, and the last release.
// Reads no files: compare-contract.ts does.
import {
  astFromValue,
  type DirectiveNode,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  print,
} from 'graphql';

/** One change, identified by its schema coordinate: `Type`, `Type.field`, `Type.field(argument:)`, `Enum.VALUE`, `@directive`. */
export interface ContractChange {
  readonly coordinate: string;
  /**
   * Breaking: a valid operation becomes invalid or gets a different answer. Dangerous: clients get unknown values. Preview: either, for an element that was
   * not promised.
   */
  readonly severity: 'breaking' | 'dangerous' | 'preview';
  readonly description: string;
}

/** The messages of graphql-js for changes, and how to build the coordinate from them. */
const wordings: readonly [wording: RegExp, coordinate: string][] = [
  [/^A required arg (\w+) on directive (\w+) was added/, '@$2($1:)'],
  [/^A required arg (\w+) on (\w+\.\w+) was added/, '$2($1:)'],
  [/^A required field (\w+) on input type (\w+) was added/, '$2.$1'],
  [/^(\w+\.\w+) arg (\w+) /, '$1($2:)'],
  [/^(\w+\.\w+) /, '$1'],
  [/^(\w+) was (?:added to|removed from) enum type (\w+)/, '$2.$1'],
  [/^\w+ was (?:added to|removed from) union type (\w+)/, '$1'],
  [/^\w+ added to interfaces implemented by (\w+)/, '$1'],
  [/^Standard scalar (\w+) /, '$1'],
  [/^(\w+) /, '$1'],
];

/** The changes that a client may notice, with breaking ones first. Optional additions do not count. */
export function findContractChanges(before: GraphQLSchema, after: GraphQLSchema): ContractChange[] {
  const answered = enumsOfAnswers(before);
  const breaking = findBreakingChanges(before, after).map(({ type, description }) => {
    const coordinate = coordinateOf(description);
    return { severity: 'breaking', coordinate: type.startsWith('DIRECTIVE') ? `@${coordinate}` : coordinate, description } as const;
  });
  const dangerous = findDangerousChanges(before, after)
    .map(({ type, description }) => ({ type, description, coordinate: coordinateOf(description) }))
    .flatMap(({ type, ...change }): ContractChange[] => {
      if (type === 'OPTIONAL_ARG_ADDED' || type === 'OPTIONAL_INPUT_FIELD_ADDED') return [];
      if (type !== 'VALUE_ADDED_TO_ENUM') return [{ ...change, severity: 'dangerous' }];
      const name = change.coordinate.split('.')[0] ?? '';
      // Clients never receive values that occur only in inputs, and expect new values of an open enum.
      if (!answered.has(name) || has('open', before.getType(name))) return [];
      return [{ ...change, severity: 'breaking' }];
    });
  const others = [...inputsBecomeOneOf(before, after), ...dangerous, ...inputDefaults(before, after), ...notations(before, after)];
  return [...breaking, ...others, ...enumsOpen(before, after)].map((change) =>
    isPreview(before, change.coordinate) ? { ...change, severity: 'preview' } : change,
  );
}

interface Element {
  readonly astNode?: { readonly directives?: readonly DirectiveNode[] | undefined } | null | undefined;
}

function has(directive: string, element: Element | null | undefined): boolean {
  return element?.astNode?.directives?.some(({ name }) => name.value === directive) === true;
}

/** Whether the element with this coordinate, or its type, was not promised. */
function isPreview(schema: GraphQLSchema, coordinate: string): boolean {
  const [, typeName = '', fieldName = ''] = /^(\w+)(?:\.(\w+))?/.exec(coordinate) ?? [];
  const type = schema.getType(typeName);
  const fields = isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
  return has('preview', type) || has('preview', fields[fieldName]);
}

function enumsOpen(before: GraphQLSchema, after: GraphQLSchema): ContractChange[] {
  return inBoth(before, after).flatMap(([{ name }, now]): ContractChange[] =>
    isEnumType(now) && has('open', now) && !has('open', before.getType(name))
      ? [{ coordinate: name, severity: 'dangerous', description: `${name} became open.` }]
      : [],
  );
}

/** The changes that no entry of the changelog's unreleased section names; for a breaking change the entry must say "breaking". */
export function untoldChanges(changes: readonly ContractChange[], changelog: string, released: string): ContractChange[] {
  const told = linesSince(changelog, released);
  return changes.filter(({ coordinate, severity }) => {
    const name = `\`${coordinate}\``;
    return !told.some((line) => line.includes(name) && (severity !== 'breaking' || /\bbreaking\b/i.test(line)));
  });
}

/** The entries above the section of the released version, each as one line. */
function linesSince(changelog: string, released: string): string[] {
  const sections = changelog.split(/^(?=## )/m).slice(1);
  const end = sections.findIndex((section) => section.startsWith(`## ${released} `) || section.startsWith(`## ${released}\n`));
  const unreleased = end === -1 ? sections : sections.slice(0, end);
  return unreleased.flatMap((section) => section.split(/\n(?=- )/)).map((entry) => entry.replaceAll(/\s+/g, ' '));
}

function coordinateOf(description: string): string {
  for (const [wording, coordinate] of wordings) {
    const found = wording.exec(description);
    if (found) return coordinate.replaceAll(/\$(\d)/g, (_, group) => found[Number(group)] ?? '');
  }
  return description;
}

/** The types that exist in both contracts, by name. */
function inBoth(before: GraphQLSchema, after: GraphQLSchema): [GraphQLNamedType, GraphQLNamedType][] {
  return Object.values(before.getTypeMap()).flatMap((old) => {
    const now = after.getType(old.name);
    return now && !old.name.startsWith('__') ? [[old, now]] : [];
  });
}

function enumsOfAnswers(schema: GraphQLSchema): ReadonlySet<string> {
  const types = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) || isInterfaceType(type));
  const answered = types.flatMap((type) => Object.values(type.getFields()).map((field) => getNamedType(field.type)));
  return new Set(answered.filter(isEnumType).map(({ name }) => name));
}

function inputsBecomeOneOf(before: GraphQLSchema, after: GraphQLSchema): ContractChange[] {
  return inBoth(before, after).flatMap(([old, now]): ContractChange[] =>
    isInputObjectType(old) && isInputObjectType(now) && now.isOneOf && !old.isOneOf
      ? [{ coordinate: now.name, severity: 'breaking', description: `${now.name} became @oneOf.` }]
      : [],
  );
}

function inputDefaults(before: GraphQLSchema, after: GraphQLSchema): ContractChange[] {
  return inBoth(before, after).flatMap(([old, now]) => {
    if (!isInputObjectType(old) || !isInputObjectType(now)) return [];
    return Object.values(old.getFields()).flatMap((field): ContractChange[] => {
      const other = now.getFields()[field.name];
      const [was, is] = [defaultOf(field), other && defaultOf(other)];
      const coordinate = `${now.name}.${field.name}`;
      return is === undefined || was === is
        ? []
        : [{ coordinate, severity: 'dangerous', description: `${coordinate} has changed its default from ${was} to ${is}.` }];
    });
  });
}

function defaultOf({ defaultValue, type }: { defaultValue?: unknown; type: Parameters<typeof astFromValue>[1] }): string {
  const node = astFromValue(defaultValue, type);
  return node ? print(node) : 'none';
}

function notations(before: GraphQLSchema, after: GraphQLSchema): ContractChange[] {
  return inBoth(before, after).flatMap(([old, now]): ContractChange[] => {
    if (!isScalarType(old) || !isScalarType(now) || !old.specifiedByURL || old.specifiedByURL === now.specifiedByURL) return [];
    return [{ coordinate: now.name, severity: 'dangerous', description: `${now.name} is specified elsewhere.` }];
  });
}

const directoryOfRelease = /^(\d+)\.(\d+)\.(\d+)$/;

/** The highest version among the names of directories; null before the first release. Ignores other names. */
export function latestRelease(names: readonly string[]): string | null {
  const versions = names.flatMap((name) => {
    const parts = directoryOfRelease.exec(name)?.slice(1).map(Number);
    return parts ? [parts] : [];
  });
  const [latest] = versions.toSorted((a, b) => (b[0] ?? 0) - (a[0] ?? 0) || (b[1] ?? 0) - (a[1] ?? 0) || (b[2] ?? 0) - (a[2] ?? 0));
  return latest?.join('.') ?? null;
}
