// A stopping gateway, as clients with open connections see it: requests in progress complete, later ones are refused with 503.
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { portOf, slow, start, useListener } from '../support/listener.ts';

useListener();

interface Heard {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answers on a connection, one after the other. */
function answersIn(said: string): Heard[] {
  const answers: Heard[] = [];
  for (let rest = said; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => line.split(/: (.*)/s, 2)).map(([name = '', value = '']) => [name.toLowerCase(), value]),
    );
    const length = Number(headers['content-length']);
    answers.push({ status: Number(first.split(' ')[1]), headers, body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

const bytesOf = (request: string, headers: readonly string[] = [], body = '') =>
  [
    `${request} HTTP/1.1`,
    'Host: localhost',
    'X-Auth-Token: admin',
    ...(body ? ['Content-Type: application/json', `Content-Length: ${body.length}`] : []),
    ...headers,
    '',
    body,
  ].join('\r\n');
const operation = (query: string, headers?: readonly string[]) => bytesOf('POST /graphql', headers, JSON.stringify({ query }));

/** What a client receives that sends these requests behind a slow one, while the gateway is told to stop. */
async function heardWhileStopping(...requests: readonly string[]): Promise<Heard[]> {
  const gateway = await start();
  const socket = connect(portOf(gateway), '127.0.0.1');
  let said = '';
  socket.on('data', (bytes) => {
    said += bytes.toString();
  });
  const hungUp = new Promise((resolve) => socket.on('close', resolve));
  socket.write(operation('{ slow }'));
  await expect.poll(() => slow.length).toBe(1);
  const closed = gateway.close();
  for (const request of requests) socket.write(request);
  // The gateway is in this process: meanwhile it reads what has been written.
  await setTimeout(100);
  slow.pop()?.();
  await closed;
  await hungUp;
  const [first, ...others] = answersIn(said);
  expect(first).toMatchObject({ status: 200, body: expect.stringContaining('done') });
  for (const { headers } of others) expect(headers).toMatchObject({ 'retry-after': '1', connection: 'close' });
  return others;
}

test('an operation that arrives meanwhile is UNAVAILABLE and changes nothing; one in progress is answered', async () => {
  const [refused] = await heardWhileStopping(operation('mutation { claim }'));
  expect(refused).toMatchObject({ status: 503, headers: { 'content-type': 'application/json; charset=utf-8' } });
  const { data, errors } = JSON.parse(refused?.body ?? '') as { data?: unknown; errors: { extensions: object }[] };
  expect(data).toBeUndefined();
  expect(errors).toMatchObject([
    {
      message: expect.stringContaining('is stopping'),
      extensions: { code: 'UNAVAILABLE', retry: 'LATER', requestId: refused?.headers['x-openstack-request-id'] },
    },
  ]);
});

test.each([
  ['1.39', 'placement.undefined_code'],
  ['1.0', undefined],
])('a call of REST %s gets the document of that version', async (version, code) => {
  const [refused] = await heardWhileStopping(bytesOf('GET /placement/traits', [`OpenStack-API-Version: placement ${version}`]));
  expect(refused).toMatchObject({ status: 503, headers: { 'openstack-api-version': `placement ${version}` } });
  const [error] = (JSON.parse(refused?.body ?? '') as { errors: Record<string, unknown>[] }).errors;
  expect(error).toMatchObject({ status: 503, title: 'Service Unavailable', request_id: refused?.headers['x-openstack-request-id'] });
  expect(error?.code).toBe(code);
});

test('an idle connection is refused on its next request, not cut off: a request may be on its way', async () => {
  const gateway = await start();
  const socket = connect(portOf(gateway), '127.0.0.1');
  let said = '';
  socket.on('data', (bytes) => {
    said += bytes.toString();
  });
  const hungUp = new Promise((resolve) => socket.on('close', resolve));
  socket.write(operation('{ hello }'));
  await expect.poll(() => answersIn(said)).toMatchObject([{ status: 200 }]);
  const closed = gateway.close(600_000);
  socket.write(operation('{ hello }'));
  await Promise.all([closed, hungUp]);
  expect(answersIn(said)).toMatchObject([{ status: 200 }, { status: 503, headers: { 'retry-after': '1', connection: 'close' } }]);
});

test('a gateway that is stopping is not ready', async () => {
  const [ready] = await heardWhileStopping(bytesOf('GET /readyz'));
  expect(ready).toMatchObject({ status: 503, body: expect.stringContaining('draining') });
});
