// Examination. A request leaves no garbage that only a full collection frees.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { HeaderMap } from '@apollo/server';
import { expect, test } from 'vitest';
import { Made } from '../../src/graphql/large-answers.ts';
import { loadSchema } from '../../src/graphql/resolvers/schema.ts';
import { createGraphqlServer } from '../../src/graphql/server.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import { defaultPolicy } from '../support/policy.ts';

setFlagsFromString('--expose-gc');
const collect: (options?: { type: 'minor' }) => void = runInNewContext('gc');

const requests = 2000;
/** Ten kilobytes that only the scope of a request references. */
const numbers = 1250;

test('a young collection frees the scope of a request once its answer is sent', async () => {
  const { log } = createLogger({ level: 'silent' });
  const scope = { identity: null, requestId: '', globalRequestId: null, startedAt: 0, cost: 0 };
  const options = { schema: loadSchema(), executor: 'jit', introspection: false, policy: defaultPolicy(), log, drain: {} } as const;
  const server = createGraphqlServer(options as never);
  await server.start();
  const send = async (count: number) => {
    const headers = new HeaderMap([['content-type', 'application/json']]);
    const { body } = await server.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: 'POST', headers, search: '', body: { query: '{ serviceInfo { version } }' } },
      context: async () =>
        ({ ...scope, made: new Made(), db: {}, beginReading: async () => {}, load: new Array(numbers).fill(count) }) as never,
    });
    if (body.kind !== 'complete' || !body.string.startsWith('{"data":')) throw new Error(JSON.stringify(body));
  };
  const run = async () => {
    for (let count = 0; count < requests; count++) {
      await send(count);
      if (count % 10 === 0) await new Promise(setImmediate);
    }
  };
  await run();
  collect();
  const before = process.memoryUsage().heapUsed;
  await run();
  collect({ type: 'minor' });
  const kept = process.memoryUsage().heapUsed - before;
  expect(kept).toBeLessThan((requests * numbers * 8) / 2);
  await server.stop();
});
