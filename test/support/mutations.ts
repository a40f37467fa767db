// Sends mutations as a client, with fields of refusals selected, and checks what is true of every refusal.
// Also holds inputs that several test files share; knows no rules.
import { expect } from 'vitest';
import type { TestDatabase } from './database.ts';
import type { Gateway } from './gateway.ts';
import { dumpTables } from './ledger.ts';
import { uuidOf } from './seed.ts';

/** The fields of refusals that their tests compare. */
const refusalFields = `userErrors {
  __typename code message path retry
  ... on IdempotencyKeyReused { key }
  ... on NotFound { noun missing: key }
  ... on Duplicate { noun key existing { __typename id ... on ResourceProvider { name } ... on Aggregate { name } } }
  ... on StandardName { key }
  ... on ConsumerConflict { consumerUuid expectedGeneration: expected actualGeneration: actual }
  ... on ProviderConflict { resourceProvider { name } expected actual }
  ... on SelectionConflict { expectedCount matchedCount }
  ... on ParentLoop { resourceProviderUuid parentUuid }
  ... on HasChildren { children { name } childCount }
  ... on InUse { noun key byCount by { __typename ... on Consumer { uuid } ... on ResourceProvider { name } } }
  ... on NoInventory { consumerUuid resourceProvider { name } resourceClassName }
  ... on UnitViolation { consumerUuid resourceProvider { name } resourceClassName requested minUnit maxUnit stepSize }
  ... on CapacityExceeded { consumerUuid resourceProvider { name } resourceClassName requested available }
}`;

export type Payload = Record<string, unknown> & { readonly userErrors: readonly Record<string, unknown>[] };

export const unchecked = { unchecked: true };
export const isNew = { isNew: true };

/** The desired allocations of a consumer: an amount on one provider, by its seed name. */
export const hold = (provider: string, resourceClass: string, amount: number) => ({
  allocations: [{ resourceProvider: uuidOf(provider), resources: [{ resourceClass, amount }] }],
});

/** The input for a new consumer with an amount on one provider. */
export const claim = (consumer: string, provider: string, amount: number, resourceClass = 'VCPU') => ({
  consumer: uuidOf(consumer),
  expect: isNew,
  hold: hold(provider, resourceClass, amount),
  project: 'p1',
  user: 'u1',
  consumerType: 'INSTANCE',
});

/** The document of a mutation that selects fields of its payload, and its refusals. */
export function mutationOf(field: string, fields: string): string {
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input!`;
  return `mutation ($input: ${type}) { payload: ${field}(input: $input) { ${fields} ${refusalFields} } }`;
}

export function createWriter(gateway: Gateway, { db }: Pick<TestDatabase, 'db'>) {
  /** The payload of a mutation: `fields` of it, and its refusals. */
  const write = async (field: string, input: object, fields = ''): Promise<Payload> => {
    const { payload } = await gateway.data<{ payload: Payload }>(mutationOf(field, fields), { input });
    return payload;
  };
  return {
    write,
    /** The only refusal of a mutation, which must not change anything. */
    async refusal(field: string, input: object): Promise<Record<string, unknown> | undefined> {
      const before = await dumpTables(db);
      const { userErrors } = await write(field, input);
      expect(userErrors).toHaveLength(1);
      expect(userErrors[0]?.message).toEqual(expect.stringMatching(/./));
      expect(await dumpTables(db)).toEqual(before);
      return userErrors[0];
    },
    /** The event of a payload, by its id. */
    async eventOf(event: unknown): Promise<unknown> {
      const { id } = event as { readonly id: string };
      const query =
        'query ($id: ID!) { node(id: $id) { __typename ... on Event { kind consumers: consumerUuids { nodes } providers: resourceProviderUuids { nodes } } } }';
      return (await gateway.data<{ node: unknown }>(query, { id })).node;
    },
  };
}
