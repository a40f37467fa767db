// The whole examination of a run that has come to rest: its records, the rows, and what every gateway shows.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { checkLedger } from './check-ledger.ts';
import { checkOrder } from './check-order.ts';
import { checkOutcomes } from './check-outcomes.ts';
import { checkQuotas } from './check-quotas.ts';
import { checkTime } from './check-time.ts';
import { Client, type Request } from './client.ts';
import type { Operation, Violation } from './history.ts';
import { differences, findBadRows, findLeftovers, readEvents, readTables, readUsage } from './ledger-rows.ts';
import { commonTrait } from './workload.ts';

export interface Run {
  readonly sql: Sql;
  readonly history: readonly Operation[];
  /** The providers whose capacity is never lowered. */
  readonly steady: readonly string[];
  readonly urls: readonly (string | null)[];
}

export async function checkRun({ sql, history, steady, urls }: Run): Promise<Violation[]> {
  // In one snapshot: what a client that has gone asked for may still be written.
  const [events, tables] = await sql.begin(
    'isolation level repeatable read read only',
    async (snapshot) => [await readEvents(snapshot), await readTables(snapshot)] as const,
  );
  return [
    ...checkOutcomes(history, events),
    ...checkLedger(events, tables),
    ...checkOrder(history, events),
    ...checkTime(events),
    ...checkQuotas(history, events),
    ...(await findBadRows(sql, steady)),
    ...(await findLeftovers(sql)),
    ...(await checkGateways(sql, urls)),
  ];
}

/** Waits until all gateways are ready again, and lets many ask at once: every connection of a pool that is full again answers. */
export async function comesBack(urls: readonly (string | null)[]): Promise<{ readonly after: number; readonly violations: Violation[] }> {
  const begun = performance.now();
  const violations: Violation[] = [];
  const client = new Client();
  for (const [index, url] of urls.entries()) {
    const isReady = () =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isReady())) {
      if (performance.now() - begun > 10_000) {
        violations.push({ anomaly: 'no service', text: `gateway ${index} is not ready 10 s after the last fault` });
        break;
      }
      await sleep(100);
    }
    const crowd = Array.from({ length: 48 }, (_, place) => crowdRequest(place, index));
    const begunCrowd = performance.now();
    const answers = await Promise.all(crowd.map((request) => client.send(url, request, 'req-00000000-0000-4000-8000-000000000000')));
    const refused = answers.filter(({ outcome }) => outcome !== 'ok').map(({ code }) => code);
    const time = performance.now() - begunCrowd;
    if (refused.length > 0 || time > 5000) {
      violations.push({
        anomaly: 'pool not full',
        text: `gateway ${index} answered 48 at once in ${Math.round(time)} ms, with ${refused.join(', ')}`,
      });
    }
  }
  client.close();
  return { after: performance.now() - begun, violations };
}

/**
 * Waits until nothing expires or ends soon: what gateways do by themselves changes nothing any more. Whatever has expired long ago should have been released.
 */
export async function comesToRest(sql: Sql): Promise<Violation[]> {
  for (;;) {
    const due = await sql<{ name: string; isLate: boolean }[]>`
      select name, until < now() - interval '10 s' as "isLate"
      from (
        select 'consumer ' || uuid as name, expires_at as until from consumers
        union all
        select 'reservation ' || uuid, ends_at from reservations
      ) ending
      where until < now() + interval '1 minute'`;
    const late = due.filter(({ isLate }) => isLate);
    if (due.length === 0 || late.length > 0) return late.map(({ name }) => ({ anomaly: 'not released', text: name }));
    await sleep(200);
  }
}

/** Reads, and writes that change nothing: of a trait that everybody has. */
const crowdRequest = (place: number, gateway: number): Request =>
  place % 2 === 0
    ? { route: `GET /resource_providers?name=${gateway}`, body: undefined }
    : { route: `PUT /traits/${commonTrait}`, body: undefined };

/** What every gateway finds and lists, from its memory or not, is what there is. */
async function checkGateways(sql: Sql, urls: readonly (string | null)[]): Promise<Violation[]> {
  const { providers } = await readTables(sql);
  const usage = await readUsage(sql);
  const roomy = new Map([...usage].filter(([key, { hasRoom }]) => key.endsWith('/VCPU') && hasRoom).map(([key]) => [key, true]));
  const listed = new Map(
    [...providers].map(([uuid, { name, generation, parent }]) => [uuid, { name, generation, parent: parent ?? null }]),
  );
  const violations: Violation[] = [];
  for (const [index, url] of urls.entries()) {
    const name = `gateway ${index}`;
    try {
      const found = await ask<Found>(url, 'GET /allocation_candidates?resources=VCPU:1');
      violations.push(...differences(`${name}, searching,`, roomIn(found), roomy));
      violations.push(...differences(`${name}, summing up,`, usageIn(found), restrictedTo(found, usage)));
      const { resource_providers: rows } = await ask<{ resource_providers: Listed[] }>(url, 'GET /resource_providers');
      const shown = new Map(
        rows.map(({ uuid, name: called, generation, parent_provider_uuid: parent }) => [uuid, { name: called, generation, parent }]),
      );
      violations.push(...differences(`${name}, listing,`, shown, listed));
    } catch (error) {
      violations.push({ anomaly: 'no service', text: `${name}: ${String(error)}` });
    }
  }
  return violations;
}

interface Found {
  readonly allocation_requests: readonly { readonly allocations: Readonly<Record<string, unknown>> }[];
  readonly provider_summaries: Readonly<
    Record<string, { readonly resources: Readonly<Record<string, { readonly capacity: number; readonly used: number }>> }>
  >;
}

interface Listed {
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  readonly parent_provider_uuid: string | null;
}

const roomIn = ({ allocation_requests: requests }: Found) =>
  new Map(requests.flatMap(({ allocations }) => Object.keys(allocations).map((uuid) => [`${uuid}/VCPU`, true] as const)));

const usageIn = ({ provider_summaries: summaries }: Found) =>
  new Map(
    Object.entries(summaries).flatMap(([uuid, { resources }]) =>
      Object.entries(resources).map(([name, { capacity, used }]) => [`${uuid}/${name}`, { capacity, used }] as const),
    ),
  );

/** The rows of the providers that are summed up. */
function restrictedTo({ provider_summaries: summaries }: Found, rows: Awaited<ReturnType<typeof readUsage>>): Map<string, unknown> {
  return new Map([...rows].filter(([key]) => (key.split('/')[0] ?? '') in summaries).map(([key, { usage }]) => [key, usage]));
}

async function ask<Answer>(url: string | null, route: string): Promise<Answer> {
  const client = new Client();
  try {
    const { outcome, code, body } = await client.send(url, { route, body: undefined }, 'req-00000000-0000-4000-8000-000000000000');
    if (outcome !== 'ok') throw new Error(`${route} was answered with ${code}`);
    return body as unknown as Answer;
  } finally {
    client.close();
  }
}
