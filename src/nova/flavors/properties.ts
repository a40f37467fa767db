// Properties that can be set by the flavor, as an extra specification such as `hw:cpu_policy`, and by the image, as a property such as
// `hw_cpu_policy`. Does not interpret the values.
import { limits } from '../../domain/limits.ts';
import { maxNameLength } from '../../domain/text.ts';
import { InputCheck } from '../../operations/request/input.ts';

/** A property as given by a caller. */
export interface Property {
  readonly key: string;
  readonly value: string;
}

const maxProperties = limits.flavorProperties;
/** In characters. */
const maxValueLength = limits.flavorPropertyLength;

/** Up to 1,000 properties by key. Refuses INVALID_INPUT below `path` for more, for duplicate keys, and for illegal text. */
export function readProperties(list: readonly Property[], path: readonly (string | number)[]): Readonly<Record<string, string>> {
  const check = new InputCheck();
  check.size(path, list, 0, maxProperties);
  check.unique(
    path,
    list.map(({ key }) => key),
    (index) => [index, 'key'],
  );
  for (const [index, { key, value }] of list.entries()) {
    check.text([...path, index, 'key'], key, maxNameLength);
    check.text([...path, index, 'value'], value === '' ? null : value, maxValueLength);
  }
  check.done();
  return Object.fromEntries(list.map(({ key, value }) => [key, value]));
}

/** The extra specifications of a flavor, and the properties of an image. */
export interface Properties {
  readonly flavor: Readonly<Record<string, string>>;
  readonly image: Readonly<Record<string, string>>;
}

/** The value in the flavor, by the name of the extra specification; undefined if there is none. */
export function flavorValue({ flavor }: Properties, name: string): string | undefined {
  return Object.hasOwn(flavor, name) ? flavor[name] : undefined;
}

/** The value in the image, by the name of the extra specification; undefined if there is none. */
export function imageValue({ image }: Properties, name: string): string | undefined {
  const property = name.replace(':', '_');
  return Object.hasOwn(image, property) ? image[property] : undefined;
}

/** The value in the flavor, or else in the image. */
export function flavorOrImageValue(properties: Properties, name: string): string | undefined {
  return flavorValue(properties, name) ?? imageValue(properties, name);
}

/** Whether a value means yes. */
export function isYes(word: string | undefined): boolean {
  return word !== undefined && ['1', 't', 'true', 'on', 'y', 'yes'].includes(word.trim().toLowerCase());
}
