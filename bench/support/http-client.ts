// A lean HTTP client over kept connections: what a benchmark spends on itself it takes from what it measures.
import { Agent, request } from 'node:http';

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

export interface HttpClient {
  request(method: string, path: string, body?: string): Promise<HttpAnswer>;
  close(): void;
}

/** A client of one base URL that sends the same headers with each request. */
export function httpClient(url: string, headers: Record<string, string>): HttpClient {
  const base = new URL(url);
  const prefix = base.pathname.replace(/\/$/, '');
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return {
    request: (method, path, body) =>
      new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
        const options = { host: base.hostname, port: base.port, method, path: prefix + path, agent, headers: { ...headers, ...length } };
        const sent = request(options, (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }));
        });
        sent.on('error', reject);
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}
