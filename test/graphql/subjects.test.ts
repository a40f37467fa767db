// The text of locations in refusals.
import { expect, test } from 'vitest';
import { messageWithPlace, pathOfMessage } from '../../src/graphql/subjects.ts';

test.each([
  [['filter', 'inTrees', '3'], 'must be a uuid', 'filter.inTrees[3] must be a uuid'],
  [['filter', 'names', '0'], '0 must not be empty', 'filter.names[0] must not be empty'],
  [['input', 'inventory', 'total'], 'total must be at least 1', 'input.inventory.total must be at least 1'],
  [['maxDepth'], 'maxDepth must be at least 1', 'maxDepth must be at least 1'],
  [['fits', '1'], 'VCPU stands at 0 already', 'fits[1]: VCPU stands at 0 already'],
  [[], 'give one of uuid and name', 'give one of uuid and name'],
])('the message of a fault at %j begins with the place', (path, message, told) => {
  expect(messageWithPlace({ code: 'INVALID_INPUT', path, message })).toBe(told);
});

test('other refusals name their subject', () => {
  expect(messageWithPlace({ code: 'NOT_FOUND', path: ['a'], message: 'There is no trait X.' })).toBe('There is no trait X.');
});

test.each([
  ['Variable "$input" got invalid value 5 at "input.traits[2].allOf"; String cannot represent it.', ['input', 'traits', '2', 'allOf']],
  ['Variable "$n" got invalid value " at \\"n.x\\";"; Int cannot represent it.', ['n']],
  ['Variable "$n" of required type "Int!" was not provided.', ['n']],
  ['Argument "uuid" has invalid value 5.', ['uuid']],
  ['Too many errors processing variables, error limit reached.', null],
])('%s leads to its value', (message, path) => {
  expect(pathOfMessage(message)).toEqual(path);
});
