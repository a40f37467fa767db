// Counts large bodies until their requests are answered, so that no number of callers can fill the memory. Small bodies are not counted.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { whenAnswered } from '../http/unread.ts';
import { type HeavyWork, TooBusy } from '../operations/request/heavy-work.ts';
import { smallBody } from '../operations/request/large-json.ts';

/** Counts a body that has arrived. Returns a refusal if there is no room for it. */
export type CountBody = (request: FastifyRequest, body: Buffer) => TooBusy | null;

/** Returns the count for the parsers of bodies. These do not know the reply, at whose end a body no longer counts. */
export function countBodies(app: FastifyInstance, heavyWork: HeavyWork): CountBody {
  const replies = new WeakMap<FastifyRequest, FastifyReply>();
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if (encoding !== undefined || Number(length) > smallBody) replies.set(request, reply);
    done(null, payload);
  });
  return (request, { length }) => {
    if (length <= smallBody) return null;
    if (!heavyWork.hasRoomFor(length)) return new TooBusy();
    const reply = replies.get(request);
    if (reply) whenAnswered(reply, heavyWork.hold(length));
    return null;
  };
}
