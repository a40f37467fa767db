// The rules of the GraphQL API, under names of our own. They may refer to upstream's base rules.
import type { RuleDefault } from './rule-default.ts';

export const graphqlRules = {
  'placement:graphql:operate': {
    check: 'role:admin',
    scopes: null,
    description: 'Every operation of GraphQL but serviceInfo.',
    operations: [],
  },
} as const satisfies Readonly<Record<`placement:graphql:${string}`, RuleDefault>>;
