// What tests that hold rules against a schema have in common: a rule answers with the places that break it.
import type { GraphQLField, GraphQLInputField, GraphQLSchema } from 'graphql';

export type Rule = (schema: GraphQLSchema) => string[];
export type Field = GraphQLField<unknown, unknown> | GraphQLInputField;
