// The number of attempts of random tests: few in `npm test`, all in the examination, and in `npm run gate` as many as a release must pass (docs/reliability.md).

const profile = process.env.TEST_PROFILE;
export const isGate = profile === 'gate';

/** The usual number of a test of the examination, or that of `npm run gate`. */
export function tried(usual: number, atGate: number): number {
  return isGate ? atGate : usual;
}

/** A tenth in `npm test`, all in the examination, or what TEST_HISTORIES says. */
export function sampled(all: number): number {
  const asked = Number(process.env.TEST_HISTORIES ?? 0);
  if (asked > 0) return asked;
  return profile === undefined ? Math.ceil(all / 10) : all;
}

/** The numbers of random histories: a tenth of all in `npm test`. */
export function historiesOf(all: number): number[] {
  return Array.from({ length: sampled(all) }, (_, index) => index + 1);
}

/** How often something must at least have occurred in all attempts: a tenth of them may not have met it. */
export function least(times: number): number {
  return profile === undefined ? 0 : times;
}
