// An event holds its writer and both request ids of the write, that of the gateway and that of the caller, whichever API was used.
import { expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { query } from '../support/graphql.ts';
import { useRest } from '../support/rest.ts';

const database = useDatabase();
const rest = useRest(database);
const given = 'req-11111111-1111-4111-8111-111111111111';

test('an event names the request that wrote it, the request on whose behalf, the writer, and the method of authentication', async () => {
  const headers = { 'x-openstack-request-id': given };
  const overRest = await rest.succeed('PUT /traits/CUSTOM_REST', { headers });
  const overGraphql = await fetch(`${new URL(rest.url).origin}/graphql`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'x-auth-token': 'admin' },
    body: JSON.stringify({ query: 'mutation { createTrait(input: { name: "CUSTOM_GRAPHQL" }) { created } }' }),
  });
  await rest.succeed('PUT /traits/CUSTOM_OWN');
  const asked = `{ events(filter: { requestIds: "${given}" }) { nodes { requestId globalRequestId authenticationMethod requestedBy { externalId } roles } } }`;
  expect(await query(database.db, asked)).toEqual({
    events: {
      nodes: [overGraphql.headers.get('x-openstack-request-id'), overRest.headers['x-openstack-request-id']].map((requestId) => ({
        ...{ requestId, globalRequestId: given },
        ...{ authenticationMethod: 'NOAUTH', requestedBy: { externalId: 'admin' }, roles: ['admin', 'service'] },
      })),
    },
  });
});
