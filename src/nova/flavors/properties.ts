// What a flavor and an image say about one thing: the flavor as an extra specification such as `hw:cpu_policy`, the image as a property
// such as `hw_cpu_policy`. Does not interpret the values.
import { limits } from '../../domain/limits.ts';
import { maxNameLength } from '../../domain/text.ts';
import { InputCheck } from '../../operations/request/input.ts';

/** One of them as a caller gives it. */
export interface Property {
  readonly key: string;
  readonly value: string;
}

const mostProperties = limits.flavorProperties;
/** Characters. */
const longestValue = limits.flavorPropertyLength;

/** At most 1,000 properties by key. Refuses INVALID_INPUT below `path` for more, for a key that is given twice, and for illegal text. */
export function readProperties(list: readonly Property[], path: readonly (string | number)[]): Readonly<Record<string, string>> {
  const check = new InputCheck();
  check.size(path, list, 0, mostProperties);
  check.unique(
    path,
    list.map(({ key }) => key),
    (index) => [index, 'key'],
  );
  for (const [index, { key, value }] of list.entries()) {
    check.text([...path, index, 'key'], key, maxNameLength);
    check.text([...path, index, 'value'], value === '' ? null : value, longestValue);
  }
  check.done();
  return Object.fromEntries(list.map(({ key, value }) => [key, value]));
}

/** The extra specifications of a flavor beside the properties of an image. */
export interface Properties {
  readonly flavor: Readonly<Record<string, string>>;
  readonly image: Readonly<Record<string, string>>;
}

/** What the flavor says, by the name of its extra specification; undefined when it says nothing. */
export function flavorSays({ flavor }: Properties, name: string): string | undefined {
  return Object.hasOwn(flavor, name) ? flavor[name] : undefined;
}

/** What the image says, by the name of the extra specification; undefined when it says nothing. */
export function imageSays({ image }: Properties, name: string): string | undefined {
  const property = name.replace(':', '_');
  return Object.hasOwn(image, property) ? image[property] : undefined;
}

/** What either says, the flavor first. */
export function eitherSays(properties: Properties, name: string): string | undefined {
  return flavorSays(properties, name) ?? imageSays(properties, name);
}

/** Whether a word means yes. */
export function isYes(word: string | undefined): boolean {
  return word !== undefined && ['1', 't', 'true', 'on', 'y', 'yes'].includes(word.trim().toLowerCase());
}
