// A proxy between a client and its database server, over TCP, that fails in all ways in which a network or a server fails: at any byte, and for
// existing connections as well as for new ones. Knows sockets; does not understand the messages.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { DatabaseTarget } from '../../src/db/sql/client.ts';
import type { SocketTarget } from './standby.ts';

/** What happens to the server's bytes after a certain byte. `trickle` delivers one byte every ten milliseconds. */
export const failures = ['close', 'reset', 'garble', 'silence', 'trickle'] as const;
export type Failure = (typeof failures)[number];

export interface FailingWire {
  readonly target: DatabaseTarget;
  /** The open connections. */
  readonly open: number;
  /** New connections fail at this byte from the server; null: they do not fail. */
  failAt(byte: number, failure: Failure): void;
  mend(): void;
  /** Existing connections pass nothing more in either direction; neither side is notified. */
  silence(): void;
  /** Closes the existing connections. */
  cut(): void;
  /** Delays the server's bytes by this many milliseconds, in order. */
  delay(milliseconds: number): void;
  /** New connections are accepted, but nothing passes. */
  swallow(isSwallowing: boolean): void;
  close(): Promise<void>;
}

/** Opens a proxy to the server of a target. */
export async function layFailingWire(to: SocketTarget): Promise<FailingWire> {
  const pairs = new Set<{ readonly client: Socket; readonly upstream: Socket; isSilent: boolean }>();
  let plan: { readonly byte: number; readonly failure: Failure } | null = null;
  let isSwallowing = false;
  let lateBy = 0;

  const server = createServer((client) => {
    const upstream = connect(join(to.socketDirectory, `.s.PGSQL.${to.port}`));
    const pair = { client, upstream, isSilent: isSwallowing };
    pairs.add(pair);
    const own = plan;
    let said = 0;
    for (const [one, other] of [[client, upstream] as const, [upstream, client] as const]) {
      one.on('error', () => {});
      one.on('close', () => {
        pairs.delete(pair);
        if (!pair.isSilent || one === client) other.destroy();
      });
    }
    // Timers of one duration fire in order; a shorter one must not overtake.
    let arrival = 0;
    const deliver = (bytes: Buffer) => {
      if (lateBy === 0 && arrival <= performance.now()) return void client.write(bytes);
      arrival = Math.max(arrival, performance.now() + lateBy);
      setTimeout(() => !pair.isSilent && client.write(bytes), arrival - performance.now());
    };
    client.on('data', (bytes) => {
      if (!pair.isSilent) upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (pair.isSilent) return;
      const before = said;
      said += bytes.length;
      if (!own || said <= own.byte) return deliver(bytes);
      const whole = bytes.subarray(0, Math.max(0, own.byte - before));
      const rest = bytes.subarray(whole.length);
      if (whole.length > 0) client.write(whole);
      if (own.failure === 'close') client.end();
      else if (own.failure === 'reset') client.resetAndDestroy();
      else if (own.failure === 'silence') pair.isSilent = true;
      else if (own.failure === 'trickle') trickle(rest, client);
      else client.write(before <= own.byte ? garbled(rest) : rest);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    target: { url: `postgres://${to.user}@127.0.0.1:${port}/${to.database}` },
    get open() {
      return pairs.size;
    },
    failAt: (byte, failure) => {
      plan = { byte, failure };
    },
    mend: () => {
      plan = null;
      isSwallowing = false;
    },
    silence: () => {
      for (const pair of pairs) pair.isSilent = true;
    },
    cut: () => {
      for (const { client } of pairs) client.destroy();
    },
    delay: (milliseconds) => {
      lateBy = milliseconds;
    },
    swallow: (swallowing) => {
      isSwallowing = swallowing;
    },
    close: async () => {
      for (const { client, upstream } of pairs) {
        client.destroy();
        upstream.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The same bytes with the first one changed. */
function garbled(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  changed[0] = (changed[0] ?? 0) ^ 0xff;
  return changed;
}

function trickle(bytes: Buffer, client: Socket): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at >= bytes.length || client.destroyed) clearInterval(timer);
    else client.write(bytes.subarray(at, ++at));
  }, 10);
}
