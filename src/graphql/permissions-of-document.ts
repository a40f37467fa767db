// What an operation asks for: the rules that its fields, arguments and literals need, and the variables whose values may need more. Fragments count where they
// are spread, skipped fields as others: what is refused must not depend on variables. Knows no caller.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLEnumType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  type ValueNode,
} from 'graphql';
import type { Variables } from './limits.ts';
import { declaredNeed, type Need, needOfField, ruleOfInput, rulesWithin } from './permissions-of-schema.ts';

/** What an operation asks for. */
export interface Asked {
  /** Whether it is for everyone, also without a token. */
  readonly isPublic: boolean;
  /** The rules that it needs, each with the first element that needs it, such as `Query.consumers`. */
  readonly needs: ReadonlyMap<string, string>;
  /** An element without a declared need. */
  readonly undeclared: string | null;
  /** The variables whose values may need rules. */
  readonly given: readonly GivenVariable[];
}

/** A use of a variable. */
export interface GivenVariable {
  readonly name: string;
  readonly type: GraphQLInputType;
  /** Where it is used, and the rule that this place needs if a value is given. */
  readonly element: string;
  readonly rule: string | null;
  /** All rules that a value can need. */
  readonly rules: ReadonlySet<string>;
}

/** Told of a rule that something needs. */
type OnNeed = (rule: string, element: string) => void;

/** Collects what a validated operation asks for. */
export function askedIn(schema: GraphQLSchema, { definitions }: DocumentNode, operation: OperationDefinitionNode): Asked {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions) if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  const needs = new Map<string, string>();
  const given: GivenVariable[] = [];
  const spread = new Set<string>();
  let undeclared: string | null = null;
  let isPublic = operation.operation === OperationTypeNode.QUERY;

  const onNeed: OnNeed = (rule, element) => {
    if (!needs.has(rule)) needs.set(rule, element);
  };
  const take = (need: Need, element: string): void => {
    if (need === 'as its parent') return;
    if (need !== 'nothing') isPublic = false;
    if (need === null) undeclared ??= element;
    else if (typeof need === 'object') onNeed(need.rule, element);
  };

  const visitSelections = ({ selections }: SelectionSetNode, type: GraphQLNamedType | undefined): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) visitField(selection, type);
      else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition;
        visitSelections(selection.selectionSet, condition ? schema.getType(condition.name.value) : type);
      } else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment) visitSelections(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value));
      }
    }
  };

  const visitField = (node: FieldNode, owner: GraphQLNamedType | undefined): void => {
    const name = node.name.value;
    if (name === TypeNameMetaFieldDef.name) return;
    if (name === SchemaMetaFieldDef.name || name === TypeMetaFieldDef.name) {
      take(introspection, `Query.${name}`);
      return;
    }
    const field = isObjectType(owner) || isInterfaceType(owner) ? owner.getFields()[name] : undefined;
    const element = `${owner?.name}.${name}`;
    if (!owner || !field) {
      take(null, element);
      return;
    }
    take(needOfField(owner, field), element);
    const type = getNamedType(field.type);
    // Whether there is an object is part of the object.
    const needOfType = isCompositeType(type) ? declaredNeed(type) : null;
    if (needOfType !== null) take(needOfType, element);
    for (const argument of node.arguments ?? []) {
      const definition = field.args.find((each) => each.name === argument.name.value);
      if (definition) visitValue(argument.value, definition.type, `${element}(${definition.name}:)`, ruleOfInput(definition));
    }
    if (node.selectionSet) visitSelections(node.selectionSet, type);
  };

  const visitValue = (value: ValueNode, type: GraphQLInputType, element: string, rule: string | null): void => {
    if (value.kind === Kind.NULL) return;
    if (value.kind === Kind.VARIABLE) {
      const rules = new Set([...(rule === null ? [] : [rule]), ...rulesWithin(type)]);
      if (rules.size > 0) given.push({ name: value.name.value, type, element, rule, rules });
      return;
    }
    if (rule !== null) onNeed(rule, element);
    const named = getNamedType(type);
    if (value.kind === Kind.LIST) for (const each of value.values) visitValue(each, type, element, null);
    else if (value.kind === Kind.ENUM && isEnumType(named)) needOfValue(named, value.value, onNeed);
    else if (value.kind === Kind.OBJECT && isInputObjectType(named)) {
      for (const { name, value: inner } of value.fields) {
        const field = named.getFields()[name.value];
        if (field) visitValue(inner, field.type, `${named.name}.${field.name}`, ruleOfInput(field));
      }
    }
  };

  visitSelections(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined);
  for (const { name, defaultValue } of operation.variableDefinitions?.map(({ variable, ...rest }) => ({
    ...rest,
    name: variable.name.value,
  })) ?? []) {
    if (!defaultValue) continue;
    for (const use of given.filter((each) => each.name === name)) visitValue(defaultValue, use.type, use.element, use.rule);
  }
  return { isPublic, needs, undeclared, given };
}

const introspection: Need = { rule: 'placement:graphql:schema:read' };

/** Tells the rules that the value of a variable needs. */
export function inputsGiven({ name, type, element, rule }: GivenVariable, variables: Variables, onNeed: OnNeed): void {
  const value = variables[name];
  if (value === undefined || value === null) return;
  if (rule !== null) onNeed(rule, element);
  needsOfValue(value, type, onNeed);
}

function needsOfValue(value: unknown, type: GraphQLInputType, onNeed: OnNeed): void {
  const nullable = getNullableType(type);
  if (isListType(nullable) && Array.isArray(value)) {
    for (const each of value) needsOfValue(each, nullable.ofType, onNeed);
    return;
  }
  const named = getNamedType(nullable);
  if (isEnumType(named) && typeof value === 'string') needOfValue(named, value, onNeed);
  if (!isInputObjectType(named) || typeof value !== 'object' || value === null) return;
  for (const field of Object.values(named.getFields())) {
    const inner = (value as Variables)[field.name];
    if (inner === undefined || inner === null) continue;
    const rule = ruleOfInput(field);
    if (rule !== null) onNeed(rule, `${named.name}.${field.name}`);
    needsOfValue(inner, field.type, onNeed);
  }
}

function needOfValue(type: GraphQLEnumType, name: string, onNeed: OnNeed): void {
  const value = type.getValue(name);
  const rule = value ? ruleOfInput(value) : null;
  if (rule !== null) onNeed(rule, `${type.name}.${name}`);
}
