// The forms that the values of settings have in common.
import { z } from 'zod';

export const anyText = z.string();
/** For `setting`: any text, or null. */
export const optionalText = { form: anyText, absent: null, fallback: 'none' } as const;
export const onOrOff = z.stringbool({ error: 'must be on or off' });

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

/** A number, for example of days; null for the word in its place. */
export function numberOr(word: string, most: number) {
  const allowed = `must be a whole number from 1 to ${most}, or ${word}`;
  return z
    .string()
    .regex(new RegExp(`^(${word}|\\d{1,9})$`), allowed)
    .transform((text) => (text === word ? null : Number(text)))
    .refine((number) => number === null || (number >= 1 && number <= most), allowed);
}

/** Elements separated by commas. */
export const list = z.string().transform((text): readonly string[] => text.split(',').map((element) => element.trim()));
