// An error that answers a request before any of the APIs has looked at it; each API writes it in its own form.

/** Seconds after which an unavailable database may be back: it restarts in about that time. */
export const retryAfter = '1';

/** `code` is for programs, in the form that the codes of GraphQL have. */
export function httpRefusal(statusCode: number, code: string, message: string): Error {
  return Object.assign(new Error(message), { statusCode, code });
}

/** The answer to requests that arrive during shutdown. They are not processed at all. */
export const stoppingMessage = 'This gateway is stopping. Nothing was done: send the request again, on a new connection.';
