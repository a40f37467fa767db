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

Beyond a limit, the gateway either refuses a request before anything is done, with a typed error that names the limit, or cuts off the answer and reports \`truncated\`.
Programs can read the same values by name with \`{ serviceInfo { limits { name value unit } } }\`, which needs no token.

## The cost of an operation

The cost is roughly the number of objects in the answer. It is computed from the operation's text and variables before the operation runs:

- each object counts 1, and 1 more for every ten plain values that it has; ten values of a list count 1, and so do 1,024 characters of the names of fields, which are repeated in each object;
- a connection counts its \`first\` or \`last\` (${limits.defaultPageSize} if neither is given) times the cost of one element;
- \`@length\` in [schema.graphql](../schema.graphql) says what any other list counts: the elements of an input (\`nodes(ids:)\`), the number that an input requests (\`limit\`, \`maxMoves\`), the
  steps between two moments, the usual length, or the maximum;
- \`@cost\` says what a field counts in addition to its answer: a search ${limits.searchCost}, a question about the past ${limits.historyCost}, a plan ${digits(limits.planCost)} and the map of the cloud ${digits(limits.mapCost)}, so plans and maps are always heavy;
- fragments count wherever they are spread.

\`{ resourceProviders(first: 100) { nodes { name inventories { total resourceClass { name } } } } }\` costs 1 + 100 × (1 + 5 × (1 + 1)) = 1101:
the list, and for each provider the provider itself, its inventories, usually five, and their classes.

An answer has more objects than its cost if lists are longer than usual. Objects beyond its cost are charged to the caller's budget afterwards; a hundred values of a
column of the map count as one. An operation that costs up to ${digits(limits.lightEstimate)} starts as a light one. If a light operation makes more than ${digits(limits.lightOperationCost)} objects, it becomes a heavy one. A query is stopped, what it has read is dropped, and it runs again
when its turn comes; if there is no turn, the answer is UNAVAILABLE. A mutation has written by then, so the rest of its answer waits for a turn. If there is none, the lists that are
missing are null, with an error of the code ANSWER_INCOMPLETE. No answer has more than ${digits(limits.operationCost)} objects or ${digits(limits.answerSize)} bytes: a query beyond that is refused, and in the
answer of a mutation the lists beyond that are null, or all of its fields, with COST_LIMIT_EXCEEDED and \`written: true\`. A request that is refused before its cost is known, because it is not a valid operation or its caller lacks a right, costs ${digits(limits.refusedRequestCost)}.

The cost of a subscription is that of a message with one event. The objects of each message are charged to the caller's budget; a caller that has used it up gets the next
message when the budget is restored. Messages of more than ${digits(limits.lightMessageCost)} objects wait for their turn among heavy operations, also those that turn out so large while they are made.

An operation that costs more than ${digits(limits.operationCost)} is refused with \`COST_LIMIT_EXCEEDED\`, which has its \`cost\`: request smaller pages. To get the cost of an operation
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
