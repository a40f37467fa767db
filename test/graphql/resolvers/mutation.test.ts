// The payload of a mutation whose operation fails after its write, such as from a bug: it arrives with what is known, and says that the write was done.
import { makeExecutableSchema } from '@graphql-tools/schema';
import { type OperationDefinitionNode, parse } from 'graphql';
import { expect, test } from 'vitest';
import { createExecutor } from '../../../src/graphql/executor.ts';
import { mutation } from '../../../src/graphql/resolvers/mutation.ts';
import { Scope } from '../../../src/operations/scope/scope.ts';
import { useDatabase } from '../../support/database.ts';
import { hitsUntilCompiled } from '../../support/gateway.ts';

const database = useDatabase();
const nothing = { provider: null, created: false, providers: [], maybe: null, uuids: [], count: 0 };
const schema = makeExecutableSchema<Scope>({
  typeDefs: `
    type Provider { name: String! }
    type Payload { provider: Provider created: Boolean! providers: [Provider]! maybe: [Provider!] uuids: [ID!]! count: Int! replayed: Boolean! userErrors: [String!]! }
    type Query { none: Int }
    input Input { idempotencyKey: String }
    type Mutation { write(input: Input!): Payload }
  `,
  resolvers: {
    Mutation: {
      write: mutation(nothing, async (_input, scope) => {
        scope.mutation?.note({ eventId: 7 });
        scope.noteCommit(() => {});
        throw new TypeError('a bug after the write');
      }),
    },
  },
});

test.each([true, false])('is never null, compiled: %s', async (jit) => {
  const executor = createExecutor(schema, { jit });
  const document = parse(
    'mutation { write(input: {}) { provider { name } created providers { name } maybe { name } uuids count replayed userErrors } }',
  );
  for (let hit = 0; hit <= hitsUntilCompiled; hit++) {
    const { data, errors = [] } = await executor.execute({
      document,
      operation: document.definitions[0] as OperationDefinitionNode,
      context: new Scope({ db: database.db, identity: null, requestId: 'req-1' }),
      variables: {},
    });
    expect(data).toEqual({
      write: { provider: null, created: true, providers: [null], maybe: null, uuids: [], count: 0, replayed: false, userErrors: [] },
    });
    expect(errors.map(({ path }) => path)).toEqual([
      ['write', 'provider'],
      ['write', 'providers', 0],
      ['write', 'maybe'],
    ]);
    for (const { message, extensions } of errors) {
      expect(message).toMatch(/^The write was done\. /);
      expect(extensions).toMatchObject({ written: true, retry: 'AFTER_READ' });
    }
  }
});
