// Which operations graphql-jit may compile: those that it runs exactly as graphql-js does, and of which the code is small. In others, it would run a literal of the
// caller as code, leave out or reorder fields, or give resolvers other arguments (read in 0.8.9).
import {
  type ASTVisitor,
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  specifiedScalarTypes,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { fieldOf, fragmentsOf } from './cost.ts';
import { dateTimeScalar, safeIntScalar, trueScalar, uuidScalar } from './scalars.ts';

/**
 * Literals become part of the code, where those that contain a certain mark are taken as code. No text of these characters without two underscores in a row
 * can contain it, however a scalar writes it.
 */
const harmless = /^(?!.*__)[\w .,:;+\-/=*@%()]*$/;

/** The scalars whose literals are single numbers, strings or booleans. Others, such as `_Any`, take names, lists and objects, too, and lose variables within. */
const plainScalars = new Set([...specifiedScalarTypes, uuidScalar, dateTimeScalar, safeIntScalar, trueScalar].map(({ name }) => name));

/** The code repeats the names on the way to a field wherever that may fail. */
const nameLength = 60;
/** Literals are part of the code. In characters. */
const documentLength = 8192;
/** Each takes 40 us to compile, which blocks the event loop, and a kilobyte. The pages have at most 110. */
const selectionsAtMost = 500;

/** What is needed to run an operation that may be compiled. */
export interface Compilable {
  /**
   * The optional variables that each request must give. They stand within objects of the document, where one that is not given would be taken as null, which
   * clears what it should leave unchanged.
   */
  readonly given: readonly string[];
  /** The selections of the code. */
  readonly selections: number;
}

/** Null if graphql-js must run it. */
export function compilable(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Compilable | null {
  if ((document.loc?.end ?? 0) > documentLength) return null;
  const selections = selectionsOfCode(schema, document, operation);
  if (selections > selectionsAtMost) return null;
  const given = requiredVariables(schema, document, operation);
  return given && { given, selections };
}

/** The number of selections in the code that would be generated: those below an abstract type are repeated for each of its types. */
function selectionsOfCode(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): number {
  const fragments = fragmentsOf(document);
  const typesOf = (type: GraphQLNamedType | undefined) => (isAbstractType(type) ? schema.getPossibleTypes(type).length : 1);
  const count = ({ selections }: SelectionSetNode, type: GraphQLNamedType | undefined, times: number): number =>
    selections.reduce((sum, selection) => {
      if (selection.kind === Kind.FIELD) {
        const definition = selection.selectionSet && fieldOf(type, selection.name.value);
        const below = definition && getNamedType(definition.type);
        return sum + times + (selection.selectionSet ? count(selection.selectionSet, below, times * typesOf(below)) : 0);
      }
      const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      if (!inner) return sum;
      const narrowed = inner.typeCondition ? schema.getType(inner.typeCondition.name.value) : type;
      return sum + count(inner.selectionSet, narrowed, Math.min(times, (times / typesOf(type)) * typesOf(narrowed)));
    }, 0);
  return count(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined, 1);
}

/** Null if it would run in another way. */
function requiredVariables(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): readonly string[] | null {
  const optional = optionalVariables(operation);
  const typeInfo = new TypeInfo(schema);
  const required = new Set<string>();
  let isSound = true;
  let hasConditions = false;
  let repeatsFields = false;
  const literal = () => {
    const type = getNamedType(typeInfo.getInputType());
    isSound &&= isInputObjectType(type) || isEnumType(type) || (type !== undefined && plainScalars.has(type.name));
  };
  const checks: ASTVisitor = {
    IntValue: literal,
    FloatValue: literal,
    BooleanValue: literal,
    NullValue: literal,
    EnumValue: literal,
    ListValue: literal,
    ObjectValue: literal,
    StringValue: ({ value }) => {
      literal();
      isSound &&= harmless.test(value);
    },
    ObjectField: ({ value }) => {
      if (value.kind === Kind.VARIABLE && optional.has(value.name.value)) required.add(value.name.value);
    },
    // Where only a default makes an optional variable valid, null is accepted. Variables and aliases are kept in plain objects.
    Variable: ({ name }) => {
      isSound &&= isName(name.value) && !(optional.has(name.value) && isNonNullType(typeInfo.getInputType()));
    },
    // What a resolver is told of its field is kept under the joined names on the way to it.
    Field: ({ alias }) => {
      isSound &&= alias === undefined || (!alias.value.includes('_') && isName(alias.value));
    },
    Directive: () => {
      hasConditions = true;
    },
    FragmentSpread: () => {
      repeatsFields = true;
    },
    InlineFragment: () => {
      repeatsFields = true;
    },
    SelectionSet: ({ selections }) => {
      const keys = selections.flatMap((selection) => (selection.kind === Kind.FIELD ? (selection.alias ?? selection.name).value : []));
      repeatsFields ||= new Set(keys).size < keys.length;
    },
  };
  visit(document, visitWithTypeInfo(typeInfo, checks));
  // The conditions of one occurrence of a field would hold for others.
  return isSound && !(hasConditions && repeatsFields) ? [...required] : null;
}

function isName(name: string): boolean {
  return !(name in Object.prototype) && name.length <= nameLength;
}

function optionalVariables({ variableDefinitions = [] }: OperationDefinitionNode): ReadonlySet<string> {
  return new Set(variableDefinitions.filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE).map(({ variable }) => variable.name.value));
}
