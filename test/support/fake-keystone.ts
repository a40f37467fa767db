// A Keystone that does what a real one does not do on demand: resets, nonsense, silence, catalogs without identity. test/keystone has the real one.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { serverCertificate, serverKey } from './certificates.ts';

/** The body of a token as Keystone sends it, without the fields that all tokens share. */
export type TokenBody = Readonly<Record<string, unknown>>;

/** Answers a request in place of the fake; false leaves it to the fake. */
type Answerer = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface FakeKeystone {
  readonly url: string;
  /** The good tokens. */
  readonly tokens: Map<string, TokenBody>;
  /** The requests, such as `POST /v3/auth/tokens`, with the validated token at the end. */
  readonly asked: string[];
  /** The bodies of the log-ins. */
  readonly logIns: string[];
  /** The service user's password, and the lifetime of its tokens in seconds. */
  password: string;
  life: number;
  /** Endpoints of the service identity; by default one at this server. */
  endpoints: readonly { readonly interface: string; readonly region_id: string; readonly url: string }[];
  /** Decides about validations. */
  onValidate: Answerer;
  /** Decides about log-ins. */
  onLogIn: Answerer;
  /** Revokes all tokens of the service user. */
  revokeOwn(): void;
  /** Resets the existing connections at their next request, as after a restart. */
  resetIdle(): void;
  close(): Promise<void>;
}

export const validations = ({ asked }: FakeKeystone) => asked.filter((line) => line.startsWith('GET'));

export async function startFakeKeystone({ port = 0, tls = false } = {}): Promise<FakeKeystone> {
  const sockets = new Set<Socket>();
  let own = new Set<string>();
  let issued = 0;
  let stale = new Set<Socket>();
  const fake = {
    url: '',
    tokens: new Map<string, TokenBody>(),
    asked: [] as string[],
    logIns: [] as string[],
    password: 's3cret-of-the-service',
    life: 3600,
    endpoints: [] as FakeKeystone['endpoints'],
    onValidate: () => false,
    onLogIn: () => false,
    revokeOwn() {
      own = new Set();
    },
    resetIdle() {
      stale = new Set(sockets);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  } as Omit<FakeKeystone, 'url'> & { url: string };

  const answer = (response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
  const logIn = (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      fake.logIns.push(body);
      if (fake.onLogIn(request, response)) return;
      if (!body.includes(JSON.stringify(fake.password))) return answer(response, 401, { error: { code: 401, message: body } });
      const token = `own-${++issued}`;
      own.add(token);
      const catalog = [{ type: 'identity', endpoints: fake.endpoints }];
      answer(response, 201, { token: { expires_at: inSeconds(fake.life), catalog } }, { 'x-subject-token': token });
    });
  };
  const validate = (request: IncomingMessage, response: ServerResponse) => {
    if (fake.onValidate(request, response)) return;
    const { 'x-auth-token': asking, 'x-subject-token': subject = '' } = request.headers;
    if (!own.has(String(asking))) return answer(response, 401, { error: { code: 401, message: `bad ${asking}` } });
    const known = fake.tokens.get(String(subject));
    const token = known && tokenBody(known);
    const hasExpired = token !== undefined && Date.parse(String(token.expires_at)) <= Date.now() && !request.url?.includes('allow_expired');
    // Like the real one, it repeats the token.
    if (!token || hasExpired) return answer(response, 404, { error: { code: 404, message: `Could not find token: ${subject}.` } });
    answer(response, 200, { token }, { 'x-subject-token': String(subject) });
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const { 'x-subject-token': subject } = request.headers;
    fake.asked.push(`${request.method} ${request.url}${subject === undefined ? '' : ` ${subject}`}`);
    if (stale.has(request.socket)) request.socket.resetAndDestroy();
    else if (request.method === 'POST') logIn(request, response);
    else validate(request, response);
  };
  const server: Server = tls ? createTlsServer({ cert: serverCertificate, key: serverKey }, listener) : createServer(listener);
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  fake.url = `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  fake.endpoints = [{ interface: 'internal', region_id: 'RegionOne', url: `${fake.url}/v3/` }];
  return fake;
}

export const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

/** A complete token: a reader of a project, valid for an hour, unless overridden. */
function tokenBody(body: TokenBody): TokenBody {
  return {
    methods: ['password'],
    user: { id: 'ann-id', name: 'ann', domain: { id: 'default', name: 'Default' } },
    ...(!('project' in body || 'domain' in body || 'system' in body) && {
      project: { id: 'web-id', name: 'web', domain: { id: 'default' } },
    }),
    roles: [{ id: '1', name: 'reader' }],
    expires_at: inSeconds(3600),
    ...body,
  };
}

/** The settings of a gateway that uses it. */
export function settingsFor({ url }: FakeKeystone, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    PLACEMENT_PORT: '0',
    PLACEMENT_AUTH: 'keystone',
    PLACEMENT_KEYSTONE_AUTH_URL: url,
    PLACEMENT_KEYSTONE_USERNAME: 'placement',
    PLACEMENT_KEYSTONE_PASSWORD: 's3cret-of-the-service',
    PLACEMENT_KEYSTONE_PROJECT_NAME: 'service',
    // A busy machine may take long; tests of a Keystone that does not answer give less.
    PLACEMENT_KEYSTONE_TIMEOUT: '30',
    ...more,
  };
}
