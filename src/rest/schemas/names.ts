// Traits, resource classes and aggregates: schemas that consist of little more than a name.
import type { Versioned } from '../microversions.ts';
import type { Schema } from '../validation.ts';
import { customNamePattern } from './patterns.ts';

/** The name of a class in a body or path. */
export const resourceClassName: Schema = {
  type: 'object',
  properties: { name: { type: 'string', pattern: customNamePattern, maxLength: 255 } },
  required: ['name'],
  additionalProperties: false,
};
export const resourceClass: Versioned<Schema> = [['resourceClasses', resourceClassName]];

export const traitsOfProvider: Versioned<Schema> = [
  [
    'traits',
    {
      type: 'object',
      properties: {
        traits: { type: 'array', items: { type: 'string', minLength: 1, maxLength: 255 } },
        resource_provider_generation: { type: 'integer' },
      },
      required: ['traits', 'resource_provider_generation'],
      additionalProperties: false,
    },
  ],
];

export const traitFilter: Versioned<Schema> = [
  ['traits', { type: 'object', properties: { name: { type: 'string' }, associated: { type: 'string' } }, additionalProperties: false }],
];

const aggregates: Schema = { type: 'array', items: { type: 'string', format: 'uuid' }, uniqueItems: true };

export const aggregatesOfProvider: Versioned<Schema> = [
  ['aggregates', aggregates],
  [
    'aggregateGenerations',
    {
      type: 'object',
      properties: { aggregates, resource_provider_generation: { type: 'integer' } },
      required: ['aggregates', 'resource_provider_generation'],
      additionalProperties: false,
    },
  ],
];
