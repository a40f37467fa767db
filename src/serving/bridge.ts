// Opens the bridge to another Placement in a process that serves.
import type { Logger } from 'pino';
import { openOwnTokens } from '../auth/keystone/own-token.ts';
import { Bridge } from '../bridge/bridge.ts';
import { hasWritesOfCallers } from '../bridge/ledger.ts';
import { newestKnown, openPlacement, type TokenSource } from '../bridge/placement/client.ts';
import { type BridgeState, insertBridge, selectBridge } from '../db/bridge.ts';
import type { Db } from '../db/sql/client.ts';
import { keystoneFaults } from '../settings/keystone.ts';
import { type Settings, SettingsError } from '../settings/settings.ts';

/** Requests to the other Placement at once that carry changes over. */
const concurrency = 8;

/**
 * The bridge of the database, begun if the settings say so; null if there is none. The database is migrated. Rejects when a new bridge cannot begin: the other
 * Placement cannot be reached or is too old, or this ledger has writes of its own.
 */
export async function openBridge(db: Db, settings: Settings, log: Logger): Promise<Bridge | null> {
  const { inFrontOf } = settings;
  const state = await beginBridge(db, inFrontOf);
  if (state === null) return null;
  if (state.mode === 'ended') {
    if (inFrontOf !== null) log.info('PLACEMENT_IN_FRONT_OF has no effect any more: the bridge was ended while this ledger led');
    return null;
  }
  if (inFrontOf !== null && ![inFrontOf, `${inFrontOf}/placement`].includes(state.url)) {
    log.warn(`PLACEMENT_IN_FRONT_OF=${inFrontOf} is ignored: the bridge of this database leads to ${state.url}`);
  }
  const token = await openTokens(settings);
  if (token === null) {
    log.warn(
      'this process passes requests on, but carries nothing over: it has neither PLACEMENT_IN_FRONT_OF_TOKEN nor a service user in Keystone',
    );
  }
  const open = token && (() => openPlacement({ url: state.url, token, concurrency, outlivesFailures: true }));
  const bridge = new Bridge({ db, log, open }, state);
  bridge.start();
  return bridge;
}

async function beginBridge(db: Db, given: string | null): Promise<BridgeState | null> {
  const state = await selectBridge(db);
  if (state !== null || given === null) return state;
  if (await hasWritesOfCallers(db)) {
    throw new SettingsError([
      'PLACEMENT_IN_FRONT_OF: this ledger has writes of its own, and following another Placement would undo them: use an empty database',
    ]);
  }
  const { url, microversion } = await openPlacement({ url: given, token: async () => '', concurrency: 1 });
  if (microversion !== newestKnown) {
    throw new SettingsError([`PLACEMENT_IN_FRONT_OF: the Placement at ${url} offers ${microversion}, and ${newestKnown} is needed`]);
  }
  await insertBridge(db, url);
  return selectBridge(db);
}

/** A given token, or those of the service user; null without both. */
async function openTokens(settings: Settings): Promise<TokenSource | null> {
  const { inFrontOfToken } = settings;
  if (inFrontOfToken !== null) return async () => inFrontOfToken;
  return keystoneFaults(settings).length === 0 ? openOwnTokens(settings) : null;
}
