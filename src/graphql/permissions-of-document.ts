// What an operation asks for: the rules that its fields, arguments and literals need, and the variables whose values may need more. Fragments count where they
// are spread, and skipped fields count like others: a refusal must not depend on what variables skip. Knows no caller.
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
  /** Whether it is for everyone, even without a token. */
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
  /** All rules that a value may need. */
  readonly rules: ReadonlySet<string>;
}

/** Called for each rule that an element needs. */
type OnNeed = (rule: string, element: string) => void;

/** Collects what a validated operation asks for. */
export function askedIn(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Asked {
  const collector = new Collector(schema, document, operation.operation === OperationTypeNode.QUERY);
  collector.visitOperation(operation);
  const { isPublic, needs, undeclared, given } = collector;
  return { isPublic, needs, undeclared, given };
}

/** Visits everything that an operation names. */
class Collector {
  isPublic: boolean;
  undeclared: string | null = null;
  readonly needs = new Map<string, string>();
  readonly given: GivenVariable[] = [];
  readonly #schema: GraphQLSchema;
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #spread = new Set<string>();

  constructor(schema: GraphQLSchema, { definitions }: DocumentNode, mayBePublic: boolean) {
    this.#schema = schema;
    this.isPublic = mayBePublic;
    for (const definition of definitions)
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(definition.name.value, definition);
  }

  visitOperation({ selectionSet, operation, variableDefinitions = [] }: OperationDefinitionNode): void {
    this.#visitSelections(selectionSet, this.#schema.getRootType(operation) ?? undefined);
    for (const { variable, defaultValue } of variableDefinitions) {
      if (!defaultValue) continue;
      const uses = this.given.filter(({ name }) => name === variable.name.value);
      for (const { type, element, rule } of uses) this.#visitValue(defaultValue, type, element, rule);
    }
  }

  readonly #onNeed: OnNeed = (rule, element) => {
    if (!this.needs.has(rule)) this.needs.set(rule, element);
  };

  #take(need: Need, element: string): void {
    if (need === 'as its parent') return;
    if (need !== 'nothing') this.isPublic = false;
    if (need === null) this.undeclared ??= element;
    else if (typeof need === 'object') this.#onNeed(need.rule, element);
  }

  #visitSelections({ selections }: SelectionSetNode, type: GraphQLNamedType | undefined): void {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) this.#visitField(selection, type);
      else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition;
        this.#visitSelections(selection.selectionSet, condition ? this.#schema.getType(condition.name.value) : type);
      } else if (!this.#spread.has(selection.name.value)) {
        this.#spread.add(selection.name.value);
        const fragment = this.#fragments.get(selection.name.value);
        if (fragment) this.#visitSelections(fragment.selectionSet, this.#schema.getType(fragment.typeCondition.name.value));
      }
    }
  }

  #visitField(node: FieldNode, owner: GraphQLNamedType | undefined): void {
    const name = node.name.value;
    if (name === TypeNameMetaFieldDef.name) return;
    if (name === SchemaMetaFieldDef.name || name === TypeMetaFieldDef.name) {
      this.#take(introspection, `Query.${name}`);
      return;
    }
    const field = isObjectType(owner) || isInterfaceType(owner) ? owner.getFields()[name] : undefined;
    const element = `${owner?.name}.${name}`;
    if (!owner || !field) {
      this.#take(null, element);
      return;
    }
    this.#take(needOfField(owner, field), element);
    const type = getNamedType(field.type);
    // Whether an object exists is part of the object.
    const needOfType = isCompositeType(type) ? declaredNeed(type) : null;
    if (needOfType !== null) this.#take(needOfType, element);
    for (const argument of node.arguments ?? []) {
      const definition = field.args.find((each) => each.name === argument.name.value);
      if (definition) this.#visitValue(argument.value, definition.type, `${element}(${definition.name}:)`, ruleOfInput(definition));
    }
    if (node.selectionSet) this.#visitSelections(node.selectionSet, type);
  }

  #visitValue(value: ValueNode, type: GraphQLInputType, element: string, rule: string | null): void {
    if (value.kind === Kind.NULL) return;
    if (value.kind === Kind.VARIABLE) {
      const rules = new Set([...(rule === null ? [] : [rule]), ...rulesWithin(type)]);
      if (rules.size > 0) this.given.push({ name: value.name.value, type, element, rule, rules });
      return;
    }
    if (rule !== null) this.#onNeed(rule, element);
    const named = getNamedType(type);
    if (value.kind === Kind.LIST) for (const each of value.values) this.#visitValue(each, type, element, null);
    else if (value.kind === Kind.ENUM && isEnumType(named)) needOfValue(named, value.value, this.#onNeed);
    else if (value.kind === Kind.OBJECT && isInputObjectType(named)) {
      for (const { name, value: inner } of value.fields) {
        const field = named.getFields()[name.value];
        if (field) this.#visitValue(inner, field.type, `${named.name}.${field.name}`, ruleOfInput(field));
      }
    }
  }
}

const introspection: Need = { rule: 'placement:graphql:schema:read' };

/** Reports the rules that the value of a variable needs. */
export function inputsGiven({ name, type, element, rule }: GivenVariable, variables: Variables, onNeed: OnNeed): void {
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
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
