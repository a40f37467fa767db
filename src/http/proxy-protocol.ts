// The PROXY protocol of HAProxy, versions 1 and 2: before its first request, a connection names the client for whom a trusted proxy has opened it. From then
// on its address is the client's. Knows no HTTP.
import { isIP, type Socket, SocketAddress } from 'node:net';
import type { FastifyInstance } from 'fastify';

export interface ProxyProtocolRules {
  readonly isTrusted: (address: string) => boolean;
  /** Whether clients at an address may connect without a header although they are not trusted proxies. */
  readonly isOwn: (address: string) => boolean;
  /** Milliseconds within which the header must arrive. */
  readonly patience: number;
}

/** Connections whose client speaks TLS with the proxy. */
const behindTls = new WeakSet<object>();

export function isBehindTls(socket: Socket): boolean {
  return behindTls.has(socket);
}

/** Makes a listener expect the header on each connection. Closes connections without a header, and those that are neither from trusted proxies nor `isOwn`. */
export function expectProxyProtocol(app: FastifyInstance, { isTrusted, isOwn, patience }: ProxyProtocolRules): void {
  const { server } = app;
  const waiting = new Set<Socket>();
  const emit = server.emit.bind(server) as (event: string, ...given: unknown[]) => boolean;
  const greet = (socket: Socket) => {
    const peer = addressOfConnection(socket);
    if (!isTrusted(peer)) {
      if (isOwn(peer)) emit('connection', socket);
      else socket.destroy();
      return;
    }
    waiting.add(socket);
    const late = setTimeout(() => socket.destroy(), patience).unref();
    const end = () => {
      waiting.delete(socket);
      clearTimeout(late);
      socket.off('readable', read).off('error', end).off('close', end);
    };
    let bytes = Buffer.alloc(0);
    const read = () => {
      const piece = socket.read() as Buffer | null;
      if (piece === null) return;
      bytes = Buffer.concat([bytes, piece]);
      const header = readHeader(bytes);
      if (header === 'incomplete') return;
      end();
      if (header === 'malformed') {
        socket.destroy();
        return;
      }
      if (header.address !== null) Object.defineProperty(socket, 'remoteAddress', { value: plainAddress(header.address) });
      if (header.isBehindTls) behindTls.add(socket);
      emit('connection', socket);
      if (header.length < bytes.length) socket.unshift(bytes.subarray(header.length));
      socket.resume();
    };
    socket.on('readable', read).once('error', end).once('close', end);
  };
  server.emit = (event: string, ...given: unknown[]) => {
    if (event !== 'connection') return emit(event, ...given);
    greet(given[0] as Socket);
    return true;
  };
  // The server does not know them yet, but would wait for them.
  app.addHook('preClose', async () => {
    for (const socket of waiting) socket.destroy();
  });
}

/** The client address of a connection, from its PROXY header if it has one; empty once the connection is broken. Returns IPv4-mapped addresses as IPv4. */
export function addressOfConnection({ remoteAddress = '' }: Socket): string {
  return remoteAddress.startsWith('::ffff:') ? plainAddress(remoteAddress) : remoteAddress;
}

/** An address as Node writes it: IPv6 in canonical form, and IPv4-mapped IPv6 as IPv4. */
export function plainAddress(address: string): string {
  if (isIP(address) !== 6) return address;
  const canonical = address.includes('%') ? address : new SocketAddress({ address, family: 'ipv6' }).address;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(canonical)?.[1] ?? canonical;
}

interface ProxyHeader {
  /** The address of the client; null if the proxy speaks for itself, as with health checks. */
  readonly address: string | null;
  readonly isBehindTls: boolean;
  /** The length of the header in bytes. */
  readonly length: number;
}

type Reading = ProxyHeader | 'incomplete' | 'malformed';

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const longestText = 107;
/** The headers of cloud load balancers have some hundred bytes. */
const longestBinary = 4096;

function readHeader(bytes: Buffer): Reading {
  const begin = bytes.subarray(0, signature.length);
  if (begin.equals(signature.subarray(0, begin.length))) return readBinary(bytes);
  const text = bytes.toString('latin1', 0, longestText);
  if (!'PROXY '.startsWith(text.slice(0, 6))) return 'malformed';
  const end = text.indexOf('\r\n');
  if (end === -1) return text.length < longestText ? 'incomplete' : 'malformed';
  return readText(text.slice(0, end));
}

/** Version 1: `PROXY TCP4 192.0.2.1 192.0.2.2 40000 8778`. */
function readText(line: string): Reading {
  const own: ProxyHeader = { address: null, isBehindTls: false, length: line.length + 2 };
  const [, family, address = '', target = '', ...ports] = line.split(' ');
  if (family === 'UNKNOWN') return own;
  const version = family === 'TCP4' ? 4 : family === 'TCP6' ? 6 : null;
  const isWhole =
    isIP(address) === version && isIP(target) === version && ports.length === 2 && ports.every((port) => /^\d{1,5}$/.test(port));
  return isWhole ? { ...own, address } : 'malformed';
}

const headLength = 16;
/** By address family: the length of both addresses with their ports, and of one address. */
const familyLengths: Readonly<Record<number, readonly [all: number, one: number]>> = { 1: [12, 4], 2: [36, 16] };

/** Version 2: the signature, version and command, family, length; then addresses, and values with types. */
function readBinary(bytes: Buffer): Reading {
  if (bytes.length < headLength) return 'incomplete';
  const [version, command] = [bytes.readUInt8(12) >> 4, bytes.readUInt8(12) & 15];
  const length = headLength + bytes.readUInt16BE(14);
  if (version !== 2 || command > 1 || length > longestBinary) return 'malformed';
  if (bytes.length < length) return 'incomplete';
  const own: ProxyHeader = { address: null, isBehindTls: false, length };
  const lengths = familyLengths[bytes.readUInt8(13) >> 4];
  if (command === 0 || lengths === undefined) return own;
  const [all, one] = lengths;
  if (length < headLength + all) return 'malformed';
  const address = addressOf(bytes.subarray(headLength, headLength + one));
  return { ...own, address, isBehindTls: saysTls(bytes.subarray(headLength + all, length)) };
}

function addressOf(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16));
  return groups.join(':');
}

const tlsType = 0x20;

/** Whether one of the values says that the client speaks TLS. */
function saysTls(values: Buffer): boolean {
  for (let at = 0; at + 3 <= values.length; ) {
    const [type, length] = [values.readUInt8(at), values.readUInt16BE(at + 1)];
    if (type === tlsType && length > 0 && at + 3 < values.length) return (values.readUInt8(at + 3) & 1) === 1;
    at += 3 + length;
  }
  return false;
}
