// A completed write is reported as such, even if reading its result fails: everything that is known is returned, and nothing suggests a retry.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { executors, type Gateway, startGateway } from '../support/gateway.ts';
import { query } from '../support/graphql.ts';
import { losingReads } from '../support/lost-reads.ts';
import { claim, isNew, unchecked } from '../support/mutations.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const database = useDatabase();
let reads: ReturnType<typeof losingReads>;
let gateways: Gateway[];

beforeAll(async () => {
  await createSeed(database.db).provider('cn1', { inventories: { VCPU: 100 } });
  reads = losingReads(database.db);
  gateways = await Promise.all(executors.map((executor) => startGateway({ db: reads.db }, executor)));
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.close()));
  await reads.close();
});
beforeEach(() => reads.mend());

const read = { code: 'ANSWER_INCOMPLETE', written: true, retry: 'AFTER_READ' };

describe.each(executors.map((name, index) => [name, index] as const))('with %s', (name, index) => {
  const ask = (text: string, variables = {}) => (gateways[index] as Gateway).ask(text, variables);

  test('a new trait cannot be read, but it was created', async () => {
    const { status, data, errors } = await ask(
      `mutation { createTrait(input: { name: "CUSTOM_${index}" }) { trait { name resourceProviders { nodes { uuid } } } created userErrors { code } } }`,
    );
    expect([status, data]).toEqual([200, { createTrait: { trait: null, created: true, userErrors: [] } }]);
    expect(errors).toMatchObject([{ path: ['createTrait', 'trait', 'resourceProviders'], extensions: read }]);
    expect(errors?.[0]?.message).toMatch(/^The write was done\. /);
    expect(await query(database.db, `{ trait(name: "CUSTOM_${index}") { name } }`)).toEqual({ trait: { name: `CUSTOM_${index}` } });
  });

  test('an inventory cannot be read, but it was set', async () => {
    const { status, data, errors } = await ask(
      'mutation ($input: SetInventoryInput!) { set: setInventory(input: $input) { resourceProvider { name inventory(resourceClass: "VCPU") { total resourceProvider { aggregates { uuid } } } } changed userErrors { code } } }',
      { input: { resourceProvider: uuidOf('cn1'), expect: unchecked, inventory: { resourceClass: 'VCPU', total: 200 } } },
    );
    expect([status, data]).toEqual([
      200,
      { set: { resourceProvider: { name: 'cn1', inventory: { total: 200, resourceProvider: null } }, changed: true, userErrors: [] } },
    ]);
    expect(errors).toMatchObject([{ path: ['set', 'resourceProvider', 'inventory', 'resourceProvider', 'aggregates'], extensions: read }]);
  });

  test('consumers cannot be read, but their claim was written, and the next field says that it was not', async () => {
    const { status, data, errors } = await ask(
      `mutation ($input: ReplaceAllocationsInput!) {
        replaceAllocations(input: $input) { consumers { uuid roots { name } } replayed userErrors { code } }
        claim(input: { consumers: [{ consumer: "${uuidOf(`later ${name}`)}", expect: { isNew: true } }], request: { groups: { resources: { resourceClass: "VCPU", amount: 1 } } } }) { userErrors { code } }
      }`,
      { input: { consumers: [claim(`server ${name}`, 'cn1', 1)] } },
    );
    expect([status, data]).toEqual([200, { replaceAllocations: { consumers: [null], replayed: false, userErrors: [] }, claim: null }]);
    expect(errors).toMatchObject([
      { path: ['replaceAllocations', 'consumers', 0, 'roots'], extensions: read },
      { path: ['claim'], extensions: { code: 'UNAVAILABLE', retry: 'LATER' } },
    ]);
    expect(errors?.[1]?.extensions).not.toHaveProperty('written');
  });

  test('the details of a refusal cannot be read, but it is returned beside what was written', async () => {
    const provider = `half of ${name}`;
    await createSeed(database.db).provider(provider, { inventories: { VGPU: 3 } });
    const consumers = ['one', 'two'].map((each) => ({
      ...{ consumer: uuidOf(`${each} ${name}`), expect: isNew, project: 'p1', user: 'u1', consumerType: 'INSTANCE' },
    }));
    const { status, data, errors } = await ask(
      `mutation ($input: ClaimInput!) { claim(input: $input) {
        claims { consumer { uuid } }
        userErrors { code ... on NoCandidates { explanation { summary nearestMisses { sample { heldHere { nodes { amount } } } } } } }
      } }`,
      {
        input: {
          ...{ consumers, mode: 'BEST_EFFORT' },
          request: { groups: [{ resources: [{ resourceClass: 'VGPU', amount: 2 }], inTrees: [uuidOf(provider)] }] },
        },
      },
    );
    expect([status, data]).toEqual([
      200,
      { claim: { claims: [{ consumer: { uuid: uuidOf(`one ${name}`) } }], userErrors: [{ code: 'NO_CANDIDATES', explanation: null }] } },
    ]);
    expect(errors).toMatchObject([
      { path: ['claim', 'userErrors', 0, 'explanation', 'nearestMisses', 0, 'sample', 0, 'heldHere'], extensions: read },
    ]);
  });

  test('alternates are found before the write, so they need no read after it', async () => {
    const uuid = uuidOf(`chosen ${name}`);
    const { status, data, errors } = await ask(
      'mutation ($input: ClaimInput!) { claim(input: $input) { claims { consumer { uuid } alternateCandidates { claimToken } } userErrors { code } } }',
      {
        input: {
          consumers: [{ consumer: uuid, expect: isNew, project: 'p1', user: 'u1', consumerType: 'INSTANCE' }],
          request: { groups: [{ resources: [{ resourceClass: 'VCPU', amount: 1 }] }] },
          alternates: 1,
        },
      },
    );
    expect([status, errors]).toEqual([200, undefined]);
    expect(data).toMatchObject({ claim: { claims: [{ consumer: { uuid } }], userErrors: [] } });
    expect(await query(database.db, `{ consumer(uuid: "${uuid}") { generation } }`)).toEqual({ consumer: { generation: 1 } });
  });
});
