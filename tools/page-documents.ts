// The documents of the dashboard as modules: one beside each file of src/ui/dashboard/**/*.graphql, with the types of variables and answers. The page sends the
// text as it is in the module, so it needs no parser.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codegen } from '@graphql-codegen/core';
import * as operationsPlugin from '@graphql-codegen/typescript-operations';
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  stripIgnoredCharacters,
  visit,
} from 'graphql';

const pages = fileURLToPath(new URL('../src/ui/dashboard', import.meta.url));
/** Fragments for all pages; every other file is a module. */
const fragmentsFile = 'data/fragments.graphql';

/** The text of each module by its path in the project. Rejects if a document does not match the contract. */
export async function pageDocuments(schema: DocumentNode): Promise<Record<string, string>> {
  const read = (file: string) => parse(readFileSync(`${pages}/${file}`, 'utf8'));
  const fragments = read(fragmentsFile);
  const files = readdirSync(pages, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.graphql') && file !== fragmentsFile)
    .sort();
  const modules = await Promise.all(files.map(async (file) => [moduleOf(file), await moduleText(schema, file, read(file), fragments)]));
  return Object.fromEntries(modules);
}

function moduleOf(file: string): string {
  return `src/ui/dashboard/${file.replace(/\.graphql$/, '.generated.ts')}`;
}

async function moduleText(schema: DocumentNode, file: string, document: DocumentNode, fragments: DocumentNode): Promise<string> {
  const known = [...document.definitions, ...fragments.definitions].filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  const used = new Set(operations.flatMap((operation) => fragmentsOf(operation, known)));
  const types = await codegen({
    filename: moduleOf(file),
    schema,
    documents: [{ location: file, document: { kind: Kind.DOCUMENT, definitions: [...used, ...operations] } }],
    pluginMap: { operations: operationsPlugin },
    plugins: [{ operations: {} }],
    config: {
      scalars: scalarsOfAnswers,
      strictScalars: true,
      defaultScalarType: 'unknown',
      enumsAsTypes: true,
      immutableTypes: true,
      skipTypename: true,
      useTypeImports: true,
      inlineFragmentTypes: 'combine',
    },
  });
  const depth = file.split('/').length - 1;
  const documents = operations.map((operation) => {
    const { value: name } = operation.name ?? { value: '' };
    const text = stripIgnoredCharacters([operation, ...fragmentsOf(operation, known)].map((part) => print(part)).join('\n'));
    const type = `${name}${operation.operation === 'query' ? 'Query' : operation.operation === 'mutation' ? 'Mutation' : 'Subscription'}`;
    return `export const ${name} = documentOf<${type}, ${type}Variables>(\n  '${name}',\n  ${JSON.stringify(text)},\n);\n`;
  });
  return [
    `// Generated from ${file.split('/').at(-1)} and schema.graphql by \`npm run generate\`. Do not edit.`,
    `import { documentOf } from '${depth === 0 ? './' : '../'.repeat(depth)}data/document.ts';`,
    '',
    types.trim(),
    '',
    ...documents,
  ].join('\n');
}

/** The types in the JSON of an answer. */
const scalarsOfAnswers = {
  ...{ ID: 'string', UUID: 'string', DateTime: 'string', SafeInt: 'number', True: 'true' },
  ...{ IntColumn: 'readonly (number | null)[]', TextColumn: 'readonly (string | null)[]', IntListColumn: 'readonly (readonly number[])[]' },
};

/** The fragments that a part of a document spreads, directly or through others, each once. */
function fragmentsOf(
  part: OperationDefinitionNode | FragmentDefinitionNode,
  known: readonly FragmentDefinitionNode[],
): FragmentDefinitionNode[] {
  const found = new Set<FragmentDefinitionNode>();
  const look = (node: OperationDefinitionNode | FragmentDefinitionNode) => {
    visit(node, {
      FragmentSpread({ name }) {
        const fragment = known.find((one) => one.name.value === name.value);
        if (fragment === undefined || found.has(fragment)) return;
        found.add(fragment);
        look(fragment);
      },
    });
  };
  look(part);
  return [...found];
}
