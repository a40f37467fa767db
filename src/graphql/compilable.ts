// Which operations graphql-jit may compile: those that it runs exactly as graphql-js does. In others, it would run a literal of the caller as code, leave out or
// reorder fields, or give resolvers other arguments (read in 0.8.9).
import {
  type ASTVisitor,
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/**
 * Literals become part of the code, where those that contain a certain mark are taken as code. No text of these characters without two underscores in a row
 * can contain it, however a scalar writes it.
 */
const harmless = /^(?!.*__)[\w .,:;+\-/=*@%()]*$/;

/**
 * The optional variables that each request of a compiled operation must give, or null where the operation must not be compiled. They stand within objects of the
 * document, where one that is not given would be taken as null, which clears what it should leave unchanged.
 */
export function requiredToCompile(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): readonly string[] | null {
  const optional = optionalVariables(operation);
  const typeInfo = new TypeInfo(schema);
  const required = new Set<string>();
  let isSound = true;
  let hasConditions = false;
  let repeatsFields = false;
  const checks: ASTVisitor = {
    StringValue: ({ value }) => {
      isSound &&= harmless.test(value);
    },
    // Variables in an object for a scalar, such as `_Any`, are lost.
    ObjectValue: () => {
      isSound &&= isInputObjectType(getNamedType(typeInfo.getInputType()));
    },
    ObjectField: ({ value }) => {
      if (value.kind === Kind.VARIABLE && optional.has(value.name.value)) required.add(value.name.value);
    },
    // Where only a default makes an optional variable valid, null is accepted. Variables and aliases are kept in plain objects.
    Variable: ({ name }) => {
      isSound &&= !(name.value in Object.prototype) && !(optional.has(name.value) && isNonNullType(typeInfo.getInputType()));
    },
    // What a resolver is told of its field is kept under the joined names on the way to it.
    Field: ({ alias }) => {
      isSound &&= alias === undefined || (!alias.value.includes('_') && !(alias.value in Object.prototype));
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

function optionalVariables({ variableDefinitions = [] }: OperationDefinitionNode): ReadonlySet<string> {
  return new Set(variableDefinitions.filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE).map(({ variable }) => variable.name.value));
}
