// Clients of a fleet, each a loop until it is told to stop: Nova's report client over REST, claims with and without keys over GraphQL, readers, and followers of the ledger.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSubscriber } from '../support/sockets.ts';
import type { Answer, Fleet, Member } from './fleet.ts';

/** What all clients have seen. */
export class Notes {
  /** Answers, by what was asked. */
  readonly counts = new Map<string, number>();
  /** Lost connections, and answers that no client would expect. */
  readonly failures: string[] = [];
  /** Answers of 503, which is documented. */
  unavailable = 0;
  stopped = false;

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  fail(what: string, answer: unknown): void {
    this.failures.push(`${what}: ${JSON.stringify(answer)?.slice(0, 400)}`);
  }
}

/** Sends a request to the next member. Conflicts are for the caller; any other refusal is a failure. */
async function send(fleet: Fleet, notes: Notes, method: string, path: string, body?: unknown): Promise<Answer> {
  const what = `${method} ${path.replace(/[0-9a-f-]{36}/g, '*').replace(/\?.*/, '')}`;
  try {
    const answer = await fleet.next.ask(method, `/placement${path}`, body);
    notes.count(what);
    if (answer.status === 503) notes.unavailable += 1;
    else if (answer.status >= 400 && answer.status !== 409) notes.fail(what, answer);
    return answer;
  } catch (error) {
    notes.fail(what, String(error));
    return { status: 0, body: null };
  }
}

interface Candidates {
  readonly allocation_requests: readonly {
    readonly allocations: Readonly<Record<string, { readonly resources: Record<string, number> }>>;
  }[];
}

/** The life of an instance as Nova's report client makes it: boot, resize, live migration, deletion. */
export async function bootInstances(fleet: Fleet, notes: Notes): Promise<void> {
  const owner = { project_id: randomUUID(), user_id: randomUUID(), consumer_type: 'INSTANCE' };
  while (!notes.stopped) {
    const [instance, migration] = [randomUUID(), randomUUID()];
    const found = await send(fleet, notes, 'GET', '/allocation_candidates?resources=VCPU:1,MEMORY_MB:64&limit=20');
    const { allocation_requests: requests = [] } = (found.body ?? {}) as Partial<Candidates>;
    const [allocations, elsewhere] = [requests[0]?.allocations, requests.at(-1)?.allocations];
    if (!allocations || !elsewhere) {
      notes.fail('candidates', found);
      await sleep(50);
      continue;
    }
    const boot = await send(fleet, notes, 'PUT', `/allocations/${instance}`, { ...owner, allocations, consumer_generation: null });
    if (boot.status !== 204) continue;
    await send(fleet, notes, 'GET', `/allocations/${instance}`);
    const resized = Object.fromEntries(Object.keys(allocations).map((uuid) => [uuid, { resources: { VCPU: 2, MEMORY_MB: 64 } }]));
    await send(fleet, notes, 'PUT', `/allocations/${instance}`, { ...owner, allocations: resized, consumer_generation: 1 });
    const held = (await send(fleet, notes, 'GET', `/allocations/${instance}`)).body as { allocations: object; consumer_generation: number };
    const source = Object.fromEntries(Object.keys(held.allocations).map((uuid) => [uuid, { resources: { VCPU: 1, MEMORY_MB: 64 } }]));
    await send(fleet, notes, 'POST', '/allocations', {
      [migration]: { ...owner, consumer_type: 'MIGRATION', allocations: source, consumer_generation: null },
      [instance]: { ...owner, allocations: elsewhere, consumer_generation: held.consumer_generation },
    });
    await send(fleet, notes, 'DELETE', `/allocations/${migration}`);
    await send(fleet, notes, 'GET', `/usages?project_id=${owner.project_id}`);
    await send(fleet, notes, 'DELETE', `/allocations/${instance}`);
  }
}

