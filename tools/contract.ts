// Assembles schema.graphql, the contract as users read it, from its parts by noun in src/graphql/schema/. Parts extend Query
// and Mutation by `extend type`; this file merges them into one type each. Writes nothing: codegen.ts does.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type ASTNode,
  type ConstDirectiveNode,
  type DefinitionNode,
  type FieldDefinitionNode,
  isTypeDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  type TypeDefinitionNode,
  visit,
} from 'graphql';
import { withNumbers } from './contract-numbers.ts';

/** The end of the title of a part that is not promised yet. */
const endOfPreview = ' (preview)';

const folder = fileURLToPath(new URL('../src/graphql/schema/', import.meta.url));

/** The parts in the order in which users read them; `roots` has Query and Mutation. */
const order = [
  ...['roots', 'scalars', 'providers', 'inventories', 'resource-classes', 'traits', 'aggregates', 'consumers', 'allocations', 'usages'],
  ...['quotas', 'reservations'],
  ...['cloud-map', 'search', 'events', 'history', 'subscriptions', 'candidates', 'claims', 'trees', 'problems', 'service', 'viewer'],
  'bridge',
  ...['flavors', 'nova-settings', 'destinations', 'instances', 'migrations', 'audits', 'plans', 'compute-nodes', 'services', 'pools'],
];

const opening =
  '# The contract of placement-gateway, a section for each noun. Every element says what it means and in which unit: this file is the manual.\n' +
  '# Generated from src/graphql/schema/ by `npm run generate`. Do not edit.\n';

interface Part {
  readonly title: string;
  readonly definitions: readonly DefinitionNode[];
}

/** Repeats directives at the end of descriptions, because introspection does not show directives. */
function withDirectivesTold<Node extends ASTNode>(node: Node, answered: ReadonlySet<string>): Node {
  return visit(node, {
    enter(one) {
      if (!('description' in one) || !('directives' in one) || !one.description) return undefined;
      const named = (wanted: string) => one.directives?.find(({ name }) => name.value === wanted);
      const rule = named('access')?.arguments?.[0]?.value;
      const told = [
        one.kind === Kind.ENUM_TYPE_DEFINITION && growthOf(named('open') !== undefined, answered.has(one.name.value)),
        named('preview') && 'Preview: it may change.',
        rule?.kind === Kind.STRING && `Rule: \`${rule.value}\`.`,
      ].filter((sentence) => typeof sentence === 'string');
      if (told.length === 0) return undefined;
      const value = [one.description.value.trimEnd(), ...told].join(' ');
      return { ...one, description: { ...one.description, value } };
    },
  });
}

function growthOf(isOpen: boolean, isAnswered: boolean): string {
  if (isOpen) return 'Open: values may be added.';
  return isAnswered ? 'Closed: no values are added.' : 'Only sent by callers: values may be added.';
}

/** The names of all types that fields have: any other enum occurs only in inputs. */
function typesOfFields(parts: readonly Part[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const definition of parts.flatMap(({ definitions }) => definitions)) {
    if (definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION || !('fields' in definition)) continue;
    for (const { type } of definition.fields ?? []) visit(type, { NamedType: ({ name }) => void names.add(name.value) });
  }
  return names;
}

/** Marks a definition of a preview part: each type, and each field that it adds to a root type. */
function asPreview(definition: DefinitionNode): DefinitionNode {
  if (definition.kind === Kind.OBJECT_TYPE_EXTENSION) return { ...definition, fields: definition.fields?.map(withPreview) ?? [] };
  return isTypeDefinitionNode(definition) ? withPreview(definition) : definition;
}

function withPreview<Node extends FieldDefinitionNode | TypeDefinitionNode>(node: Node): Node {
  const preview: ConstDirectiveNode = { kind: Kind.DIRECTIVE, name: { kind: Kind.NAME, value: 'preview' } };
  return { ...node, directives: [...(node.directives ?? []), preview] };
}

/** The text of schema.graphql. Fails if a part is missing from the order or has no title in its first line. */
export function assembleContract(): string {
  const names = readdirSync(folder).map((file) => file.replace(/\.graphql$/, ''));
  const stray = names.filter((name) => !order.includes(name));
  if (stray.length > 0) throw new Error(`tools/contract.ts lacks a place in the order for ${stray.join(', ')}`);
  const parts = order.map(readPart);
  const answered = typesOfFields(parts);
  const sections = parts.map(({ title, definitions }) => {
    const whole = definitions
      .filter(({ kind }) => kind !== Kind.OBJECT_TYPE_EXTENSION)
      .map((node) => print(withDirectivesTold(withFieldsOf(parts, node), answered)));
    return [heading(title), ...whole].join('\n\n');
  });
  return `${[opening, ...sections].join('\n')}\n`.replace(/\n(?=# ──)/g, '\n\n').replace(/\n{3,}/g, '\n\n');
}

function readPart(name: string): Part {
  const text = readFileSync(`${folder}${name}.graphql`, 'utf8');
  const title = /^# (.+)\n/.exec(text)?.[1];
  if (!title) throw new Error(`src/graphql/schema/${name}.graphql does not begin with its title: # Title`);
  const { definitions } = withNumbers(parse(text, { noLocation: true }), `src/graphql/schema/${name}.graphql`);
  return { title, definitions: title.endsWith(endOfPreview) ? definitions.map(asPreview) : definitions };
}

/** A root type with the fields that all parts add to it; any other definition unchanged. */
function withFieldsOf(parts: readonly Part[], node: DefinitionNode): DefinitionNode {
  if (node.kind !== Kind.OBJECT_TYPE_DEFINITION) return node;
  const added = parts.flatMap(({ definitions }) =>
    definitions.flatMap((other) =>
      other.kind === Kind.OBJECT_TYPE_EXTENSION && other.name.value === node.name.value ? (other.fields ?? []) : [],
    ),
  );
  const whole: ObjectTypeDefinitionNode = { ...node, fields: [...(node.fields ?? []), ...added] };
  return whole;
}

function heading(title: string): string {
  return `# ── ${title} ${'─'.repeat(Math.max(3, 116 - title.length))}`;
}
