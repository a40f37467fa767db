// Subscribers of the map in a separate process, so that receiving does not slow the writers.
import { WebSocket } from 'ws';

export interface Subscribed {
  readonly url: string;
  readonly after: string;
  readonly count: number;
}

const { url, after, count } = JSON.parse(process.argv[2] ?? '{}') as Subscribed;
const query = `subscription Live($after: String!, $classes: [String!]!) {
  cloudMapChanges(after: $after, resourceClasses: $classes) { cursor reset names flags classes { capacity reserved used } } }`;
let received = 0;

/** Each subscriber uses its own project, because one caller may open only a few connections. */
function subscribe(index: number): Promise<void> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/graphql`, 'graphql-transport-ws');
  socket.once('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: { 'X-Auth-Token': `admin:p${index}` } })));
  return new Promise<void>((resolve, reject) => {
    socket.once('close', (code: number) => reject(new Error(`a socket was closed with ${code}`)));
    socket.on('message', (data: Buffer) => {
      received += data.length;
      if (!data.includes('connection_ack')) return;
      socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query, variables: { after, classes: ['VCPU'] } } }));
      resolve();
    });
  });
}

await Promise.all(Array.from({ length: count }, (_, index) => subscribe(index)));
// Reports the bytes received since the last report.
process.on('message', () => {
  process.send?.(received);
  received = 0;
});
process.send?.('ready');
