// Properties that can be set by the flavor, as an extra spec such as `hw:cpu_policy`, and by the image, as a property such as `hw_cpu_policy`. Does not
// interpret the values.
import { invalidInput, type Refusal } from '../../domain/errors.ts';
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

/** Up to 1,000 properties by key. Refuses INVALID_INPUT below `path` for more, for duplicate keys, and for invalid text. */
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

/** The extra specs of a flavor, and the properties of an image. */
export interface Properties {
  readonly flavor: Readonly<Record<string, string>>;
  readonly image: Readonly<Record<string, string>>;
  /** Whether the properties of the image are known, even if there are none. */
  readonly isImageKnown: boolean;
}

/** The value in the flavor, by the name of the extra spec; undefined if there is none. */
export function flavorValue({ flavor }: Properties, name: string): string | undefined {
  return Object.hasOwn(flavor, name) ? flavor[name] : undefined;
}

/** The value in the image, by the name of the extra spec; undefined if there is none. */
export function imageValue({ image }: Properties, name: string): string | undefined {
  const property = name.replace(':', '_');
  return Object.hasOwn(image, property) ? image[property] : undefined;
}

/** The value on which the flavor and the image agree, or the only one given; an empty text counts as not given. Refuses different values. */
export function agreedValue(properties: Properties, name: string): string | undefined {
  const [flavor, image] = [flavorValue(properties, name), imageValue(properties, name)];
  if (flavor && image && flavor !== image) throw conflict(name, flavor, image);
  return flavor || image || undefined;
}

/** Like agreedValue, but the value must be one of these words. */
export function agreedWord<Word extends string>(properties: Properties, name: string, words: readonly Word[]): Word | undefined {
  const value = agreedValue(properties, name);
  const word = words.find((each) => each === value);
  if (value !== undefined && word === undefined) throw badFlavor(`${name} must be one of ${words.join(', ')}, is ${value}`);
  return word;
}

/** The answer on which the flavor and the image agree, or the only one given; null if neither gives one. Refuses different answers. */
export function agreedFlag(properties: Properties, name: string): boolean | null {
  const [flavor, image] = [flavorValue(properties, name), imageValue(properties, name)];
  if (flavor !== undefined && image !== undefined && isYes(flavor) !== isYes(image)) throw conflict(name, flavor, image);
  return flavor === undefined && image === undefined ? null : isYes(flavor ?? image);
}

/** Whether a value means yes. */
export function isYes(word: string | undefined): boolean {
  return word !== undefined && ['1', 't', 'true', 'on', 'y', 'yes'].includes(word.trim().toLowerCase());
}

/** A refusal of a flavor, or of a flavor with its image. */
export function badFlavor(message: string): Refusal {
  return invalidInput(['flavor'], message);
}

function conflict(name: string, flavor: string, image: string): Refusal {
  return badFlavor(`the flavor has ${name} ${flavor}, and the image has ${image}`);
}
