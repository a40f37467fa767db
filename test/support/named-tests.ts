// Pages that name tests: whether those exist, by the beginnings of their titles or rows. Knows no page.
import { existsSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);

/** The text of a file of the project. */
export const readFile = (path: string) => readFileSync(new URL(path, root), 'utf8');

export interface NamedTest {
  readonly file: string;
  readonly title: string;
  /** Words with numbers that must occur in the file. */
  readonly count: string;
}

/** The faults of a reference to a test. */
export function faultsOf({ file, title, count }: NamedTest): string[] {
  if (!existsSync(new URL(file, root))) return [`${file} is not there`];
  const text = readFile(file).replaceAll(/(?<=\d)_(?=\d)/g, '');
  const missing = (count.match(/\d+/g) ?? []).filter((number) => !new RegExp(`(?<!\\d)${number}(?!\\d)`).test(text));
  return [
    ...(["'", '"', '`'].some((quote) => text.includes(`${quote}${title}`)) ? [] : [`${file} has no test: ${title}`]),
    ...missing.map((number) => `${file} has no ${number}, told of: ${title}`),
  ];
}
