// Subscriptions as server-sent events, for scripts: one POST, one subscription, by the protocol of graphql-sse in its distinct connections mode.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Unavailable } from '../../domain/errors.ts';
import { preferredType } from '../../http/accept.ts';
import { httpRefusal, retryAfter } from '../../http/refusal.ts';
import { type CallerParts, callerOf } from '../callers.ts';
import type { StreamOptions } from './sockets.ts';
import { StreamCaller } from './stream-caller.ts';
import type { OpenSubscription, SubscriptionRequest } from './subscriptions.ts';

const eventStream = 'text/event-stream';

export function createStreamHandler({
  subscriptions,
  connections,
  authentication: { authenticate, challengesTo },
  scopeOf,
  pingPause,
  stall,
  doubt,
  log,
}: StreamOptions & CallerParts) {
  const reportBug = (error: unknown) => log.error({ err: error }, 'a stream failed on a bug');
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (preferredType(request.headers.accept, [eventStream]) === null) {
      throw httpRefusal(406, 'NOT_ACCEPTABLE', `Answers are ${eventStream}: accept that.`);
    }
    const asked = readRequest(request.body);
    const { identity, visit } = callerOf(request);
    const caller = new StreamCaller(async () => authenticate(request), identity, doubt);
    const leave = connections.enterAs(identity);
    if (!leave) {
      reply.header('retry-after', retryAfter);
      throw httpRefusal(429, 'RATE_LIMITED', 'There are too many streams: end one, or try again later.');
    }
    const opened = await subscriptions.open(
      asked,
      (counted) => scopeOf(request, caller.identity, counted),
      () => visit,
    );
    if (!('answers' in opened)) {
      leave();
      const { errors, status } = opened;
      if (status === 401) reply.header('www-authenticate', challengesTo(request.headers));
      return reply.code(status).send({ errors: errors.map((error) => error.toJSON()) });
    }
    reply.hijack();
    const response = reply.raw;
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) response.setHeader(name, value);
    response.writeHead(200, { 'content-type': eventStream, 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    // Otherwise Node would hold the headers back until the first message.
    response.flushHeaders();
    const end = () => void opened.answers.return?.();
    response.once('close', end);
    // The client may have disconnected meanwhile.
    if (response.destroyed) end();
    let isStopping = false;
    const sending: Sending = { since: null };
    const check = async () => {
      if (sending.since === null) response.write(':\n\n');
      else if (performance.now() - sending.since > stall) {
        log.info({ requestId: request.id }, 'a stream is closed: its client does not read');
        response.destroy();
        return;
      }
      await checkCaller(opened, caller);
    };
    const stop = () => {
      isStopping = true;
      end();
    };
    const forget = connections.keep({ check: () => check().catch(reportBug), stop }, pingPause);
    try {
      await send(response, opened.answers, sending);
      // Without this event, the client reconnects.
      if (!isStopping) response.write('event: complete\ndata:\n\n');
    } finally {
      forget();
      leave();
      response.end();
    }
  };
}

interface Sending {
  /** When the answer was sent that the client has not yet read, as performance.now(). */
  since: number | null;
}

async function send(response: ServerResponse, answers: AsyncIterable<string>, sending: Sending): Promise<void> {
  for await (const answer of answers) {
    if (response.destroyed) return;
    // The next answer is not made before the client has read this one.
    sending.since = performance.now();
    if (!response.write(`event: next\ndata: ${answer}\n\n`)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    sending.since = null;
  }
}

async function checkCaller(opened: OpenSubscription, caller: StreamCaller): Promise<void> {
  try {
    await caller.lookOn();
    opened.endUnlessAllowed(caller.identity);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    opened.end(error);
  }
}

/** Refuses a body that is not a request for a subscription. */
function readRequest(body: unknown): SubscriptionRequest {
  const { query, operationName, variables } = (body ?? {}) as { readonly [Name in keyof SubscriptionRequest]?: unknown };
  const isName = operationName === undefined || operationName === null || typeof operationName === 'string';
  const isMap = variables === undefined || variables === null || (typeof variables === 'object' && !Array.isArray(variables));
  if (typeof query !== 'string' || !isName || !isMap) {
    throw httpRefusal(
      400,
      'BAD_REQUEST',
      'Send a JSON object with the text of a subscription in `query` and its variables in `variables`, an object.',
    );
  }
  return { query, operationName, variables: variables as SubscriptionRequest['variables'] };
}
