// Connections on their way from the primary to a worker. Knows the messages in which node:cluster hands them over: there is no other way to notice them.
import type { Worker } from 'node:cluster';

interface Connection {
  close(): void;
}

/** A message of node:cluster: `newconn` goes with a connection, and the worker answers with its number as `ack` once it has taken or refused it. */
interface ClusterMessage {
  readonly cmd?: unknown;
  readonly act?: unknown;
  readonly seq?: unknown;
  readonly ack?: unknown;
}

/** Closes the connections that a worker had been given but not taken when it died. node:cluster would keep them open, and their callers would wait for ever. */
export function closeUntaken({ process: child }: Worker): void {
  const untaken = new Map<unknown, Connection>();
  const send = child.send.bind(child) as (...given: readonly unknown[]) => boolean;
  child.send = (message: ClusterMessage, connection?: unknown, ...others: readonly unknown[]) => {
    if (message.cmd === 'NODE_CLUSTER' && message.act === 'newconn' && connection) untaken.set(message.seq, connection as Connection);
    return send(message, connection, ...others);
  };
  child.on('internalMessage', ({ ack }: ClusterMessage) => untaken.delete(ack));
  child.once('exit', () => {
    for (const connection of untaken.values()) connection.close();
  });
}
