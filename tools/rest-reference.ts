// Writes docs/rest-api.md: the reference of the Placement REST API, from its route table, its schemas by version and the table of statuses.
// With --check it writes nothing and exits with 1 if the file is not up to date.
import { readFile, writeFile } from 'node:fs/promises';
import type { Route } from '../src/rest/call.ts';
import { type Feature, features, newestVersion, type Versioned } from '../src/rest/microversions.ts';
import { routes } from '../src/rest/serving/routes.ts';
import type { Schema } from '../src/rest/validation.ts';
import { type Statuses, statuses } from './rest-statuses.ts';

const newest = Math.max(...Object.values(features));

/** The range from the version of one feature to the version before another. */
function versions(since: Feature, until?: Feature): string {
  const [first, last] = [features[since], until === undefined ? newest : features[until] - 1];
  if (last === newest) return first === 0 ? 'all' : `since 1.${first}`;
  return first === last ? `1.${first}` : `1.${first} to 1.${last}`;
}

interface Field {
  readonly name: string;
  readonly meaning: string;
}

/** Every field of a schema with all its parents: `allocations.{uuid}.resources`. */
function fieldsOf(schema: Schema, name: string, isRequired: boolean): Field[] {
  const inside = Object.entries(schema.properties ?? {}).flatMap(([key, inner]) =>
    fieldsOf(inner, name === '' ? key : `${name}.${key}`, schema.required?.includes(key) ?? false),
  );
  const maps = Object.entries(schema.patternProperties ?? {}).flatMap(([pattern, inner]) =>
    fieldsOf(inner, `${name === '' ? '' : `${name}.`}{${nameOfPattern(pattern)}}`, false),
  );
  const items = schema.items ? fieldsOf(schema.items, `${name}[]`, false) : [];
  const own = name === '' && !schema.items ? [] : [{ name: name || 'the body', meaning: meaningOf(schema, isRequired) }];
  return [...own, ...inside, ...maps, ...items];
}

function nameOfPattern(pattern: string): string {
  const parameter = /^\^(\w+)\((.*)\)\?\$$/.exec(pattern);
  if (parameter) return `${parameter[1]}, or ${parameter[1]} + suffix ${parameter[2]}`;
  if (pattern.includes('{36}')) return 'uuid';
  return pattern.includes('A-Z') && !pattern.includes('a-z') ? 'resource class' : 'suffix of a group';
}

function meaningOf(schema: Schema, isRequired: boolean): string {
  const { minimum, maximum, minLength, maxLength, minItems, minProperties, pattern } = schema;
  const types = [schema.format ?? schema.type ?? schema.anyOf?.flatMap((each) => each.format ?? each.type ?? []) ?? []].flat();
  const parts = [
    types.join(' or '),
    schema.enum && `one of ${schema.enum.map((word) => `\`${word}\``).join(', ')}`,
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, undefined, ' entries'),
    range(minProperties || undefined, undefined, ' entries'),
    pattern && `\`${pattern.replaceAll('|', '\\|')}\``,
    schema.uniqueItems && 'each once',
    isRequired && 'required',
  ];
  return parts.filter(Boolean).join('; ');
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  if (least !== undefined) return `at least ${least}${unit}`;
  return most === undefined ? '' : `at most ${most}${unit}`;
}

/** The fields of all versions, each with the versions in which its definition applies. */
function tableOf(title: string, steps: Versioned<Schema>, until: Feature | undefined): string[] {
  const rows = new Map<string, { readonly field: Field; readonly ranges: [Feature, Feature | undefined][] }>();
  for (const [index, [since, schema]] of steps.entries()) {
    const next = steps[index + 1]?.[0] ?? until;
    for (const field of fieldsOf(schema, '', false)) {
      const key = JSON.stringify(field);
      const row = rows.get(key) ?? { field, ranges: [] };
      rows.set(key, row);
      const last = row.ranges.at(-1);
      if (last?.[1] === since) last[1] = next;
      else row.ranges.push([since, next]);
    }
  }
  if (rows.size === 0) return [];
  const lines = [...rows.values()].map(
    ({ field, ranges }) => `| \`${field.name}\` | ${field.meaning} | ${ranges.map(([since, end]) => versions(since, end)).join(', ')} |`,
  );
  return ['', `| ${title} | Value | Versions |`, '| --- | --- | --- |', ...lines];
}

