// A cloud of two hosts in which two projects may have consumers. The data of the caller's own project is the same whether or not the other one has any,
// timestamps included, so that answers can be compared byte by byte.

import type { TestDatabase } from './database.ts';
import type { AskAs } from './personas.ts';

export const hosts = ['11111111-0000-4000-8000-000000000001', '11111111-0000-4000-8000-000000000002'] as const;
/** Consumers of the own project. */
export const ownConsumers = [
  '22222222-0000-4000-8000-000000000001',
  '22222222-0000-4000-8000-000000000002',
  '22222222-0000-4000-8000-000000000003',
] as const;
/** Consumers of the other project; they do not exist where that has none. */
export const otherConsumers = ['33333333-0000-4000-8000-000000000001', '33333333-0000-4000-8000-000000000002'] as const;
/** A consumer that the other project gave to the own one. */
export const givenConsumer = '44444444-0000-4000-8000-000000000001';

export const ownReservation = '55555555-0000-4000-8000-000000000001';
/** A reservation of the other project. */
export const otherReservation = '55555555-0000-4000-8000-000000000002';

const write = `mutation ($consumers: [ConsumerAllocationsInput!]!) {
  replaceAllocations(input: {consumers: $consumers}) { userErrors { code message } }
}`;

interface Wanted {
  readonly consumer: string;
  readonly project: string;
  readonly amount: number;
  readonly user?: string;
  readonly generation?: number;
}

const asInput = ({ consumer, project, amount, generation, user = 'ann' }: Wanted, host: string) => ({
  consumer,
  expect: generation === undefined ? { isNew: true } : { generation },
  hold: {
    allocations: [
      {
        resourceProvider: host,
        resources: [
          { resourceClass: 'VCPU', amount },
          { resourceClass: 'MEMORY_MB', amount: 512 * amount },
        ],
      },
    ],
  },
  project,
  user,
  consumerType: 'INSTANCE',
});

/** Fills a database. `others`: whether the other project has consumers, events and a history there. */
export async function fillTwoProjects(ask: AskAs, { own }: TestDatabase, { others }: { readonly others: boolean }): Promise<void> {
  const done = async (query: string, variables: Record<string, unknown>): Promise<void> => {
    const { errors, text } = await ask('nova', query, variables);
    if (errors || !text.includes('"userErrors":[]')) throw new Error(text);
  };
  const hold = (host: string, ...wanted: Wanted[]) => done(write, { consumers: wanted.map((each) => asInput(each, host)) });
  const release = (consumer: string) =>
    done(
      'mutation ($c: UUID!) { releaseAllocations(input: {consumers: [{consumer: $c, expect: {unchecked: true}}]}) { userErrors { code } } }',
      { c: consumer },
    );
  const [first, second] = hosts;
  for (const [index, uuid] of hosts.entries()) {
    await done('mutation ($u: UUID!, $n: String!) { createResourceProvider(input: {uuid: $u, name: $n}) { userErrors { code } } }', {
      u: uuid,
      n: `host${index}`,
    });
    await done(
      `mutation ($u: UUID!) { replaceInventories(input: {resourceProvider: $u, expect: {unchecked: true}, inventories: [
        {resourceClass: "VCPU", total: 1000}, {resourceClass: "MEMORY_MB", total: 1000000}]}) { userErrors { code } } }`,
      { u: uuid },
    );
  }
  if (others) await hold(first, { consumer: otherConsumers[0], project: 'red', amount: 7, user: 'eve' });
  await hold(first, { consumer: ownConsumers[0], project: 'blue', amount: 1 });
  if (others) {
    await hold(second, { consumer: otherConsumers[1], project: 'red', amount: 3, user: 'ann' });
    await hold(second, { consumer: givenConsumer, project: 'red', amount: 5, user: 'eve' });
    await release(givenConsumer);
  }
  // One write for both projects.
  const shared = { consumer: ownConsumers[1], project: 'blue', amount: 2, user: 'bob' };
  await (others ? hold(second, shared, { consumer: otherConsumers[1], project: 'red', amount: 4, generation: 1 }) : hold(second, shared));
  await hold(second, { consumer: givenConsumer, project: 'blue', amount: 2 });
  await hold(first, { consumer: ownConsumers[2], project: 'blue', amount: 4 });
  await release(ownConsumers[2]);
  await setMoments(own);
  if (others) await reserve(own, 'red', otherReservation, otherConsumers[0]);
  await reserve(own, 'blue', ownReservation, ownConsumers[0]);
}

/** Rows, so that all moments are given. */
async function reserve(own: TestDatabase['own'], project: string, uuid: string, consumer: string): Promise<void> {
  await own`with made as (
      insert into reservations (uuid, project_id, starts_at, ends_at, created_at, updated_at)
      select ${uuid}::uuid, id, '2026-01-01', '2099-01-01', '2026-01-01', '2026-01-02' from projects where external_id = ${project} returning id
    ), kept as (
      insert into reservation_amounts select made.id, i.resource_provider_id, i.resource_class_id, 10 from made, inventories i
    )
    update consumers set reservation_id = made.id from made where uuid = ${consumer}::uuid`;
}

/**
 * Moments by the order of writing among what concerns the own project; the rest is in between. The ledger is searched by moments as if they were in the order
 * of writing, so they must be.
 */
async function setMoments(own: TestDatabase['own']): Promise<void> {
  const begin = '2026-01-01T00:00:00Z';
  await own`update consumers c set created_at = ${begin}::timestamptz + place * interval '1 hour', updated_at = ${begin}::timestamptz + place * interval '2 hours'
    from (select c.id, row_number() over (partition by c.project_id order by c.id) as place from consumers c) placed where placed.id = c.id`;
  await own`update events e set request_id = 'req-' || place,
      at = ${begin}::timestamptz + hours * interval '1 hour' + case when is_own then interval '0' else place * interval '1 second' end
    from (
      select e.id, o.event_id is not null as is_own, count(o.event_id) over (order by e.id) as hours,
        row_number() over (partition by o.event_id is not null order by e.id) as place
      from events e left join event_subjects o on o.event_id = e.id and o.subject = md5('project:blue')::uuid
    ) placed where placed.id = e.id`;
}
