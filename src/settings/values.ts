// Forms of values of settings.
import { z } from 'zod';

export function wholeNumber(from: number, to: number) {
  const allowed = `must be a whole number from ${from} to ${to}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, allowed)
    .transform(Number)
    .refine((number) => number >= from && number <= to, allowed);
}

export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, `must be one of ${values.join(', ')}`);
}

/** A number, as of days; null for the word instead of one. */
export function numberOr(word: string, most: number) {
  const allowed = `must be a whole number from 1 to ${most}, or ${word}`;
  return z
    .string()
    .regex(new RegExp(`^(${word}|\\d{1,9})$`), allowed)
    .transform((text) => (text === word ? null : Number(text)))
    .refine((days) => days === null || (days >= 1 && days <= most), allowed);
}

/** Names with commas between. */
export function namesIn(list: string): string[] {
  return list.split(',').map((name) => name.trim());
}
