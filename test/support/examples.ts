// The examples of the explorer, from the files that the page loads.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Example, parseExample } from '../../src/ui/explorer/example.ts';

const directory = fileURLToPath(new URL('../../src/ui/explorer/examples', import.meta.url));

export const examples: readonly Example[] = readdirSync(directory)
  .toSorted()
  .map((file) => parseExample(file.replace(/\.graphql$/, ''), readFileSync(`${directory}/${file}`, 'utf8')));

export function exampleNamed(name: string): Example {
  const found = examples.find((example) => example.name === name);
  if (!found) throw new Error(`The example ${name} does not exist.`);
  return found;
}
