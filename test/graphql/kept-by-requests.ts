// Prints how many bytes the heap has grown by many requests. A process of its own: what else a process has run changes how its heap is collected.
//   requests numbers          the same request, each with so many numbers in its scope; after a young collection
//   requests 0 comments       documents that differ, each with so many comments; after a full collection
import { HeaderMap } from '@apollo/server';
import { Made } from '../../src/graphql/large-answers.ts';
import { loadSchema } from '../../src/graphql/resolvers/schema.ts';
import { createGraphqlServer } from '../../src/graphql/server.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import { defaultPolicy } from '../support/policy.ts';

const collect = globalThis.gc as NodeJS.GCFunction;
const [requests = 0, numbers = 0, comments = 0] = process.argv.slice(2).map(Number);

const { log } = createLogger({ level: 'silent' });
const scope = { identity: null, requestId: '', globalRequestId: null, startedAt: 0, cost: 0 };
const options = { schema: loadSchema(), executor: 'jit', introspection: false, policy: defaultPolicy(), log, drain: {} } as const;
const server = createGraphqlServer(options as never);
await server.start();

async function send(count: number): Promise<void> {
  const differing = comments > 0 ? `#${count}${'\n#'.repeat(comments)}` : '';
  const headers = new HeaderMap([['content-type', 'application/json']]);
  const { body } = await server.executeHTTPGraphQLRequest({
    httpGraphQLRequest: { method: 'POST', headers, search: '', body: { query: `{ serviceInfo { version } }${differing}` } },
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

if (comments === 0) await sendAll();
collect();
const before = process.memoryUsage().heapUsed;
await sendAll();
if (comments > 0) collect();
else collect({ type: 'minor' });
console.log(process.memoryUsage().heapUsed - before);
await server.stop();
