// Two gateways of ours in front of another Placement, which is a third one.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect } from 'vitest';
import { Bridge } from '../../src/bridge/bridge.ts';
import { listOwnUuids, readOwnConsumers, readOwnProviders } from '../../src/bridge/ledger.ts';
import { countNotes, insertBridge, selectBridge } from '../../src/db/bridge.ts';
import type { TestDatabase } from './database.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { type PairOfPlacements, usePairOfPlacements } from './pair-of-placements.ts';
import { uuidOf } from './seed.ts';

interface BridgedGateways extends Pick<PairOfPlacements, 'here' | 'there' | 'other' | 'requests'> {
  /** Those in front, once they stand there. */
  gateways: readonly Gateway[];
  /** What their bridges warned of. */
  warnings: string[];
  standInFront(): Promise<void>;
  /** Whether everything is taken over and compared. */
  isQuiet(): Promise<boolean>;
  until(what: string, holds: () => Promise<boolean>): Promise<void>;
}

/** Empty ones for each test of a file. Call it once, outside of tests. `requests` are those of the bridges. */
export function useBridgedGateways(): BridgedGateways {
  const bugs: string[] = [];
  let bridges: readonly Bridge[];
  const bridged = Object.assign(usePairOfPlacements(), {
    gateways: [] as readonly Gateway[],
    warnings: [] as string[],
    async standInFront() {
      const { db } = bridged.here;
      await insertBridge(db, bridged.url);
      const state = await selectBridge(db);
      if (state === null) throw new Error('there is no bridge');
      const log = { info: () => {}, warn: (_details: object, line: string) => void bridged.warnings.push(line) };
      bridges = [1, 2].map(() => new Bridge({ db, log, open: async () => bridged.placement }, state));
      for (const bridge of bridges) bridge.start();
      bridged.gateways = await Promise.all(
        bridges.map((bridge) => startGateway(bridged.here, 'jit', (line) => bugs.push(line), { bridge })),
      );
    },
    isQuiet: async () => (await countNotes(bridged.here.db)).count === 0 && (await selectBridge(bridged.here.db))?.comparedAt !== null,
    async until(what: string, holds: () => Promise<boolean>) {
      for (let attempt = 0; attempt < 1200; attempt++) {
        if (await holds()) return;
        await sleep(25);
      }
      throw new Error(`${what}: not reached. ${bridged.warnings.join('; ')}`);
    },
  });
  beforeEach(() => {
    [bridges, bridged.gateways, bridged.warnings] = [[], [], []];
  });
  afterEach(async () => {
    await Promise.all(bridges.map((bridge) => bridge.close()));
    await Promise.all(bridged.gateways.map((gateway) => gateway.close()));
    expect(bugs.splice(0)).toEqual([]);
  });
  return bridged;
}

export const json = { 'x-auth-token': 'admin', 'content-type': 'application/json', 'openstack-api-version': 'placement 1.39' };

export async function rest(gateway: Gateway, method: string, path: string, body?: object, version = '1.39') {
  const headers = { ...json, 'openstack-api-version': `placement ${version}` };
  const answer = await fetch(`${gateway.url}/placement${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text), headers: answer.headers };
}

/** Providers and consumers of a ledger; without generations if they are counted by each side. */
export async function contentsOf({ db }: TestDatabase, { generations = true } = {}) {
  const uuids = await listOwnUuids(db);
  const [providers, consumers] = [await readOwnProviders(db, uuids.providers), await readOwnConsumers(db, uuids.consumers)];
  const plain = (states: ReadonlyMap<string, object>) =>
    Object.fromEntries(
      [...states].map(([uuid, state]) => [
        uuid,
        { ...state, id: 0, createdAt: null, updatedAt: null, ...(!generations && { generation: 0 }) },
      ]),
    );
  return { providers: plain(providers), consumers: plain(consumers) };
}

export const claimOf = (host: string, amount = 1) => ({
  allocations: { [uuidOf(host)]: { resources: { VCPU: amount } } },
  consumer_generation: null,
  project_id: 'p1',
  user_id: 'u1',
  consumer_type: 'INSTANCE',
});
