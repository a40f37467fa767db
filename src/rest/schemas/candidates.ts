// The query of GET /allocation_candidates, by version; also which parameters belong to a group, and to which group.
import { has, type Microversion, type Versioned } from '../microversions.ts';
import type { Properties, Schema } from '../validation.ts';
import { numberSuffix, wordSuffix } from './patterns.ts';

const text: Schema = { type: 'string' };
// Equivalent, but spelled as in upstream's messages for these parameters.
const oneText: Schema = { type: ['string'] };
const limit: Properties = { limit: { type: ['integer', 'string'], pattern: '^[1-9][0-9]*$', minimum: 1, minLength: 1 } };
const groupPolicy: Properties = { group_policy: { type: 'string', enum: ['none', 'isolate'] } };

const oneGroup = (properties: Properties): Schema => ({
  type: 'object',
  properties: { resources: text, ...properties },
  required: ['resources'],
  additionalProperties: false,
});

const manyGroups = (parameters: readonly string[], suffix: string, properties: Properties = {}): Schema => ({
  type: 'object',
  properties: { ...limit, ...groupPolicy, ...properties },
  patternProperties: Object.fromEntries(parameters.map((parameter) => [`^${parameter}(${suffix})?$`, text])),
  additionalProperties: false,
});

const parameters = ['resources', 'required', 'member_of'];
const allParameters = [...parameters, 'in_tree'];

export const candidatesQuery: Versioned<Schema> = [
  ['candidates', oneGroup({})],
  ['candidateLimit', oneGroup(limit)],
  ['candidateTraits', oneGroup({ ...limit, required: oneText })],
  ['candidateAggregates', oneGroup({ ...limit, required: oneText, member_of: oneText })],
  ['granularGroups', manyGroups(parameters, numberSuffix)],
  ['candidatesInTree', manyGroups(allParameters, numberSuffix)],
  ['namedGroups', manyGroups(allParameters, wordSuffix)],
  ['rootRequired', manyGroups(allParameters, wordSuffix, { root_required: oneText })],
  ['sameSubtree', manyGroups(allParameters, wordSuffix, { root_required: oneText, same_subtree: oneText })],
];

const named = new RegExp(`^(${allParameters.join('|')})(${wordSuffix})?$`);
const numbered = new RegExp(`^(${allParameters.join('|')})(${numberSuffix})?$`);

/** Matches parameters of groups: the first capture is the parameter, the second its suffix, if any. */
export function groupParameter(version: Microversion): RegExp {
  return has(version, 'namedGroups') ? named : numbered;
}
