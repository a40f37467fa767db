// Random numbers for tests, different in each run, so that one run meets what another does not. A failing test says how to repeat its numbers
// (failed-dice.ts); the interleaving of writes at the database is not repeatable.

/** A random integer from 0 up to, but not including, the given one. */
export type Dice = (sides: number) => number;

/** A seeded generator of pseudorandom numbers. */
export function diceOf(seed: number): Dice {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

let rolled = false;

/** Whether anything in this process depends on the seed of the run. */
export function areDiceRolled(): boolean {
  return rolled;
}

/** A seed derived from that of the run (vitest.config.ts), different for each name. */
export function freshSeed(name: string): number {
  rolled = true;
  let hash = 0x811c9dc5;
  for (const character of `${process.env.RUN_SEED} ${name}`) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}

/** An independent generator for each name. */
export function freshDice(name: string): Dice {
  return diceOf(freshSeed(name));
}
