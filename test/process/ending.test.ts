// What ends a process that nobody stops: errors that leave its state unknown, but not those that say something about a request.
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { HistoryRefusal, invalidInput, Unavailable } from '../../src/domain/errors.ts';

type Event = 'uncaughtException' | 'unhandledRejection';

const levels: string[] = [];
const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
beforeEach(() => {
  levels.length = 0;
  exit.mockClear();
});
afterAll(() => exit.mockRestore());

let copies = 0;
/** Tells a copy of the module, which ends only once, that an error occurred. The process itself listens to none of them. */
async function tell(event: Event, error: unknown): Promise<void> {
  copies += 1;
  const copy = `../../src/process/ending.ts?copy${copies}`;
  const { endOnSignals } = (await import(copy)) as typeof import('../../src/process/ending.ts');
  const note = (level: string) => () => levels.push(level);
  const listening = vi.spyOn(process, 'on').mockReturnValue(process);
  endOnSignals({ warn: note('warn'), error: note('error'), fatal: note('fatal') } as unknown as Logger);
  const listener = listening.mock.calls.find(([name]) => (name as string) === event)?.[1];
  listening.mockRestore();
  listener?.(error);
}

test.each([invalidInput(['after'], 'after is not a cursor'), new HistoryRefusal('HISTORY_GONE', 'gone'), new GraphQLError('refused')])(
  'an unhandled rejection with %s is logged as a bug, and the process serves on',
  async (error) => {
    await tell('unhandledRejection', error);
    expect(levels).toEqual(['error']);
    expect(exit).not.toHaveBeenCalled();
  },
);

test('an unhandled rejection of a field whose answer has ended is a warning', async () => {
  await tell('unhandledRejection', new GraphQLError('late', { path: ['a'] }));
  expect(levels).toEqual(['warn']);
  expect(exit).not.toHaveBeenCalled();
});

test.each([
  ['unhandledRejection', new TypeError('x is not a function')],
  ['unhandledRejection', new Unavailable(new Error('socket'))],
  ['uncaughtException', invalidInput(['after'], 'after is not a cursor')],
] as const)('an %s with %s ends the process', async (event, error) => {
  await tell(event, error);
  expect(levels).toEqual(['fatal']);
  expect(exit).toHaveBeenCalledExactlyOnceWith(1);
});
