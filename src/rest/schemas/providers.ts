// Resource providers: bodies and queries, by version.
import type { Versioned } from '../microversions.ts';
import type { Schema } from '../validation.ts';

const name: Schema = { type: 'string', maxLength: 200 };
const uuid: Schema = { type: 'string', format: 'uuid' };
const parent: Schema = { anyOf: [uuid, { type: 'null' }] };

const bodyOf = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  required: ['name'],
  additionalProperties: false,
});

export const newProvider: Versioned<Schema> = [
  ['start', bodyOf({ name, uuid })],
  ['trees', bodyOf({ name, uuid, parent_provider_uuid: parent })],
];

export const providerUpdate: Versioned<Schema> = [
  ['start', bodyOf({ name })],
  ['trees', bodyOf({ name, parent_provider_uuid: parent })],
];

const filters: Readonly<Record<string, Schema>> = { name: { type: 'string' }, uuid };
const queryOf = (more: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties: { ...filters, ...more },
  additionalProperties: false,
});
const text: Schema = { type: 'string' };

export const providerFilter: Versioned<Schema> = [
  ['start', queryOf({})],
  ['providersByAggregate', queryOf({ member_of: text })],
  ['providersByResources', queryOf({ member_of: text, resources: text })],
  ['trees', queryOf({ member_of: text, resources: text, in_tree: uuid })],
  ['providersByTrait', queryOf({ member_of: text, resources: text, in_tree: uuid, required: text })],
];
