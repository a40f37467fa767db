// Allocations: the body of one consumer in its six forms, and of several; the body of the reshaper; the query of a project's usage.
import type { Versioned } from '../microversions.ts';
import type { Properties, Schema } from '../validation.ts';
import { inventoriesOfProvider } from './inventories.ts';
import { namePattern, uuidPattern, wordSuffix } from './patterns.ts';

const object = (properties: Properties, required: readonly string[] = Object.keys(properties)): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const mapOf = (pattern: string, value: Schema, minProperties: number): Schema => ({
  type: 'object',
  minProperties,
  patternProperties: { [pattern]: value },
  additionalProperties: false,
});

const resources = mapOf(namePattern, { type: 'integer', minimum: 1 }, 1);
const uuid: Schema = { type: 'string', format: 'uuid' };

const list: Schema = {
  type: 'array',
  minItems: 1,
  items: object({ resource_provider: object({ uuid }), resources }),
};
/** The response of GET can be sent back: the generation is accepted and ignored. */
const byProvider = (smallest: number): Schema =>
  mapOf(uuidPattern, object({ generation: { type: 'integer' }, resources }, ['resources']), smallest);

const longName: Schema = { type: 'string', minLength: 1, maxLength: 255 };
const owner = { project_id: longName, user_id: longName };
const generation = { consumer_generation: { type: ['integer', 'null'], additionalProperties: false } } as const;
const mappings: Schema = {
  type: 'object',
  minProperties: 1,
  patternProperties: { [wordSuffix]: { type: 'array', minItems: 1, items: uuid } },
};
const type = { consumer_type: { type: 'string', pattern: namePattern, minLength: 1, maxLength: 255 } } as const;

const released = object({ allocations: byProvider(0), ...owner });
const guarded = object({ allocations: byProvider(0), ...owner, ...generation });
const mapped = object({ allocations: byProvider(0), ...owner, ...generation, mappings }, [
  'allocations',
  'project_id',
  'user_id',
  'consumer_generation',
]);
const typed = object({ allocations: byProvider(0), ...owner, ...generation, mappings, ...type }, [
  'allocations',
  'project_id',
  'user_id',
  'consumer_generation',
  'consumer_type',
]);

export const allocationsOfConsumer: Versioned<Schema> = [
  ['start', object({ allocations: list })],
  ['allocationOwner', object({ allocations: list, ...owner })],
  ['allocationsByProvider', object({ allocations: byProvider(1), ...owner })],
  ['consumerGenerations', guarded],
  ['mappings', mapped],
  ['consumerTypes', typed],
];

const severalFrom = (smallest: number) => (consumer: Schema) => mapOf(uuidPattern, consumer, smallest);
const several = severalFrom(1);

export const allocationsOfConsumers: Versioned<Schema> = [
  ['severalConsumers', several(released)],
  ['consumerGenerations', several(guarded)],
  ['mappings', several(mapped)],
  ['consumerTypes', several(typed)],
];

const reshaperOf = (consumer: Schema): Schema =>
  object({ inventories: mapOf(uuidPattern, inventoriesOfProvider, 1), allocations: severalFrom(0)(consumer) });

export const reshaper: Versioned<Schema> = [
  ['reshaper', reshaperOf(guarded)],
  ['mappings', reshaperOf(mapped)],
  ['consumerTypes', reshaperOf(typed)],
];

export const projectUsages: Versioned<Schema> = [
  ['projectUsages', object({ project_id: longName, user_id: longName }, ['project_id'])],
  [
    'consumerTypes',
    object(
      {
        project_id: longName,
        user_id: longName,
        // Two lowercase words stand for all consumers and for those without a type.
        consumer_type: { type: 'string', pattern: `${namePattern}|^all$|^unknown$`, minLength: 1, maxLength: 255 },
      },
      ['project_id'],
    ),
  ],
];
