// The type of rules that tests check against a schema: a rule returns the places that violate it.
import type { GraphQLField, GraphQLInputField, GraphQLSchema } from 'graphql';

export type Rule = (schema: GraphQLSchema) => string[];
export type Field = GraphQLField<unknown, unknown> | GraphQLInputField;
