// Serves the built pages: the dashboard at / and the explorer at /explorer, each under its own policy. Requires no token, because the pages contain nothing
// secret.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { safeHeaders } from '../http/requests.ts';
import { dashboardPages } from './dashboard-pages.generated.ts';

export interface PagesOptions {
  /** Where the built pages are. Default: `dist/pages` of this package, whether this runs from src/ or from dist/. */
  readonly directory?: string;
}

const everyPage = {
  ...safeHeaders,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

const dashboardHeaders = {
  ...everyPage,
  // Nothing inline, no other host, and no text that becomes script, because others write the names in the ledger.
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
};

const explorerHeaders = {
  ...everyPage,
  // Like that of the dashboard, except for the editor, which creates style elements with fonts in them.
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "worker-src 'self'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

/** Serves both pages. Answers 501 with the reason if they were not built. */
export const pages: FastifyPluginAsync<PagesOptions> = async (app, { directory = builtPages() }) => {
  await app.register(fastifyStatic, { serve: false, preCompressed: true });
  await app.register(async (dashboard) => {
    setHeaders(dashboard, dashboardHeaders);
    const serve = pageServer(dashboard, `${directory}/dashboard`, '/assets/*');
    dashboard.get('/', serve);
    for (const page of dashboardPages) {
      dashboard.get(`/${page}`, serve);
      dashboard.get(`/${page}/*`, serve);
    }
    // To a person, the page says that there is nothing at this address; to a program, whatever else answers here.
    dashboard.get('/*', (request, reply) => (isOfBrowser(request) ? serve(request, reply.code(404)) : reply.callNotFound()));
  });
  await app.register(async (explorer) => {
    setHeaders(explorer, explorerHeaders);
    const serve = pageServer(explorer, `${directory}/explorer`, '/explorer/assets/*');
    explorer.get('/explorer', serve);
    explorer.get('/explorer/', serve);
  });
};

/** Whether a person has entered the address: clients of Placement that accept HTML have a token or a version. */
function isOfBrowser({ headers }: FastifyRequest): boolean {
  return (
    headers.accept?.includes('text/html') === true &&
    headers['openstack-api-version'] === undefined &&
    headers['x-auth-token'] === undefined
  );
}

function setHeaders(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers);
  });
}

/** Returns the handler that answers with the page, and serves its assets. */
function pageServer(app: FastifyInstance, directory: string, assets: string) {
  if (!existsSync(`${directory}/index.html`)) {
    return (_request: FastifyRequest, reply: FastifyReply) =>
      reply.code(501).type('text/plain; charset=utf-8').send('The web pages were not built. Run `npm run build` and restart.\n');
  }
  // The names of these files contain a hash of their content.
  app.get<{ Params: { '*': string } }>(assets, (request, reply) =>
    reply.sendFile(request.params['*'], `${directory}/assets`, { immutable: true, maxAge: '1y' }),
  );
  return (_request: FastifyRequest, reply: FastifyReply) =>
    reply.header('cache-control', 'no-cache').sendFile('index.html', directory, { cacheControl: false });
}

function builtPages(): string {
  return fileURLToPath(new URL('../../dist/pages', import.meta.url));
}
