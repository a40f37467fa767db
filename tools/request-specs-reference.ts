// Writes docs/request-specs.md: every field of a RequestSpec and every scheduler hint of src/nova/requests/request-spec-fields.ts, and its effect.
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
    '| Name | Counts | Effect | Refused when |',
    '| --- | --- | --- | --- |',
    ...fields.map(({ name, treatment, effect, refusedWhen }) => `| \`${name}\` | ${words[treatment]} | ${effect} | ${refusedWhen ?? ''} |`),
  ].join('\n');

const text = `# Request specs

This page lists the fields of a RequestSpec, the object in which Nova's services describe the needs of an instance, and their effect. \`requestSpecToRequest\` converts it to a request
for candidates; \`selectDestinations\` also chooses a host. A field that is given but does not count, because no host is chosen or because it is never checked, causes the warning
\`REQUEST_SPEC_NOT_CHECKED\`. Generated from \`src/nova/requests/request-spec-fields.ts\`; do not edit it.

## Fields

${tableOf(requestSpecFields)}

## Scheduler hints

Any other hint is for an unknown filter and causes a warning.

${tableOf(schedulerHints)}
`;

const file = new URL('../docs/request-specs.md', import.meta.url);
if (!process.argv.includes('--check')) {
  await writeFile(file, text);
} else if (text !== (await readFile(file, 'utf8').catch(() => null))) {
  console.error('docs/request-specs.md does not match src/nova/requests/request-spec-fields.ts. Run `npm run generate`.');
  process.exitCode = 1;
}
