// Conditions on a number.

/** All bounds that are given must hold. */
export interface Range {
  readonly is?: number;
  readonly isNot?: number;
  readonly above?: number;
  readonly atLeast?: number;
  readonly below?: number;
  readonly atMost?: number;
}

export const bounds = ['is', 'isNot', 'above', 'atLeast', 'below', 'atMost'] as const satisfies readonly (keyof Range)[];

export function isWithin(value: number, { is, isNot, above, atLeast, below, atMost }: Range): boolean {
  return (
    (is === undefined || value === is) &&
    (isNot === undefined || value !== isNot) &&
    (above === undefined || value > above) &&
    (atLeast === undefined || value >= atLeast) &&
    (below === undefined || value < below) &&
    (atMost === undefined || value <= atMost)
  );
}
