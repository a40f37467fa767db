// The mutations that are the steps of a migration.
import { endMigration, type MigrationStep, startMigration } from '../../nova/instances/migrations.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import type { Resolvers } from '../schema.generated.ts';
import { mutation, readAfterWrite } from './mutation.ts';

const nothingMoved = { instance: null, migration: null };

async function parties({ loaders }: RequestScope, { instance, migration }: MigrationStep) {
  const [own, source] = await Promise.all(
    [instance, migration].map((holder) => holder && readAfterWrite(loaders.consumerByUuid.load(holder.uuid))),
  );
  return { instance: own ?? null, migration: source ?? null };
}

export const migrationResolvers = {
  Mutation: {
    startMigration: mutation(nothingMoved, async (input, scope) => parties(scope, await startMigration(scope, input))),
    endMigration: mutation(nothingMoved, async (input, scope) => parties(scope, await endMigration(scope, input))),
  },
} satisfies Resolvers;
