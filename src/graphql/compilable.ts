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

/** Whether it may be compiled. */
export function isCompilable(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): boolean {
  const optional = optionalVariables(operation);
  const typeInfo = new TypeInfo(schema);
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
  return isSound && !(hasConditions && repeatsFields);
}

/** The optional variables within objects of the document: one that is not given would be taken as null, which clears what it should leave unchanged. */
export function optionalWithinObjects(document: DocumentNode, operation: OperationDefinitionNode): readonly string[] {
  const optional = optionalVariables(operation);
  const within = new Set<string>();
  visit(document, {
    ObjectField: ({ value }) => {
      if (value.kind === Kind.VARIABLE && optional.has(value.name.value)) within.add(value.name.value);
    },
  });
  return [...within];
}

function optionalVariables({ variableDefinitions = [] }: OperationDefinitionNode): ReadonlySet<string> {
  return new Set(variableDefinitions.filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE).map(({ variable }) => variable.name.value));
}
