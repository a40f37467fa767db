// What a setting is. A setting stands in one place, in the file of its group: its variable and flag, its form, its default and its meaning. The type of its
// value, the check, the help and the documents follow from that.
import type { z } from 'zod';

interface Description {
  readonly variable: string;
  /** What stands for the value in the help, such as `path`. */
  readonly argument: string;
  /** The default, as a user would write it. With `absent`, only the word for it. */
  readonly fallback: string;
  readonly meaning: string;
  /** Whether the value may be, or contain, a secret: it is never shown whole. */
  readonly isSecret?: true;
  /** Whether the value may be in a file instead, which the variable with _FILE at its end names. The file is read once, at startup. */
  readonly mayBeInFile?: true;
}

export interface Setting<Value> extends Description {
  /** Without dashes. */
  readonly flag: string;
  /** Reads the text; undefined if none was given. */
  readonly read: (text: string | undefined) => z.ZodSafeParseResult<Value>;
}

/** The values of a group of settings, by key. */
export type ValuesOf<Group> = { readonly [Key in keyof Group]: Group[Key] extends Setting<infer Value> ? Value : never };

/** `form` reads the text. `absent` is the value if no text is given; by default, that of `fallback`. */
export function setting<Value>(
  description: Description & { readonly form: z.ZodType<Value, string>; readonly absent: null },
): Setting<Value | null>;
export function setting<Value>(
  description: Description & { readonly form: z.ZodType<Value, string>; readonly absent?: Value },
): Setting<Value>;
export function setting<Value>({
  form,
  absent,
  ...description
}: Description & { readonly form: z.ZodType<Value, string>; readonly absent?: Value | null }): Setting<Value | null> {
  const flag = description.variable
    .replace(/^PLACEMENT_/, '')
    .toLowerCase()
    .replaceAll('_', '-');
  const read = (text: string | undefined): z.ZodSafeParseResult<Value | null> =>
    text === undefined && absent !== undefined ? { success: true, data: absent } : form.safeParse(text ?? description.fallback);
  return { ...description, flag, read };
}
