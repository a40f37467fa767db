// A request leaves no garbage that only a full collection frees, as Node's statistics of its garbage collections show.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const requests = 6000;
const program = `
  import { HeaderMap } from '@apollo/server';
  import { pino } from 'pino';
  import { createGraphqlServer } from './src/graphql/server.ts';
  import { loadSchema } from './src/graphql/resolvers/schema.ts';
  import { defaultPolicy } from './test/support/policy.ts';
  const policy = defaultPolicy();
  const scope = { db: {}, identity: null, requestId: '', globalRequestId: null, startedAt: 0, cost: 0, made: { count: 0, most: 1e6 }, beginReading: async () => {} };
  const server = createGraphqlServer({ schema: loadSchema(), executor: 'jit', introspection: false, policy, log: pino({ level: 'silent' }), drain: {} });
  await server.start();
  for (let count = 0; count < ${requests}; count++) {
    const { body } = await server.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: 'POST', headers: new HeaderMap([['content-type', 'application/json']]), search: '', body: { query: '{ serviceInfo { version } }' } },
      // Ten kilobytes that only the request references.
      context: async () => ({ ...scope, load: new Array(1250).fill(count) }),
    });
    if (!body.string.startsWith('{"data":')) throw new Error(body.string);
    if (count % 10 === 0) await new Promise(setImmediate);
  }`;

test('a young collection frees the scope of a request once its answer is sent', () => {
  const flags = ['--trace-gc', '--no-allocation-site-pretenuring', '--min-semi-space-size=16', '--max-semi-space-size=16'];
  const lines = execFileSync(process.execPath, [...flags, '--import', 'tsx', '--input-type=module', '-e', program], { encoding: 'utf8' });
  const scavenges = [...lines.matchAll(/Scavenge ([\d.]+) \([\d.]+\) -> ([\d.]+)/g)].map(
    ([, before, after]) => [Number(before), Number(after)] as const,
  );
  // Only the second half counts: code is compiled by then.
  const late = scavenges.slice(Math.floor(scavenges.length / 2));
  expect(late.length).toBeGreaterThan(2);
  const freed = late.map(([before, after]) => before - after);
  const kept = late.slice(1).map(([, after], index) => after - (late[index]?.[1] ?? 0));
  const median = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? Number.NaN;
  // If the scopes were kept alive, they alone would be half of what is freed. The median counts, because on a busy machine a collection may come at a bad moment.
  expect(median(kept)).toBeLessThan(median(freed) / 10);
});
