// Opens the bridge to another Placement in a process that serves.
import type { Logger } from 'pino';
import { Bridge } from '../bridge/bridge.ts';
import { hasWritesOfCallers } from '../bridge/ledger.ts';
import { openPlacement } from '../bridge/placement/client.ts';
import { type BridgeState, insertBridge, selectBridge } from '../db/bridge.ts';
import type { Db } from '../db/sql/client.ts';
import { closeAtEnd } from '../process/ending.ts';
import { type Settings, SettingsError } from '../settings/settings.ts';

/** Requests to the other Placement at once that carry changes over. */
const concurrency = 8;

/** The bridge of the database, begun if the settings say so; null if there is none. The database is migrated. */
export async function openBridge(db: Db, settings: Settings, log: Logger): Promise<Bridge | null> {
  const { inFrontOf, inFrontOfToken: token } = settings;
  const state = await beginBridge(db, inFrontOf);
  if (state === null) return null;
  if (state.mode === 'ended') {
    if (inFrontOf !== null) log.info('PLACEMENT_IN_FRONT_OF has no effect any more: the bridge was ended while this ledger led');
    return null;
  }
  if (inFrontOf !== null && inFrontOf !== state.url) {
    log.warn(
      `PLACEMENT_IN_FRONT_OF=${inFrontOf} is ignored: the bridge leads to ${state.url}, end it first (placement-gateway bridge end)`,
    );
  }
  if (token === null) log.warn('PLACEMENT_IN_FRONT_OF_TOKEN is missing: this process passes requests on, but carries nothing over');
  const open =
    token === null ? null : () => openPlacement({ url: state.url, token: async () => token, concurrency, outlivesFailures: true });
  const bridge = new Bridge({ db, log, open }, state);
  bridge.start();
  closeAtEnd(() => bridge.close());
  return bridge;
}

async function beginBridge(db: Db, url: string | null): Promise<BridgeState | null> {
  const state = await selectBridge(db);
  if (state !== null || url === null) return state;
  if (await hasWritesOfCallers(db)) {
    throw new SettingsError([
      'PLACEMENT_IN_FRONT_OF: this ledger has writes of its own, and following another Placement would undo them: use an empty database',
    ]);
  }
  await insertBridge(db, url);
  return selectBridge(db);
}