/** A compute node that comes, reports, moves its disk to a child, and goes. */
export async function reportHosts(fleet: Fleet, notes: Notes): Promise<void> {
  const trait = `CUSTOM_PAIR_${randomUUID().slice(0, 8).toUpperCase()}`;
  await send(fleet, notes, 'PUT', `/traits/${trait}`);
  const stock = (total: number) => ({ total, reserved: 0, min_unit: 1, max_unit: total, step_size: 1, allocation_ratio: 1.0 });
  while (!notes.stopped) {
    const [host, cell, instance] = [randomUUID(), randomUUID(), randomUUID()];
    const generation = async (uuid: string) =>
      ((await send(fleet, notes, 'GET', `/resource_providers/${uuid}`)).body as { readonly generation: number }).generation;
    await send(fleet, notes, 'POST', '/resource_providers', { uuid: host, name: host });
    await send(fleet, notes, 'POST', '/resource_providers', { uuid: cell, name: cell, parent_provider_uuid: host });
    // Not VCPU: no client that boots instances is to find it.
    await send(fleet, notes, 'PUT', `/resource_providers/${host}/inventories`, {
      resource_provider_generation: await generation(host),
      inventories: { DISK_GB: stock(100) },
    });
    await send(fleet, notes, 'PUT', `/resource_providers/${host}/traits`, {
      resource_provider_generation: await generation(host),
      traits: [trait],
    });
    await send(fleet, notes, 'PUT', `/resource_providers/${host}/aggregates`, {
      resource_provider_generation: await generation(host),
      aggregates: [randomUUID()],
    });
    await send(fleet, notes, 'GET', `/resource_providers?in_tree=${host}`);
    const held = (uuid: string) => ({ [uuid]: { resources: { DISK_GB: 5 } } });
    const owner = { project_id: host, user_id: host, consumer_type: 'INSTANCE' };
    await send(fleet, notes, 'PUT', `/allocations/${instance}`, { ...owner, allocations: held(host), consumer_generation: null });
    await send(fleet, notes, 'POST', '/reshaper', {
      inventories: {
        [host]: { resource_provider_generation: await generation(host), inventories: {} },
        [cell]: { resource_provider_generation: await generation(cell), inventories: { DISK_GB: stock(100) } },
      },
      allocations: { [instance]: { ...owner, allocations: held(cell), consumer_generation: 1 } },
    });
    await send(fleet, notes, 'DELETE', `/allocations/${instance}`);
    for (const uuid of [cell, host]) await send(fleet, notes, 'DELETE', `/resource_providers/${uuid}`);
  }
}

interface Payload {
  readonly replayed?: boolean;
  readonly userErrors: readonly { readonly code: string }[];
}

