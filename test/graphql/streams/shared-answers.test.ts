// Shared answers: made once for all subscribers, and made again if the subscriber that made them has left.
import { expect, test } from 'vitest';
import { SharedAnswers } from '../../../src/graphql/streams/shared-answers.ts';

const answer = { json: '{}', made: 1 };

test('an answer is made once for each message and document', async () => {
  const shared = new SharedAnswers();
  const message = {};
  let made = 0;
  const make = async () => {
    made += 1;
    return answer;
  };
  expect(await Promise.all([shared.once(message, 'a', make), shared.once(message, 'a', make)])).toEqual([answer, answer]);
  await shared.once(message, 'a', make);
  expect(made).toBe(1);
  await shared.once(message, 'b', make);
  await shared.once({}, 'a', make);
  expect(made).toBe(3);
});

test('a failure affects only the subscriber that made the answer; another one makes it for the rest', async () => {
  const shared = new SharedAnswers();
  const message = {};
  let made = 0;
  const make = async () => {
    made += 1;
    return answer;
  };
  const first = shared.once(message, 'a', () => Promise.reject(new Error('it has left')));
  const others = [shared.once(message, 'a', make), shared.once(message, 'a', make)];
  await expect(first).rejects.toThrow('it has left');
  expect(await Promise.all(others)).toEqual([answer, answer]);
  expect(made).toBe(1);
});
