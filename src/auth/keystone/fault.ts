// Faults of Keystone, in words for the log and the health check. The words are ours: Keystone's own messages are never repeated, because they can contain
// the token in question.

/** Keystone could not be asked, or its answer says nothing about the token. */
export class KeystoneFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'KeystoneFault';
  }
}

/** The fault of a connection. */
export function faultOfConnection(error: unknown): KeystoneFault {
  const code = String((error as NodeJS.ErrnoException).code ?? 'no code');
  if (code === 'ECONNREFUSED') return new KeystoneFault('it refused the connection');
  if (code === 'ECONNRESET' || code === 'EPIPE') return new KeystoneFault('it closed the connection');
  if (/CERT|SIGNATURE|SSL|TLS/.test(code)) return new KeystoneFault(`its certificate is not accepted (${code})`);
  return new KeystoneFault(`there is no connection (${code})`);
}

/** Settles like the promise, or rejects when the deadline has passed. */
export function beforeDeadline<Value>(deadline: AbortSignal, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new KeystoneFault('it did not answer in time'));
    if (deadline.aborted) giveUp();
    deadline.addEventListener('abort', giveUp, { once: true });
    promise.then(resolve, reject).finally(() => deadline.removeEventListener('abort', giveUp));
  });
}
