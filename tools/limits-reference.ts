// Writes docs/limits.md: every limit of src/domain/limits.ts, and how the cost of an operation is counted.
// With --check it writes nothing and exits with 1 if the file is not up to date.
import { readFile, writeFile } from 'node:fs/promises';
import { limitList, limits } from '../src/domain/limits.ts';
import { digits } from './contract-numbers.ts';

const sections = [...new Set(limitList.map(({ section }) => section))];
const tables = sections.flatMap((section) => [
  '',
  `## ${section}`,
  '',
  '| Limit | Value | What it bounds |',
  '| --- | --- | --- |',
  ...limitList
    .filter((limit) => limit.section === section)
    .map(({ name, value, unit, meaning }) => `| \`${name}\` | ${digits(value)} ${unit} | ${meaning} |`),
]);

const text = `# Limits

Generated from \`src/domain/limits.ts\` by \`npm run generate\`. Do not edit.

What exceeds a limit is either refused before anything is done, with a typed error that names the limit, or cut off, and \`truncated\` says so.
Programs can read the same values by name with \`{ serviceInfo { limits { name value unit } } }\`, which needs no token.

## The cost of an operation

The cost is roughly the number of objects in the answer. It is computed from the operation's text and variables before it runs:

- each object counts 1, plain values count 0; ten values of a list count 1, and so do 1,024 characters of the names of fields, which come again with each object;
- a connection counts its \`first\` or \`last\` (${limits.defaultPageSize} when neither is given) times the cost of one element;
- any other list counts what \`@length\` in [schema.graphql](../schema.graphql) says: as many as an input has elements (\`nodes(ids:)\`) or asks for (\`limit\`, \`maxMoves\`), as
  there are steps between two moments, as there usually are, or at most;
- \`@cost\` says what a field counts beside its answer: a search ${limits.searchCost}, a plan ${digits(limits.planCost)} and the map of the cloud ${digits(limits.mapCost)}, so that these two are always heavy;
- fragments count wherever they are spread.

\`{ resourceProviders(first: 100) { nodes { name inventories { total resourceClass { name } } } } }\` costs 1 + 100 × (1 + 5 × (1 + 1)) = 1101:
the list, and for each provider the provider itself, its inventories, which are five as usual, and their classes.

An answer can have more objects than that, where lists are longer than usual. It is built in parts from ${digits(limits.lightOperationCost)} objects on, and what it has beyond its cost is taken
from the caller's budget when it is known. A request that is refused before its cost is known, because it is no valid operation or asks for what its caller may not
have, costs ${digits(limits.refusedRequestCost)}.

The cost of a subscription is that of a message with one event. What each message has is taken from the caller's budget; a caller that has used it up gets the next
message when it is there again. Large messages wait for their turn among heavy operations.

An operation of more than ${digits(limits.operationCost)} is refused with \`COST_LIMIT_EXCEEDED\`, which has its \`cost\`: request smaller pages. To get the cost of an operation
that runs, send the header \`x-graphql-cost: 1\`; the answer then has \`"extensions": {"cost": {"objects": …, "limit": ${limits.operationCost}}}\`.
${tables.join('\n')}
`;

const file = new URL('../docs/limits.md', import.meta.url);
if (!process.argv.includes('--check')) {
  await writeFile(file, text);
} else if (text !== (await readFile(file, 'utf8').catch(() => null))) {
  console.error('docs/limits.md is not what src/domain/limits.ts says. Run `npm run generate`.');
  process.exitCode = 1;
}
