// Serves the built pages of the explorer under /explorer: files, headers and configuration. Knows nothing of GraphQL. Requires no token, because the
// page contains nothing secret.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';

export interface ExplorerOptions {
  /** Headers that the page shows in its editor and sends; null for none. Anyone who can reach the listener can read them. */
  readonly defaultHeaders: Readonly<Record<string, string>> | null;
  /** Where the built pages are. Default: `dist/ui` of this package, found from src/ and from dist/ alike. */
  readonly directory?: string;
}

const headers = {
  // The page loads nothing from other hosts. Monaco sets styles from script and starts workers from blobs.
  'content-security-policy': [
    "default-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "worker-src 'self' blob:",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** Serves the explorer at /explorer and /explorer/. Answers 501 with the reason when it was not built. */
export const explorer: FastifyPluginAsync<ExplorerOptions> = async (app, { defaultHeaders, directory = builtPages() }) => {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers);
  });

  if (!existsSync(`${directory}/index.html`)) {
    const refuse = (_request: FastifyRequest, reply: FastifyReply) =>
      reply.code(501).type('text/plain; charset=utf-8').send('The explorer was not built. Run `npm run build` and start again.\n');
    app.get('/explorer', refuse);
    app.get('/explorer/*', refuse);
    return;
  }

  await app.register(fastifyStatic, { root: directory, serve: false });
  const page = (_request: FastifyRequest, reply: FastifyReply) =>
    reply.header('cache-control', 'no-cache').sendFile('index.html', { cacheControl: false });
  app.get('/explorer', page);
  app.get('/explorer/', page);
  app.get('/explorer/config.json', (_request, reply) => reply.header('cache-control', 'no-store').send({ defaultHeaders }));
  // The names of these files contain a hash of their content.
  app.get<{ Params: { '*': string } }>('/explorer/assets/*', (request, reply) =>
    reply.sendFile(request.params['*'], `${directory}/assets`, { immutable: true, maxAge: '1y' }),
  );
};

function builtPages(): string {
  return fileURLToPath(new URL('../dist/ui', import.meta.url));
}
