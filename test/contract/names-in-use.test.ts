// The compiler accepts a field without a resolver, an input that no operation reads and a setting that nothing obeys. So each name must at least occur in the
// source.
import { readFileSync } from 'node:fs';
import { buildSchema, isInputObjectType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { settingDescriptions } from '../../src/settings/settings.ts';
import { readSourceFiles, withoutComments } from '../support/source-files.ts';

/** The words of the program, without the files that declare the names and those that follow from them. */
function wordsOfSource(): ReadonlySet<string> {
  const isMeant = (path: string) => path.startsWith('src/') && !/^src\/(?:ui|settings)\/|\.generated\.ts$/.test(path);
  const files = readSourceFiles().filter(({ path }) => isMeant(path));
  return new Set(files.flatMap((file) => withoutComments(file).match(/\w+/g) ?? []));
}

test('the name of every field, argument and setting occurs in the source', () => {
  const words = wordsOfSource();
  const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
  const names = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (type.name.startsWith('__')) return [];
    if (isInputObjectType(type)) return Object.keys(type.getFields()).map((field) => [`${type.name}.${field}`, field] as const);
    if (!isObjectType(type)) return [];
    return Object.values(type.getFields()).flatMap(({ name, args }) => [
      [`${type.name}.${name}`, name] as const,
      ...args.map((argument) => [`${type.name}.${name}(${argument.name})`, argument.name] as const),
    ]);
  });
  const settings = settingDescriptions.map(({ key }) => [`the setting ${key}`, key] as const);
  const all = [...names, ...settings];
  expect(all.length).toBeGreaterThan(1000);
  expect(all.filter(([, name]) => !words.has(name)).map(([where]) => where)).toEqual([]);
});
