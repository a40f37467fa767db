// Which requests leave HTTP: those for WebSockets, and tunnels, which are refused. A client that offers another protocol, as some offer HTTP/2 with each
// request, is answered in HTTP/1.1, as RFC 9110 demands; Node would take every such request out of HTTP once WebSockets are served.
import { IncomingMessage } from 'node:http';

/** Node's own request, except that only WebSockets and tunnels count as upgrades. */
export class ListenerRequest extends IncomingMessage {
  /** The finding of the parser. Node's constructor sets it, so it must not be initialised here. */
  declare hasUpgrade: boolean | null;

  get upgrade(): boolean {
    return this.hasUpgrade === true && (this.method === 'CONNECT' || this.headers.upgrade?.toLowerCase() === 'websocket');
  }

  set upgrade(upgrade: boolean | null) {
    this.hasUpgrade = upgrade;
  }
}
