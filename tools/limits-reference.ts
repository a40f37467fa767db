// Writes docs/limits.md: every limit of src/domain/limits.ts, and how the cost of an operation is counted.
// With --check it writes nothing and exits with 1 if the file is not up to date.
import { readFile, writeFile } from 'node:fs/promises';
import { limitList, limits } from '../src/domain/limits.ts';
import { assumedListLength } from '../src/graphql/limits.ts';

const digits = (value: number): string => (value < 1e15 ? value.toLocaleString('en-US') : String(value));

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

The cost is roughly the maximum number of objects in the answer. It is computed from the operation's text and variables before it runs:

- each object counts 1, scalar fields count 0;
- a connection counts its \`first\` or \`last\` (${limits.defaultPageSize} when neither is given) times the cost of one element;
- a search (\`allocationCandidates\`, \`fit\`) counts ${limits.searchCost} for itself;
- a plan (\`drainPlan\`, \`rebalancePlan\`, \`whatIf\`) counts ${limits.planCost} for itself, so it is always heavy; its \`moves\` and \`stuck\` count its \`maxMoves\`;
- \`candidates\` of a search count its \`limit\` (${limits.defaultCandidates} by default), and that again for every ${assumedListLength} groups or amounts of the request;
- a list as long as an argument (\`nodes(ids:)\`) counts the length of the argument; any other list counts ${assumedListLength};
- fragments count wherever they are spread.

\`{ resourceProviders(first: 100) { nodes { name inventories { total resourceClass { name } } } } }\` costs 1 + 100 × (1 + ${assumedListLength} × (1 + 1)) = ${1 + 100 * (1 + assumedListLength * 2)}:
the list, and for each provider the provider itself, its inventories and their classes.

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
