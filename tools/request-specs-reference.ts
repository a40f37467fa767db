// Writes docs/request-specs.md: every field of a RequestSpec and every scheduler hint of src/nova/requests/request-spec-fields.ts, and what becomes of it.
// With --check it writes nothing and exits with 1 if the file is not up to date.
import { readFile, writeFile } from 'node:fs/promises';
import { type FieldTreatment, requestSpecFields, type SpecField, schedulerHints } from '../src/nova/requests/request-spec-fields.ts';

const words: Readonly<Record<FieldTreatment, string>> = {
  REQUESTED: 'in the request',
  CHOSEN: 'when a host is chosen',
  UNCHECKED: 'not checked, with a warning',
  UNREAD: 'not read',
};

const tableOf = (fields: readonly SpecField[]) =>
  [
    '| Name | Counts | What becomes of it | Refused when |',
    '| --- | --- | --- | --- |',
    ...fields.map(({ name, treatment, effect, refusedWhen }) => `| \`${name}\` | ${words[treatment]} | ${effect} | ${refusedWhen ?? ''} |`),
  ].join('\n');

const text = `# Request specs

What becomes of the fields of a RequestSpec, the object in which Nova's services pass on what an instance asks for. \`requestSpecToRequest\` makes a request
for candidates of it; \`selectDestinations\` also chooses a host. What counts only when a host is chosen, and what is not checked at all, is warned of with
\`REQUEST_SPEC_NOT_CHECKED\` wherever it is given and does not count. Generated from \`src/nova/requests/request-spec-fields.ts\`; do not edit it.

## Fields

${tableOf(requestSpecFields)}

## Scheduler hints

Any other hint is for a filter that is not known here: it is warned of.

${tableOf(schedulerHints)}
`;

const file = new URL('../docs/request-specs.md', import.meta.url);
if (!process.argv.includes('--check')) {
  await writeFile(file, text);
} else if (text !== (await readFile(file, 'utf8').catch(() => null))) {
  console.error('docs/request-specs.md is not what src/nova/requests/request-spec-fields.ts says. Run `npm run generate`.');
  process.exitCode = 1;
}
