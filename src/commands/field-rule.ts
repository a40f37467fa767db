// Which rule a field of GraphQL needs, according to the published schema.
import { readFileSync } from 'node:fs';
import { type ConstDirectiveNode, Kind, parse } from 'graphql';

/** The rule of a field such as `Query.resourceProviders`; or why it has none, in words that follow the name of the field. */
export function ruleOfField(field: string): { readonly rule: string } | { readonly fault: string } {
  const [typeName, fieldName] = field.split('.');
  const { definitions } = parse(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'), { noLocation: true });
  for (const definition of definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.INTERFACE_TYPE_DEFINITION) continue;
    if (definition.name.value !== typeName) continue;
    const found = definition.fields?.find(({ name }) => name.value === fieldName);
    if (found) return needIn(found.directives) ?? needIn(definition.directives) ?? { fault: 'has no rule, so no caller may read it' };
  }
  return { fault: 'is not in the schema' };
}

function needIn(directives: readonly ConstDirectiveNode[] = []) {
  for (const { name, arguments: given } of directives) {
    if (name.value === 'public') return { fault: 'is for everybody, without a token' };
    if (name.value === 'partOfParent') return { fault: 'needs the rule of the field that returns its type: check that field' };
    const rule = name.value === 'access' && given?.find((argument) => argument.name.value === 'rule')?.value;
    if (rule && rule.kind === Kind.STRING) return { rule: rule.value };
  }
  return null;
}
