import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { type RestQuestion, useRest, uuid } from '../../support/rest.ts';

const database = useDatabase();
const rest = useRest(database);

afterEach(() => expect(rest.bugs).toEqual([]));

/** The whole answer to raw bytes, after the server has closed the connection. */
async function sendBytes(head: string): Promise<string> {
  const { hostname, port } = new URL(rest.url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => {});
  socket.write(head);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

describe('the root document', () => {
  test('is public, at every version and with or without a slash', async () => {
    for (const path of ['', '/']) {
      const answer = await rest.ask(`GET ${path}`, { version: null, headers: { 'x-auth-token': '' } });
      expect(answer.status).toBe(200);
      expect(answer.json).toEqual({
        versions: [{ id: 'v1.0', min_version: '1.0', max_version: '1.39', status: 'CURRENT', links: [{ rel: 'self', href: '' }] }],
      });
    }
  });
});

describe('without a mount', () => {
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    fetch(new URL(path, rest.url), { method, headers: { 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.39', ...headers } });

  test('everything is served as with one, and links and Location begin like the request', async () => {
    for (const mount of ['', '/placement']) {
      const path = `${mount}/resource_classes/CUSTOM_OF${mount.replace('/', '_').toUpperCase()}`;
      const made = await ask(path, {}, 'PUT');
      expect([made.status, made.headers.get('location')]).toEqual([201, new URL(path, rest.url).href]);
      expect(await (await ask(path)).json()).toMatchObject({ links: [{ rel: 'self', href: path }] });
    }
    expect((await ask('/traits', { 'x-auth-token': '' })).status).toBe(401);
    expect((await ask('/resource_providers/', {}, 'DELETE')).status).toBe(404);
  });

  test('the root is the dashboard for browsers, and the versions for other clients', async () => {
    const versions = expect.objectContaining({ versions: [expect.objectContaining({ max_version: '1.39' })] });
    for (const path of ['/', '/?a=b']) {
      for (const accept of ['*/*', 'application/json']) expect(await (await ask(path, { accept })).json()).toEqual(versions);
    }
    const page = await fetch(new URL('/', rest.url), { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    expect([200, 501]).toContain(page.status);
    expect(page.headers.get('content-type')).toMatch(/^text\//);
    expect((await ask('/', {}, 'DELETE')).headers.get('allow')).toBe('GET');
  });

  test('an unknown path is answered in the form of this API', async () => {
    const answer = await ask('/nothing/here', { 'x-auth-token': '' });
    expect([answer.status, await answer.json()]).toMatchObject([
      404,
      { errors: [{ title: 'Not Found', code: 'placement.undefined_code' }] },
    ]);
    expect(await (await ask('/nothing', { accept: 'text/html' })).text()).toMatch(/^<html>/);
  });
});

describe('checks come in the order of upstream:', () => {
  const wrong: RestQuestion = { body: 'x', headers: { 'content-type': 'text/plain' } };

  test('without a token 401, whatever else is wrong, and not as an error document', async () => {
    const answer = await rest.ask('POST /nothing', { ...wrong, version: '9.9', headers: { 'x-auth-token': '' } });
    expect(answer.status).toBe(401);
    expect(answer.json).toMatchObject({ title: 'Unauthorized', code: '401 Unauthorized' });
  });

  test('then the version', async () => {
    expect(await rest.ask('POST /nothing', { ...wrong, version: '1.x' })).toMatchObject({ status: 400 });
    const unacceptable = await rest.ask('POST /nothing', { ...wrong, version: '1.40' });
    expect(unacceptable.status).toBe(406);
    expect(unacceptable.json).toMatchObject({ errors: [{ min_version: '1.0', max_version: '1.39' }] });
    expect(unacceptable.headers).not.toHaveProperty('openstack-api-version');
  });

  test('then a body without a type', async () => {
    const answer = await rest.ask('POST /nothing', { body: 'x', headers: { 'content-type': '' } });
    expect(answer).toMatchObject({ status: 400, message: 'content-type header required when content-length > 0' });
  });

  test('then the path and the method', async () => {
    expect(await rest.ask('POST /nothing', wrong)).toMatchObject({ status: 404, message: '' });
    expect(await rest.ask('PUT /resource_providers', wrong)).toMatchObject({ status: 405, headers: { allow: 'GET, POST' } });
  });

  test('then the types of response and request', async () => {
    const html = { headers: { accept: 'text/html', 'x-auth-token': 'somebody' } };
    expect(await rest.ask('GET /resource_providers', html)).toMatchObject({ status: 406 });
    expect(await rest.ask('POST /resource_providers', wrong)).toMatchObject({
      status: 415,
      message: 'The media type text/plain is not supported, use application/json',
    });
    expect(await rest.ask('PUT /resource_providers/x', {})).toMatchObject({
      status: 415,
      message: 'The media type None is not supported, use application/json',
    });
  });

  test('then the rights of the caller, before the body is read', async () => {
    const answer = await rest.ask('POST /reshaper', { body: '{', headers: { 'x-auth-token': 'somebody' } });
    expect(answer).toMatchObject({ status: 403, message: 'Policy does not allow placement:reshaper:reshape to be performed.' });
  });

  test('then the subject of the path, before faults of the body', async () => {
    expect(await rest.ask(`PUT /resource_providers/${uuid(99)}/inventories`, { body: '{' })).toMatchObject({ status: 404 });
  });
});

describe('an error', () => {
  test('has status, title, message and request id, and its code from 1.23 on', async () => {
    const old = await rest.ask('GET /resource_classes/NOPE', { version: '1.22' });
    expect(old.json).toEqual({
      errors: [
        {
          status: 404,
          title: 'Not Found',
          detail: 'The resource could not be found.\n\n No such resource class NOPE.  ',
          request_id: old.headers['x-openstack-request-id'],
        },
      ],
    });
    expect(old.headers['x-openstack-request-id']).toMatch(/^req-[0-9a-f-]{36}$/);
    const { json } = await rest.ask('GET /resource_classes/NOPE', { version: '1.23' });
    expect(json).toMatchObject({ errors: [{ code: 'placement.undefined_code' }] });
  });

  test('is HTML or plain text for callers that ask for it', async () => {
    const html = await rest.ask('GET /traits?name=%3Cb%3E', { headers: { accept: 'text/html,application/json;q=0.9' } });
    expect(html.headers['content-type']).toBe('text/html; charset=UTF-8');
    expect(html.text).toContain('Got: &quot;&lt;b&gt;&quot;');
    const plain = await rest.ask('GET /nothing', { headers: { accept: 'text/plain' } });
    expect(plain.headers['content-type']).toBe('text/plain; charset=UTF-8');
    expect(plain.text).toMatch(/^404 Not Found\n\nThe resource could not be found\./);
  });

  test('is on one line, without anything that looks like a tag', async () => {
    const { json } = await rest.ask('GET /traits?name=%3Cscript%3Ea%0Ab%3C/script%3E%3C');
    expect((json as { errors: { detail: string }[] }).errors[0]?.detail).toMatch(/\n\n .*Got: "a b<" {2}$/);
  });

  test.each(['1.0', '1.9'])('has the headers of the version %s', async (version) => {
    const { headers } = await rest.ask('GET /resource_classes/NOPE', { version });
    expect(headers).toMatchObject({ 'openstack-api-version': `placement ${version}`, vary: 'openstack-api-version' });
  });
});

describe('an accept header', () => {
  test.each([
    ['', 200],
    ['*/*', 200],
    ['application/*', 200],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 200],
    ['text/html,application/xhtml+xml', 406],
    ['application/json;q=0', 406],
    ['application/json;q=0, */*', 406],
  ])('%j is answered with %i', async (accept, status) => {
    expect(await rest.ask('GET /traits', { headers: { accept } })).toMatchObject({ status });
  });
});

describe('cache headers', () => {
  test('are sent from 1.15 on, for reads', async () => {
    expect((await rest.ask('GET /traits', { version: '1.14' })).headers).not.toHaveProperty('last-modified');
    const { headers } = await rest.ask('GET /traits', { version: '1.15' });
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers['last-modified']).toMatch(/^\w+, \d+ \w+ \d{4} [\d:]+ GMT$/);
  });
});

describe('a body', () => {
  const create = (body: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
    rest.ask('POST /resource_providers', { body, headers });

  test.each<[string, string | Buffer, number, Readonly<Record<string, string>>?]>([
    ['that is cut off', '{"name": "a"', 400],
    ['with trailing text', '{"name": "a"} x', 400],
    ['that is empty', '', 400],
    ['that is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 400],
    ['with a NUL in a name', JSON.stringify({ name: 'a\0' }), 400],
    ['with half a surrogate pair in a name', '{"name": "\\ud800"}', 400],
    ['nested a hundred thousand deep', '['.repeat(100_000) + ']'.repeat(100_000), 400],
    ['with the key of a prototype', '{"name": "a", "__proto__": {"polluted": 1}}', 400],
    ['of five mebibytes', JSON.stringify({ name: 'x'.repeat(5 * 1024 * 1024) }), 413],
    ['in another character set', '{"name": "a"}', 415, { 'content-type': 'application/json; charset=utf-16' }],
    ['that is compressed', gzipSync('{"name": "a"}'), 415, { 'content-encoding': 'gzip' }],
    ['of a form', 'name=a', 415, { 'content-type': 'application/x-www-form-urlencoded' }],
  ])('%s is refused', async (_, body, status, headers) => {
    expect(await create(body, headers)).toMatchObject({ status });
    expect((await rest.succeed('GET /resource_providers')).json).toEqual({ resource_providers: [] });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('with a repeated key has the last value', async () => {
    const { json } = await create(`{"name": "first", "name": "last", "uuid": "${uuid(1)}"}`);
    expect(json).toMatchObject({ name: 'last' });
    await rest.succeed(`DELETE /resource_providers/${uuid(1)}`);
  });
});

describe('a query', () => {
  test('that is not UTF-8 is refused', async () => {
    expect(await rest.ask('GET /traits?name=%ff')).toMatchObject({ status: 400 });
  });

  test('with a percent sign that begins no escape is read literally', async () => {
    expect(await rest.ask('GET /resource_providers?name=100%')).toMatchObject({ status: 200 });
  });

  test.each(['name=a%00', `resources=VCPU:${'9'.repeat(30)}`, 'required=%00', `required=${'A,'.repeat(3000)}A`, '__proto__=1'])(
    '%s never fails on a bug',
    async (query) => {
      expect((await rest.ask(`GET /resource_providers?${query}`)).status).toBeLessThan(500);
    },
  );
});

describe('malformed HTTP is answered as an error of this API', () => {
  test.each([
    ['POST /placement/traits HTTP/1.1\r\nHost: a\r\nContent-Length: hi mom\r\n\r\n', 400, 'content-length header must be an integer'],
    ['GET /placement/traits HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n', 400, 'The request is not valid HTTP.'],
    [
      'GET /placement HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'The request is not valid HTTP.',
    ],
  ])('%j', async (head, status, message) => {
    const answer = await sendBytes(head);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const { errors } = JSON.parse(answer.split('\r\n\r\n')[1] ?? '') as { errors: { detail: string; request_id: string }[] };
    expect(errors[0]?.detail).toContain(message);
    expect(errors[0]?.request_id).toMatch(/^req-/);
  });

  test.each([
    ['get /placement/resource_providers', 405, 'GET, POST'],
    ['FOO /placement/traits/CUSTOM_A?name=x', 405, 'GET, PUT, DELETE'],
    ['FOO /placement', 405, 'GET'],
    ['FOO /traits', 405, 'GET'],
    ['FOO /placement/nope', 404, null],
  ])('and so is an unknown method: %s', async (line, status, allow) => {
    const [head = '', body = ''] = (await sendBytes(`${line} HTTP/1.1\r\nHost: a\r\n\r\n`)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(/^allow: (.*)$/im.exec(head)?.[1] ?? null).toBe(allow);
    if (status === 405) expect(body).toContain(`The method ${line.split(' ')[0]} is not allowed for this resource.`);
  });

  test('and a URL with characters that must be encoded', async () => {
    const answer = await sendBytes('GET /placement/resource_providers?name=\u00e9 HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('percent-encoded');
  });

  test('and so is a path that cannot be decoded', async () => {
    const answer = await rest.ask('GET /traits/%zz');
    expect(answer.status).toBe(404);
    expect(answer.json).toMatchObject({ errors: [{ title: 'Not Found', request_id: answer.headers['x-openstack-request-id'] }] });
  });

  test('unless it was for another part of the listener', async () => {
    expect(await sendBytes('GET /graphql HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n')).toContain('"extensions":{"code":"BAD_REQUEST"');
  });
});

describe('scripts of other origins', () => {
  const preflight = { origin: 'https://cloud.example', 'access-control-request-method': 'GET' };
  const open = useRest(database, { PLACEMENT_CORS_ALLOWED_ORIGIN: 'https://cloud.example,https://other.example' });

  test('get no CORS answers unless origins are allowed: OPTIONS is a method like any other', async () => {
    const answer = await rest.ask('OPTIONS /traits', { headers: preflight });
    expect(answer.status).toBe(405);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('may send a preflight without a token if their origin is allowed', async () => {
    const asked = { ...preflight, 'access-control-request-headers': 'X-Auth-Token, OpenStack-API-Version', 'x-auth-token': '' };
    const answer = await open.ask('OPTIONS /traits', { headers: asked });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'https://cloud.example',
      'access-control-allow-headers': 'x-auth-token,openstack-api-version',
    });
  });

  test('get no CORS headers if their origin or a header is not allowed', async () => {
    const stranger = await open.ask('OPTIONS /traits', { headers: { ...preflight, origin: 'null' } });
    expect(stranger.headers).not.toHaveProperty('access-control-allow-origin');
    const curious = await open.ask('OPTIONS /traits', { headers: { ...preflight, 'access-control-request-headers': 'cookie' } });
    expect(curious.headers).not.toHaveProperty('access-control-allow-headers');
  });

  test('get answers that vary by origin', async () => {
    const { headers } = await open.ask('GET /traits', { headers: { origin: 'https://other.example' } });
    expect(headers['access-control-allow-origin']).toBe('https://other.example');
    expect(headers.vary).toContain('origin');
  });
});

test('a query of 800 aggregates is answered, as upstream answers it', async () => {
  const aggregates = Array.from({ length: 800 }, (_, index) => uuid(index));
  const answer = await rest.ask(`GET /resource_providers?member_of=in:${aggregates.join()}`);
  expect([answer.status, answer.json]).toEqual([200, { resource_providers: [] }]);
});