const list = (title: string, all: Readonly<Record<number, string>>): string[] => {
  const words = Object.entries(all).map(([status, reason]) => `${status} ${reason}`);
  return words.length === 0 ? [] : ['', `${title}: ${words.join('; ')}.`];
};

function operation(route: Route): string[] {
  const { method, path, summary, since, until, tooOld, policy, query, body } = route;
  const answers: Statuses | undefined = statuses[`${method} ${path}`];
  if (!answers) throw new Error(`rest-statuses.ts lacks the statuses of ${method} ${path}`);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `\`${name}\``);
  return [
    '',
    `### \`${method} /placement${path}\``,
    '',
    `${summary}. Versions: ${versions(since, until)}${tooOld === 405 ? ' (405 before)' : ''}. ${policy === null ? 'For everyone, without a token' : `Policy: \`${policy}\``}.${
      inPath.length > 0 ? ` In the path: ${inPath.join(', ')}.` : ''
    }`,
    ...tableOf('Query', query ?? [], until),
    ...tableOf('Body', body ?? [], until),
    ...list('Success', answers.success),
    ...list('Refusals', answers.refusals),
  ];
}

const known = new Set(routes.map(({ method, path }) => `${method} ${path}`));
const stray = Object.keys(statuses).filter((key) => !known.has(key));
if (stray.length > 0) throw new Error(`rest-statuses.ts has unknown operations: ${stray.join(', ')}`);

const introduction = `# The Placement REST API

Generated from the route table (\`src/rest/serving/routes.ts\`) by \`npm run generate\`. Do not edit.

The gateway serves OpenStack Placement's API, microversions 1.0 to ${newestVersion}, below \`/placement\` and at the root: \`/placement/traits\` and \`/traits\` are the same, and links and \`Location\` begin as the request did. The root itself answers browsers with the dashboard, and all other clients with the list of versions. Field names, statuses, error codes and error messages are upstream's.

## Headers of requests

| Header | Meaning |
| --- | --- |
| \`x-auth-token\` | the caller's token; without it everything but the root document answers 401 |
| \`openstack-api-version\` | \`placement 1.39\`, or \`placement latest\`; the default is 1.0 |
| \`accept\` | must allow \`application/json\` for documents; errors can also be \`text/html\` or \`text/plain\` |
| \`content-type\` | \`application/json\` in UTF-8, required with a body |

## Headers of answers

| Header | When |
| --- | --- |
| \`x-openstack-request-id\` | always; the log and the event of a write have the same |
| \`openstack-api-version\`, \`vary\` | once the version is negotiated |
| \`location\` | when something was created |
| \`cache-control: no-cache\`, \`last-modified\` | since 1.15, with documents |
| \`allow\` | with 405: the methods of the path |

## Statuses of all operations

| Status | When |
| --- | --- |
| 400 | the version is malformed; a body has no content type; the query or body does not match the tables below; the request is not valid HTTP |
| 401 | the token is missing or invalid |
| 403 | the caller may not do this |
| 404 | the path does not exist, or not yet in this version |
| 405 | the path does not support the method |
| 406 | the version is not supported, or no accepted media type is available |
| 413, 431 | the body or the headers are too large |
| 415 | the body is not JSON in UTF-8 |
| 429 | the caller has used up its budget; \`Retry-After\` says when to try again ([access.md](access.md#how-much-a-caller-may-ask-for)) |
| 503 | the database is unavailable |

Errors are \`{"errors": [{"status", "title", "detail", "request_id"}]}\`; since 1.23 with a \`code\`; for an unsupported version also with \`max_version\` and
\`min_version\`. If there are several faults, the answer reports the first in the order 401, version, 400 for a missing type, 404, 405, 406, 415, 403, 400.

## Operations`;

const file = new URL('../docs/rest-api.md', import.meta.url);
const text = `${[introduction, ...routes.flatMap(operation)].join('\n')}\n`;

if (!process.argv.includes('--check')) {
  await writeFile(file, text);
} else if (text !== (await readFile(file, 'utf8').catch(() => null))) {
  console.error('docs/rest-api.md does not match the route table. Run `npm run generate`.');
  process.exitCode = 1;
}
