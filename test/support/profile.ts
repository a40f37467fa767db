// The number of attempts of random tests: few in a run of all tests, and as many as a release must pass in `npm run gate` (docs/reliability.md).

export const isGate = process.env.TEST_PROFILE === 'gate';

/** The usual number, or that of `npm run gate`. */
export function tried(usual: number, atGate: number): number {
  return isGate ? atGate : usual;
}