/** Sends an operation to a member, or to the next one; null if it failed. */
async function ask<Data>(fleet: Fleet, notes: Notes, query: string, variables: object, member: Member = fleet.next): Promise<Data | null> {
  const what = /\b(\w+)\s*[({]/.exec(query.slice(query.indexOf('{') + 1))?.[1] ?? query;
  try {
    const { status, body } = await member.ask('POST', '/graphql', { query, variables });
    notes.count(what);
    const { data, errors } = body as { data?: Data; errors?: unknown };
    if (status === 200 && !errors) return data ?? null;
    if (status === 503) notes.unavailable += 1;
    else notes.fail(what, body);
  } catch (error) {
    notes.fail(what, String(error));
  }
  return null;
}

const claimDocument = `mutation ($input: ClaimInput!) { claim(input: $input) {
  claims { consumer { uuid generation allocations { amount resourceProvider { uuid } } } candidate { claimToken } } replayed event { id } userErrors { code } } }`;
const releaseDocument =
  'mutation ($input: ReleaseAllocationsInput!) { releaseAllocations(input: $input) { replayed event { id } userErrors { code } } }';
const takeDocument = `mutation ($input: ReplaceAllocationsInput!) { replaceAllocations(input: $input) {
  consumers { uuid generation } replayed event { id } userErrors { code } } }`;

/** A keyed mutation and its first answer. */
export interface Kept {
  readonly query: string;
  readonly input: object;
  readonly answer: Payload;
}

/** Claims with and without keys, by search and by token, and releases; what one gateway wrote goes to another next. Keeps one of ten keyed mutations. */
export async function claimAndRelease(fleet: Fleet, notes: Notes, kept: Kept[]): Promise<void> {
  for (let round = 0; !notes.stopped; round++) {
    const consumer = randomUUID();
    const keyed = <Input extends object>(input: Input, name: string) =>
      round % 2 === 0 ? { ...input, idempotencyKey: `${name} ${consumer}` } : input;
    const write = async (query: string, input: object): Promise<Payload | null> => {
      const data = await ask<Record<string, Payload>>(fleet, notes, query, { input });
      const [answer] = Object.values(data ?? {});
      if (!answer) return null;
      if (answer.userErrors.length > 0) notes.fail(query.slice(0, 60), answer);
      if ('idempotencyKey' in input) {
        await repeat(fleet, notes, { query, input, answer });
        if (round % 20 === 0) kept.push({ query, input, answer });
      }
      return answer;
    };
    const owner = { consumer, expect: { isNew: true }, project: 'p', user: 'u', consumerType: 'INSTANCE' };
    const request = { groups: [{ resources: [{ resourceClass: 'VCPU', amount: 1 }] }] };
    const claimed = (await write(claimDocument, keyed({ consumers: [owner], request, alternates: 1 }, 'claim'))) as {
      readonly claims?: readonly { readonly candidate: { readonly claimToken: string } }[];
    } | null;
    const token = claimed?.claims?.[0]?.candidate.claimToken;
    if (!token) continue;
    const other = { ...owner, consumer: randomUUID(), hold: { claimToken: token } };
    await write(takeDocument, keyed({ consumers: [other] }, 'take'));
    const consumers = [consumer, other.consumer].map((uuid) => ({ consumer: uuid, expect: { generation: 1 } }));
    await write(releaseDocument, keyed({ consumers }, 'release'));
  }
}

/** Sends a keyed mutation again: its first answer comes back. */
export async function repeat(fleet: Fleet, notes: Notes, { query, input, answer }: Kept, member?: Member): Promise<void> {
  const data = await ask<Record<string, Payload>>(fleet, notes, query, { input }, member);
  if (data === null) return;
  const [again] = Object.values(data);
  notes.count('replays');
  if (JSON.stringify(again) !== JSON.stringify({ ...answer, replayed: true })) notes.fail('replay', { answer, again });
}

const pageDocument = `query ($after: String) { resourceProviders(first: 3, after: $after) {
  nodes { name generation inventories { used capacity } traitNames } pageInfo { hasNextPage endCursor } } }`;

/** Pages whose cursors go from one gateway to the next. */
export async function readPages(fleet: Fleet, notes: Notes): Promise<void> {
  let after: string | null = null;
  while (!notes.stopped) {
    const data: { resourceProviders: { pageInfo: { hasNextPage: boolean; endCursor: string | null } } } | null = await ask(
      fleet,
      notes,
      pageDocument,
      { after },
    );
    after = data?.resourceProviders.pageInfo.hasNextPage ? data.resourceProviders.pageInfo.endCursor : null;
    await ask(fleet, notes, '{ totals { own { resourceClass { name } capacity used } } }', {});
    await sleep(20);
  }
}

/** Polls the feed, each time through another gateway. Returns the ids of the events, in their order. */
export async function pollFeed(fleet: Fleet, notes: Notes, isComplete: () => boolean): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  for (let isLast = false; ; ) {
    isLast = isComplete();
    const data: { eventFeed: { nodes: { id: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } } } | null = await ask(
      fleet,
      notes,
      'query ($after: String) { eventFeed(first: 200, after: $after) { nodes { id kind changes(first: 3) { nodes { __typename } } } pageInfo { hasNextPage endCursor } } }',
      { after },
    );
    if (!data) continue;
    ids.push(...data.eventFeed.nodes.map(({ id }) => id));
    after = data.eventFeed.pageInfo.endCursor;
    if (isLast && !data.eventFeed.pageInfo.hasNextPage) return ids;
    if (!data.eventFeed.pageInfo.hasNextPage) await sleep(100);
  }
}

interface Batch {
  readonly cursor: string;
  readonly events: readonly { readonly id: string }[];
  readonly reset: boolean;
}

/** Follows the ledger through one gateway, and through another when that one goes. Adds the ids of the events. */
export async function followEvents(fleet: Fleet, notes: Notes, from: string, ids: string[], isComplete: () => boolean): Promise<void> {
  let after = from;
  const document = 'subscription ($after: String) { events(after: $after) { cursor reset events { id } } }';
  while (!isComplete()) {
    const subscriber = await startSubscriber(fleet.next.url).catch(() => null);
    if (!subscriber) continue;
    const heard = subscriber.subscribe<Batch>(document, { after });
    let isClosed = false;
    void subscriber.closed.then(() => {
      isClosed = true;
    });
    const take = () => {
      for (const batch of heard.messages.splice(0)) {
        if (!('cursor' in batch) || batch.reset) notes.fail('subscription', batch);
        ids.push(...(batch.events ?? []).map(({ id }) => id));
        after = batch.cursor ?? after;
      }
    };
    while (!isClosed && !heard.isComplete && heard.refused.length === 0 && !isComplete()) {
      take();
      await sleep(50);
    }
    // What had arrived before the end counts, too.
    take();
    notes.count('subscriptions');
    if (!isClosed) await subscriber.close();
  }
}
