// Checks the arguments below the fields of a mutation before any of them runs: calls each resolver there with its own arguments for
// an object that does not exist, so that it refuses now what it would refuse after the write. Knows no fields or rules.
import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getArgumentValues,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { Refusal } from '../domain/errors.ts';
import { type KeyedInput, MutationCall } from '../operations/request/mutation-call.ts';
import type { RequestScope } from '../operations/scope/scope.ts';
import { hasFirstAnswer } from '../operations/scope/write.ts';

interface FieldWithArguments {
  readonly field: GraphQLField<unknown, unknown>;
  readonly node: FieldNode;
}

/** The errors of the arguments below the fields of a mutation, given its coerced variables; none for other operations. */
export type Rehearse = (
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
  context: RequestScope,
) => Promise<readonly GraphQLError[]>;

/** A rehearsal for one schema. The fields with arguments are found once for each document. */
export function createRehearsal(schema: GraphQLSchema): Rehearse {
  const known = new WeakMap<OperationDefinitionNode, readonly FieldWithArguments[]>();
  return async (document, operation, variables, context) => {
    if (operation.operation !== OperationTypeNode.MUTATION) return [];
    let asked = known.get(operation);
    if (!asked) {
      asked = fieldsWithArguments(schema, document, operation);
      known.set(operation, asked);
    }
    if (asked.length === 0) return [];
    const refusals = await Promise.all(asked.map((one) => refusalOf(one, variables, context)));
    const refused = refusals.filter((error) => error !== null);
    return refused.length > 0 && (await hasFirstAnswers(schema, operation, variables, context)) ? [] : refused;
  };
}

function fieldsWithArguments(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): FieldWithArguments[] {
  const asked: FieldWithArguments[] = [];
  const typeInfo = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      OperationDefinition: (node) => (node === operation ? undefined : false),
      Field: (node) => {
        const field = typeInfo.getFieldDef();
        if (field?.resolve && node.arguments?.length && typeInfo.getParentType() !== schema.getMutationType()) asked.push({ field, node });
      },
    }),
  );
  return asked;
}

/**
 * Whether every field of a mutation was already answered under its key. Such a call writes nothing and gets its first answers, even if
 * something that its arguments name has been deleted since.
 */
async function hasFirstAnswers(
  schema: GraphQLSchema,
  { selectionSet: { selections } }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
  scope: RequestScope,
): Promise<boolean> {
  const answered = await Promise.all(
    selections.map(async (node) => {
      const field = node.kind === Kind.FIELD && schema.getMutationType()?.getFields()[node.name.value];
      if (!field) return false;
      try {
        const { input } = getArgumentValues(field, node, variables) as { input: KeyedInput };
        return await hasFirstAnswer({ db: scope.db, mutation: new MutationCall(field.name, input, scope.identity) });
      } catch (error) {
        // A call that is refused has never been answered under its key.
        if (error instanceof Refusal || error instanceof GraphQLError) return false;
        throw error;
      }
    }),
  );
  return answered.every((one) => one);
}

/** Stands in for any parent object of a field with arguments: no row has this key. */
const noObject = { id: 0, rootId: 0, uuid: '00000000-0000-0000-0000-000000000000', externalId: '', name: '' };

async function refusalOf(
  { field, node }: FieldWithArguments,
  variables: Readonly<Record<string, unknown>>,
  context: RequestScope,
): Promise<GraphQLError | null> {
  try {
    const given = getArgumentValues(field, node, variables);
    await field.resolve?.(noObject, given, context, { fieldNodes: [node] } as Partial<GraphQLResolveInfo> as GraphQLResolveInfo);
    return null;
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    // Other errors are due to the nonexistent object, or to an outage, which the write will meet itself.
    if (!(error instanceof Refusal) || !error.problems.some(({ path }) => path.length > 0)) return null;
    return new GraphQLError(error.message, { nodes: node, originalError: error });
  }
}
