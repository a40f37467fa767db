// Defects in TypeScript as people make them, at least one in each room of src. None is part of the product: `npm run defects` (run.ts) plants each alone in a
// copy of the tree, and the named tests must fail. Those in SQL are in test/torture/mutants.ts.

export interface Defect {
  /** What is wrong. */
  readonly name: string;
  readonly file: string;
  /** A piece of the file that occurs once, and what stands in its place. */
  readonly text: string;
  readonly instead: string;
  /** The test files that must notice. */
  readonly tests: readonly string[];
}

/** The text of the file with the defect; null unless the piece occurs exactly once. */
export function planted(source: string, { text, instead }: Defect): string | null {
  const [before, after, ...others] = source.split(text);
  return before === undefined || after === undefined || others.length > 0 ? null : before + instead + after;
}
