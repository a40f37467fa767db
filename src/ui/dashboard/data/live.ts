// Whether the page follows the cloud: the state of its streams, and the switch that pauses them.
import { Store } from './store.ts';

export type LiveState = 'off' | 'live' | 'catching up' | 'lost';

interface Live {
  /** Off while nothing in view follows the cloud. */
  readonly state: LiveState;
  readonly since: Date;
  readonly isPaused: boolean;
}

export const liveStore = new Store<Live>({ state: 'off', since: new Date(), isPaused: false });

/** The states of the streams; the worst is shown. */
const streams = new Map<symbol, LiveState>();
const worstFirst = ['lost', 'catching up', 'live'] as const;

export function noteStream(stream: symbol, state: LiveState): void {
  if (state === 'off') streams.delete(stream);
  else streams.set(stream, state);
  const states = [...streams.values()];
  const worst = worstFirst.find((one) => states.includes(one)) ?? 'off';
  const known = liveStore.get();
  if (worst !== known.state) liveStore.set({ ...known, state: worst, since: new Date() });
}

export function pauseLive(isPaused: boolean): void {
  liveStore.set({ ...liveStore.get(), isPaused });
}
