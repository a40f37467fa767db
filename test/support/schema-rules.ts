// Rules that tests check against a schema, and what they go through.
import {
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';

/** Returns the places that violate it. */
export type Rule = (schema: GraphQLSchema) => string[];
export type Field = GraphQLField<unknown, unknown> | GraphQLInputField;

export interface Place {
  readonly owner: GraphQLNamedType;
  readonly field: Field;
  readonly label: string;
}

export function ownTypes(schema: GraphQLSchema): GraphQLNamedType[] {
  return Object.values(schema.getTypeMap()).filter((type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type));
}

export function fieldsOf(type: GraphQLNamedType): Field[] {
  return isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? Object.values(type.getFields()) : [];
}

/** All fields of all types and inputs. */
export function places(schema: GraphQLSchema): Place[] {
  return ownTypes(schema).flatMap((owner) => fieldsOf(owner).map((field) => ({ owner, field, label: `${owner.name}.${field.name}` })));
}
