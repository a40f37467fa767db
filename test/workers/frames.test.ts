import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Frames, frameOf } from '../../src/workers/frames.ts';

test('messages arrive whole and in order, however the bytes are cut and joined', () => {
  const pieces = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), pieces, (messages, lengths) => {
      const bytes = Buffer.concat(messages.map(frameOf));
      const frames = new Frames();
      const arrived: unknown[] = [];
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const end = at + (lengths[turn % lengths.length] ?? 1);
        arrived.push(...frames.take(bytes.subarray(at, end)));
        at = end;
      }
      // As JSON has it: without the sign of zero.
      expect(arrived).toEqual(JSON.parse(JSON.stringify(messages)));
    }),
  );
});

test('a message arrives with its last byte, not before', () => {
  const bytes = frameOf({ text: 'Zoë' });
  const frames = new Frames();
  expect(frames.take(bytes.subarray(0, -1))).toEqual([]);
  expect(frames.take(bytes.subarray(-1))).toEqual([{ text: 'Zoë' }]);
});
