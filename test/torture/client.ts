// A client of gateways, as a careful user writes it: it tells what is certain from what is not, by the documented codes. Sends one attempt; knows no noun.
import { Agent, request as httpRequest } from 'node:http';
import type { Answer, Reading } from './history.ts';

/** One request, in the form of one of the two surfaces. */
export interface Request {
  /** A method and a path, for REST; `graphql` otherwise. */
  readonly route: string;
  readonly body: unknown;
  /** The readings in an answer that was understood. */
  readonly readingsIn?: (body: Body, status: number) => readonly Reading[];
}

/** Parsed JSON; each request knows its own form. */
export type Body = Readonly<Record<string, unknown>>;

interface Response {
  readonly status: number;
  readonly text: string;
}

/** The code of an attempt that reached no gateway. */
const notSent = 'NOT_SENT';

export class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });

  /** Sends a request once. `tag` is the global request id. Never rejects. With `abandonAfter` the connection is cut then, as by an impatient user. */
  async send(
    url: string | null,
    { route, body, readingsIn }: Request,
    tag: string,
    abandonAfter = 15_000,
  ): Promise<Answer & { readonly body?: Body }> {
    if (url === null) return { outcome: 'fail', code: notSent };
    let response: Response;
    try {
      response = await this.#exchange(url, route, body, tag, abandonAfter);
    } catch (error) {
      const { code = 'CUT' } = error as { code?: string };
      return code === 'ECONNREFUSED' ? { outcome: 'fail', code: notSent } : { outcome: 'unknown', code };
    }
    const answer = route === 'graphql' ? answerOfGraphql(response) : answerOfRest(response);
    const parsed = bodyOf(response.text);
    return { ...answer, ...(parsed && { body: parsed, readings: readingsIn?.(parsed, response.status) ?? [] }) };
  }

  close(): void {
    this.#agent.destroy();
  }

  #exchange(url: string, route: string, body: unknown, tag: string, abandonAfter: number): Promise<Response> {
    const [method = 'POST', path = ''] = route === 'graphql' ? ['POST', '/graphql'] : route.split(' ', 2);
    const bytes = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        `${url}${route === 'graphql' ? path : `/placement${path}`}`,
        {
          method,
          agent: this.#agent,
          headers: {
            'x-auth-token': 'admin',
            'openstack-api-version': 'placement 1.39',
            'x-openstack-request-id': tag,
            ...(bytes !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) }),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('error', reject);
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
          response.on('close', () => reject(new Error('cut')));
        },
      );
      const timer = setTimeout(() => request.destroy(new Error('abandoned')), abandonAfter);
      request.on('close', () => clearTimeout(timer));
      request.on('error', reject);
      request.end(bytes);
    });
  }
}

function bodyOf(text: string): Body | undefined {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function answerOfGraphql({ status, text }: Response): Answer {
  const body = bodyOf(text) as
    | {
        data?: { payload?: { event?: { id: string } | null; userErrors?: { code: string }[] } | null } | null;
        errors?: { path?: (string | number)[]; extensions?: { code?: string; written?: boolean } }[];
      }
    | undefined;
  const { payload } = body?.data ?? {};
  const [refusal] = payload?.userErrors ?? [];
  if (refusal) return { outcome: 'fail', code: refusal.code };
  // A payload that arrived was written, even if something beside it could not be read.
  if (payload) {
    const isEventLost = body?.errors?.some(({ path }) => path?.includes('event')) ?? false;
    return { outcome: 'ok', code: '', ...('event' in payload && !isEventLost && { event: payload.event?.id ?? null }) };
  }
  const [error] = body?.errors ?? [];
  if (error?.extensions?.written === true) return { outcome: 'ok', code: '' };
  if (!error) return status === 200 ? { outcome: 'ok', code: '' } : answerOfError(status, undefined);
  return answerOfError(status, error.extensions?.code);
}

function answerOfRest({ status, text }: Response): Answer {
  if (status >= 200 && status < 300) return { outcome: 'ok', code: '' };
  const [error] = (bodyOf(text) as { errors?: { code?: string }[] } | undefined)?.errors ?? [];
  // REST has no code for an unknown outcome: its 503 leaves it open, unless the gateway was stopping.
  if (status === 503)
    return text.includes('Nothing was done') ? { outcome: 'fail', code: 'UNAVAILABLE' } : { outcome: 'unknown', code: '503' };
  if (status >= 500) return { outcome: 'unknown', code: 'BUG' };
  return { outcome: 'fail', code: `${status} ${error?.code ?? ''}`.trim() };
}

function answerOfError(status: number, code: string | undefined): Answer {
  if (code === 'OUTCOME_UNKNOWN') return { outcome: 'unknown', code };
  if (code === undefined) return { outcome: 'unknown', code: status === 503 ? '503' : 'BUG' };
  return code === 'INTERNAL_SERVER_ERROR' ? { outcome: 'unknown', code: 'BUG' } : { outcome: 'fail', code };
}
