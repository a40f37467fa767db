// A TLS server at a TCP port in front of the embedded one, which listens on a socket only; optionally demands a client certificate.
// Understands the first message of an encrypted connection, and nothing else.
import { connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { authority, serverCertificate, serverKey } from './certificates.ts';

export interface TlsWire {
  readonly port: number;
  /** For the last connection, whether it was encrypted, and the name in the client's certificate. */
  readonly last: { encrypted: boolean; client: string | undefined };
  close(): Promise<void>;
}

const requestLength = 8;

export async function layTlsWire(to: { socketDirectory: string; port: number }, { wantsCertificate = false } = {}): Promise<TlsWire> {
  const last: TlsWire['last'] = { encrypted: false, client: undefined };
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const join = (client: Socket) => {
    const server = keep(connect(`${to.socketDirectory}/.s.PGSQL.${to.port}`));
    client.pipe(server).pipe(client);
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  };
  const encrypted = createTlsServer(
    { cert: serverCertificate, key: serverKey, ca: authority, requestCert: wantsCertificate, rejectUnauthorized: wantsCertificate },
    (socket) => {
      last.client = socket.getPeerCertificate()?.subject?.CN?.toString();
      join(keep(socket));
    },
  );
  const listener = createServer((socket) => {
    keep(socket).once('data', (first) => {
      Object.assign(last, { encrypted: first.length === requestLength, client: undefined });
      if (last.encrypted) {
        socket.write('S');
        encrypted.emit('connection', socket);
      } else {
        join(socket);
        socket.emit('data', first);
      }
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return {
    port: (listener.address() as { port: number }).port,
    last,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
