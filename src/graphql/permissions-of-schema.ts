// What each element of a schema needs, as its directives say: `@access(rule:)`, `@partOfParent`, `@public`. Reads the schema once; knows no caller and no
// operation.
import {
  type ConstDirectiveNode,
  type GraphQLArgument,
  type GraphQLEnumValue,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

/** What an element needs: a rule; only what its parent needs; nothing at all; or null if nothing is declared, and then nobody may use it. */
export type Need = { readonly rule: string } | 'as its parent' | 'nothing' | null;

type Element = GraphQLNamedType | GraphQLField<unknown, unknown> | GraphQLArgument | GraphQLInputField | GraphQLEnumValue;

/** What the directives of an element say. */
export function declaredNeed({ astNode, ...element }: Element): Need {
  const extensions = 'extensionASTNodes' in element ? element.extensionASTNodes : [];
  for (const { name, arguments: given } of [astNode, ...extensions].flatMap(
    (node): readonly ConstDirectiveNode[] => node?.directives ?? [],
  )) {
    if (name.value === 'public') return 'nothing';
    if (name.value === 'partOfParent') return 'as its parent';
    const rule = name.value === 'access' && given?.find((argument) => argument.name.value === 'rule')?.value;
    if (rule && rule.kind === 'StringValue') return { rule: rule.value };
  }
  return null;
}

/** What a field needs: its own need, otherwise that of its type. */
export function needOfField(owner: GraphQLNamedType, field: GraphQLField<unknown, unknown>): Need {
  return declaredNeed(field) ?? declaredNeed(owner);
}

/** The rule of an argument, a field of an input or a value of an enum; null for most, which need none. */
export function ruleOfInput(element: GraphQLArgument | GraphQLInputField | GraphQLEnumValue): string | null {
  const need = declaredNeed(element);
  return typeof need === 'object' && need !== null ? need.rule : null;
}

/** The rules that a type, its fields, their arguments and its values name. */
export function rulesNamedBy(type: GraphQLNamedType): string[] {
  const parts: Element[] = [type];
  if (isEnumType(type)) parts.push(...type.getValues());
  else if (isInputObjectType(type)) parts.push(...Object.values(type.getFields()));
  else if (isObjectType(type) || isInterfaceType(type)) {
    for (const field of Object.values(type.getFields())) parts.push(field, ...field.args);
  }
  return parts.flatMap((part) => {
    const need = declaredNeed(part);
    return typeof need === 'object' && need !== null ? [need.rule] : [];
  });
}

const known = new WeakMap<GraphQLNamedType, ReadonlySet<string>>();

/** The rules that values of an input type may need, at any depth. */
export function rulesWithin(type: GraphQLInputType): ReadonlySet<string> {
  const named = getNamedType(type);
  const before = known.get(named);
  if (before) return before;
  const rules = new Set<string>();
  const seen = new Set<GraphQLNamedType>();
  const collect = (each: GraphQLNamedType): void => {
    if (seen.has(each)) return;
    seen.add(each);
    const parts = isEnumType(each) ? each.getValues() : isInputObjectType(each) ? Object.values(each.getFields()) : [];
    for (const part of parts) {
      const rule = ruleOfInput(part);
      if (rule !== null) rules.add(rule);
      if ('type' in part) collect(getNamedType(part.type));
    }
  };
  collect(named);
  known.set(named, rules);
  return rules;
}
