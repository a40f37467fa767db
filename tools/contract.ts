// Assembles schema.graphql, the contract as users read it, from its parts by noun in src/graphql/schema/. Parts extend Query
// and Mutation by `extend type`; here they are merged into one type each. Writes nothing: codegen.ts does.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ASTNode, type DefinitionNode, Kind, type ObjectTypeDefinitionNode, parse, print, visit } from 'graphql';

const folder = fileURLToPath(new URL('../src/graphql/schema/', import.meta.url));

/** The parts in the order in which users read them; `roots` has Query and Mutation. */
const order = [
  ...['roots', 'scalars', 'providers', 'inventories', 'resource-classes', 'traits', 'aggregates', 'consumers', 'allocations', 'usages'],
  ...['cloud-map', 'search', 'events', 'history', 'subscriptions', 'candidates', 'claims', 'trees', 'problems', 'service', 'viewer'],
  ...['flavors', 'destinations', 'instances', 'migrations', 'audits', 'plans', 'compute-nodes', 'services', 'pools'],
];

const opening =
  '# The contract of placement-gateway, a section for each noun. Every element says what it means and in which unit: this file is the manual.\n' +
  '# Generated from src/graphql/schema/ by `npm run generate`. Do not edit.\n';

interface Part {
  readonly title: string;
  readonly definitions: readonly DefinitionNode[];
}

/** The rule of a type or field, told at the end of its description: introspection does not show directives. */
function withRuleTold<Node extends ASTNode>(node: Node): Node {
  return visit(node, {
    enter(one) {
      if (!('description' in one) || !('directives' in one) || !one.description) return undefined;
      const access = one.directives?.find(({ name }) => name.value === 'access');
      const rule = access?.arguments?.[0]?.value;
      if (rule?.kind !== Kind.STRING) return undefined;
      const value = `${one.description.value.trimEnd()} Rule: \`${rule.value}\`.`;
      return { ...one, description: { ...one.description, value } };
    },
  });
}

/** The text of schema.graphql. Fails if a part is missing from the order or has no title in its first line. */
export function assembleContract(): string {
  const names = readdirSync(folder).map((file) => file.replace(/\.graphql$/, ''));
  const stray = names.filter((name) => !order.includes(name));
  if (stray.length > 0) throw new Error(`tools/contract.ts does not say where ${stray.join(', ')} stands`);
  const parts = order.map(readPart);
  const sections = parts.map(({ title, definitions }) => {
    const whole = definitions
      .filter(({ kind }) => kind !== Kind.OBJECT_TYPE_EXTENSION)
      .map((node) => print(withRuleTold(withFieldsOf(parts, node))));
    return [heading(title), ...whole].join('\n\n');
  });
  return `${[opening, ...sections].join('\n')}\n`.replace(/\n(?=# ──)/g, '\n\n').replace(/\n{3,}/g, '\n\n');
}

function readPart(name: string): Part {
  const text = readFileSync(`${folder}${name}.graphql`, 'utf8');
  const title = /^# (.+)\n/.exec(text)?.[1];
  if (!title) throw new Error(`src/graphql/schema/${name}.graphql does not begin with its title: # Title`);
  return { title, definitions: parse(text, { noLocation: true }).definitions };
}

/** A root type with the fields that all parts add to it; other definitions unchanged. */
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
