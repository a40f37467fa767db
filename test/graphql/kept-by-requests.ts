// Prints how many bytes the heap has grown by many requests, after a young collection. A process of its own: what else a process has run changes how its heap is
// collected.
import { HeaderMap } from '@apollo/server';
import { Made } from '../../src/graphql/large-answers.ts';
import { loadSchema } from '../../src/graphql/resolvers/schema.ts';
import { createGraphqlServer } from '../../src/graphql/server.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import { defaultPolicy } from '../support/policy.ts';

const collect = globalThis.gc as NodeJS.GCFunction;
const [requests = 0, numbers = 0] = process.argv.slice(2).map(Number);

const { log } = createLogger({ level: 'silent' });
const scope = { identity: null, requestId: '', globalRequestId: null, startedAt: 0, cost: 0 };
const options = { schema: loadSchema(), executor: 'jit', introspection: false, policy: defaultPolicy(), log, drain: {} } as const;
const server = createGraphqlServer(options as never);
await server.start();

async function send(count: number): Promise<void> {
  const headers = new HeaderMap([['content-type', 'application/json']]);
  const { body } = await server.executeHTTPGraphQLRequest({
    httpGraphQLRequest: { method: 'POST', headers, search: '', body: { query: '{ serviceInfo { version } }' } },
    context: async () =>
      ({ ...scope, made: new Made(), db: {}, beginReading: async () => {}, load: new Array(numbers).fill(count) }) as never,
  });
  if (body.kind !== 'complete' || !body.string.startsWith('{"data":')) throw new Error(JSON.stringify(body));
}

async function sendAll(): Promise<void> {
  for (let count = 0; count < requests; count++) {
    await send(count);
    if (count % 10 === 0) await new Promise(setImmediate);
  }
}

await sendAll();
collect();
const before = process.memoryUsage().heapUsed;
await sendAll();
collect({ type: 'minor' });
console.log(process.memoryUsage().heapUsed - before);
await server.stop();
