// All worked examples, from the files of this directory, in the order of their users and then of their names.
import { parseExample, users } from './example.ts';

const files = import.meta.glob<string>('./examples/*.graphql', { query: '?raw', import: 'default', eager: true });

const nameOf = (path: string) => path.replace(/^.*\/|\.graphql$/g, '');

export const examples = Object.entries(files)
  .map(([path, file]) => parseExample(nameOf(path), file))
  .toSorted((one, other) => users.indexOf(one.user) - users.indexOf(other.user) || one.name.localeCompare(other.name));
