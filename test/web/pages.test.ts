// The addresses of the web pages and their headers. What the pages do is in test/browser.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FastifyInstance, fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pages } from '../../src/web/pages.ts';

let directory: string;
let app: FastifyInstance;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'placement-pages-'));
  for (const page of ['dashboard', 'explorer']) {
    mkdirSync(join(directory, page, 'assets'), { recursive: true });
    writeFileSync(join(directory, page, 'index.html'), `<!doctype html><title>${page}</title>`);
    writeFileSync(join(directory, page, 'assets', 'main-1.js'), `/* ${page} */`);
    writeFileSync(join(directory, page, 'assets', 'main-1.js.br'), 'compressed');
    writeFileSync(join(directory, page, 'manifest.json'), '{}');
  }
  app = fastify();
  await app.register(pages, { directory });
});
afterAll(async () => {
  await app.close();
  rmSync(directory, { recursive: true });
});

describe('the dashboard', () => {
  test.each([
    '/',
    '/hosts',
    '/providers/a?tab=history',
    '/consumers',
    '/consumers/b',
    '/projects/c',
    '/fit?r=VCPU:4',
    '/events',
    '/search?q=d',
  ])('is at %s', async (url) => {
    const answer = await app.inject(url);
    expect([answer.statusCode, answer.body]).toEqual([200, '<!doctype html><title>dashboard</title>']);
    expect(answer.headers['cache-control']).toBe('no-cache');
  });

  test('has a policy that forbids inline scripts, other hosts and text that becomes script', async () => {
    const { headers } = await app.inject('/hosts');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    expect(policy).not.toMatch(/unsafe|http|\*|data:|blob:/);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  });
});

describe('an unknown address', () => {
  const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  test.each(['/nowhere', '/host', '/hosts.html', '/a/b/c', '/explorer/nowhere'])('has a page that says so: %s', async (url) => {
    const answer = await app.inject({ url, headers: html });
    expect([answer.statusCode, answer.body]).toEqual([404, '<!doctype html><title>dashboard</title>']);
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
  });

  test('is answered to programs as without pages', async () => {
    for (const headers of [
      {},
      { accept: '*/*' },
      { accept: 'application/json' },
      { ...html, 'openstack-api-version': 'placement 1.39' },
      { ...html, 'x-auth-token': 'admin' },
    ])
      expect([headers, (await app.inject({ url: '/nowhere', headers })).json()]).toMatchObject([headers, { statusCode: 404 }]);
    expect((await app.inject({ method: 'POST', url: '/nowhere', headers: html })).json()).toMatchObject({ statusCode: 404 });
  });
});

describe('the explorer', () => {
  test.each(['/explorer', '/explorer/'])('is at %s, under its own policy', async (url) => {
    const answer = await app.inject(url);
    expect(answer.body).toContain('explorer');
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';");
    expect(policy).not.toMatch(/http|\*|blob:|unsafe-eval/);
  });
});

describe.each(['/assets/main-1.js', '/explorer/assets/main-1.js'])('the file %s', (url) => {
  test('is cached by browsers for ever, because its name changes with its content', async () => {
    expect((await app.inject(url)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  test('is sent as compressed by the build, to clients that accept that', async () => {
    const answer = await app.inject({ url, headers: { 'accept-encoding': 'br' } });
    expect([answer.headers['content-encoding'], answer.body]).toEqual(['br', 'compressed']);
    expect(answer.headers['content-type']).toContain('javascript');
  });
});

test('nothing beside the pages and their assets is served', async () => {
  expect(existsSync(join(directory, 'explorer', 'manifest.json'))).toBe(true);
  for (const url of [
    '/manifest.json',
    '/assets/../manifest.json',
    '/assets/..%2fmanifest.json',
    '/explorer/manifest.json',
    '/assets/',
    '/nowhere',
  ]) {
    expect((await app.inject(url)).statusCode, url).toBeGreaterThanOrEqual(400);
  }
});

test('without a build the answer is 501 with the remedy', async () => {
  const bare = fastify();
  await bare.register(pages, { directory: join(directory, 'nowhere') });
  for (const url of ['/', '/fit', '/explorer']) {
    const answer = await bare.inject(url);
    expect(answer.statusCode).toBe(501);
    expect(answer.body).toContain('npm run build');
  }
  await bare.close();
});
