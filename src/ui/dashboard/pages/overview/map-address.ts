// What the address says about the map: how hosts are grouped and ordered, which group the viewer is in, and how near.
import { useSearchParams } from 'wouter';
import { printParameters } from '../../formats/query-state.ts';
import type { HostOrder } from '../../map/arrangement.ts';
import type { Stand } from '../../map/use-zoom.ts';

/** The grouping that the cloud suggests. */
export const suggested = '';
/** Keys of how near the viewer is, and where: they are valid for one arrangement only. */
const whereabouts = ['zoom', 'at'];

export interface MapAddress {
  readonly grouping: string;
  /** Names of the groups that the viewer is in, from above. */
  readonly path: readonly string[];
  readonly order: HostOrder;
  /** Whether cells are as large as capacities. */
  readonly isBySize: boolean;
  /** The name of the chosen host. */
  readonly host: string | null;
  readonly stand: Stand;
  /** Sets a key of the address; removes it if the value is empty. */
  readonly set: (key: 'order' | 'layout' | 'wall', value: string) => void;
  readonly group: (grouping: string) => void;
  readonly goTo: (path: readonly string[]) => void;
  /** The address that `goTo` leads to. */
  readonly addressOf: (path: readonly string[]) => string;
  readonly choose: (host: string) => void;
  readonly move: (stand: Stand) => void;
}

export function useMapAddress(): MapAddress {
  const [parameters, setParameters] = useSearchParams();
  const change = (edit: (next: URLSearchParams) => void, replace = false) =>
    setParameters(
      (old) => {
        const next = new URLSearchParams(old);
        edit(next);
        return next;
      },
      { replace },
    );
  return {
    grouping: parameters.get('by') ?? suggested,
    path: parameters.getAll('in'),
    order: parameters.get('order') === 'use' ? 'use' : 'name',
    isBySize: parameters.get('layout') === 'size',
    host: parameters.get('host'),
    stand: { zoom: Number(parameters.get('zoom')) || 1, at: parameters.get('at') },
    set: (key, value) =>
      change((next) => {
        clear(next, whereabouts);
        setOrDelete(next, key, value);
      }),
    group: (grouping) =>
      change((next) => {
        clear(next, ['in', ...whereabouts]);
        setOrDelete(next, 'by', grouping);
      }),
    goTo: (path) => change((next) => enter(next, path)),
    addressOf: (path) => {
      const next = new URLSearchParams(parameters);
      enter(next, path);
      return `/?${printParameters([...next])}`;
    },
    choose: (host) => change((next) => next.set('host', host), true),
    move: ({ zoom, at }) =>
      change((next) => {
        clear(next, whereabouts);
        if (at === null) return;
        next.set('zoom', String(zoom));
        next.set('at', at);
        // Back leads to the whole map, not through everything that was seen on the way.
      }, parameters.has('zoom')),
  };
}

function enter(parameters: URLSearchParams, path: readonly string[]): void {
  clear(parameters, ['in', 'host', ...whereabouts]);
  for (const name of path) parameters.append('in', name);
}

function clear(parameters: URLSearchParams, keys: readonly string[]): void {
  for (const key of keys) parameters.delete(key);
}

function setOrDelete(parameters: URLSearchParams, key: string, value: string): void {
  if (value === '') parameters.delete(key);
  else parameters.set(key, value);
}
