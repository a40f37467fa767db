// Checks the arguments below the fields of a mutation before any of them runs: each resolver there is asked with its own arguments for
// an object that does not exist, so that it refuses now what it would refuse once the write is done. Knows no field and no rule.
import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getArgumentValues,
  type OperationDefinitionNode,
  OperationTypeNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { Refusal } from '../domain/errors.ts';

interface Asked {
  readonly field: GraphQLField<unknown, unknown>;
  readonly node: FieldNode;
}

/** What is wrong with the arguments below the fields of a mutation, whose variables were read; nothing for other operations. */
export type Rehearse = (
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
  context: unknown,
) => Promise<readonly GraphQLError[]>;

/** A rehearsal for one schema. Which fields of a document have arguments is found once. */
export function createRehearsal(schema: GraphQLSchema): Rehearse {
  const known = new WeakMap<OperationDefinitionNode, readonly Asked[]>();
  return async (document, operation, variables, context) => {
    if (operation.operation !== OperationTypeNode.MUTATION) return [];
    let asked = known.get(operation);
    if (!asked) {
      asked = fieldsWithArguments(schema, document, operation);
      known.set(operation, asked);
    }
    if (asked.length === 0) return [];
    const refused = await Promise.all(asked.map((one) => refusalOf(one, variables, context)));
    return refused.filter((error) => error !== null);
  };
}

function fieldsWithArguments(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Asked[] {
  const asked: Asked[] = [];
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

/** Stands for every object that a field with arguments may belong to: no row has such a key. */
const noObject = { id: 0, rootId: 0, uuid: '00000000-0000-0000-0000-000000000000', externalId: '', name: '' };
const noInfo = {} as GraphQLResolveInfo;

async function refusalOf(
  { field, node }: Asked,
  variables: Readonly<Record<string, unknown>>,
  context: unknown,
): Promise<GraphQLError | null> {
  try {
    const given = getArgumentValues(field, node, variables);
    await field.resolve?.(noObject, given, context, noInfo);
    return null;
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    // Anything else is about the object that does not exist, or an outage, which the write will meet itself.
    if (!(error instanceof Refusal) || !error.problems.some(({ path }) => path.length > 0)) return null;
    return new GraphQLError(error.message, { nodes: node, originalError: error });
  }
}
