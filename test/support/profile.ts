// How much is tried: as much as a run of all tests can bear, or, by `npm run gate`, as much as a release must pass (docs/reliability.md).

export const isGate = process.env.TEST_PROFILE === 'gate';

/** The usual number, or that of the gate. */
export function tried(usual: number, atGate: number): number {
  return isGate ? atGate : usual;
}
