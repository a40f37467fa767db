// Examination. The code that the explorer shows, run: whatever an operation holds arrives at the gateway as it stood in the editors.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { languages, type Request } from '../../../src/ui/explorer/code.ts';

const run = promisify(execFile);
const tsx = fileURLToPath(new URL('../../../node_modules/tsx/dist/cli.mjs', import.meta.url));
const token = 'a-token-of-ann';
const directory = mkdtempSync(join(tmpdir(), 'placement-code-'));

interface Received {
  readonly url: string | undefined;
  readonly token: string | string[] | undefined;
  readonly body: unknown;
}

/** In the place of a gateway: the texts are of no language, and it notes what arrives. */
let received: Received[] = [];
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ url: request.url, token: request.headers['x-auth-token'], body: JSON.parse(Buffer.concat(chunks).toString()) });
      const isStream = request.url === '/graphql/stream';
      response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
      response.end(
        isStream ? ':\n\nevent: next\ndata: {"data": "first"}\n\nevent: next\ndata: {"data": "second"}\n\n' : '{"data": "answered"}',
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  received = [];
});
afterAll(() => {
  server.close();
  rmSync(directory, { recursive: true });
});

const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const environment = { ...process.env, PLACEMENT_TOKEN: token, no_proxy: '127.0.0.1' };

/** Shells, quotes, escapes, templates, newlines of every kind, and characters that hide or reorder. */
const hostile = [
  `it's "quoted" \`back\` $HOME $(touch /tmp/x) \${process.exit(9)} !! %s \\ \\n \\' \\" {0}`,
  `'; rm -rf / #`,
  `"""`,
  `" + __import__("os").system("false") + "`,
  `ends with a quote "`,
  `ends with a backslash \\`,
  'carriage\rreturn\r\nand newline\n\ttab',
  '\u0000 \u001b[31m \u007f \u0085 \u200b \u202e \u2028 \u2029 \ufeff \ud800 \u{e0041}',
  'Zürich 東京 🦊',
  "-H 'X: y' @/etc/passwd",
];

const request = (isSubscription: boolean): Request => ({
  origin: origin(),
  query: hostile.join('\n'),
  operationName: null,
  variables: { hostile, [hostile[0] ?? '']: { 'a "key"': [true, false, null, -1.5, 1e21, [], {}] } },
  isSubscription,
});

const asSent = ({ query, variables }: Request) => JSON.parse(JSON.stringify({ query, variables })) as object;

async function runFile(program: string, before: readonly string[], name: string, text: string): Promise<string> {
  const file = join(directory, name);
  writeFileSync(file, text);
  return (await run(program, [...before, file], { env: environment, cwd: directory })).stdout;
}

const hasPython = await run('python3', ['--version']).then(
  () => true,
  () => false,
);
const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
);

const programs = [
  ['curl', hasCurl, languages.curl, (text: string) => runFile('sh', [], 'ask.sh', text)],
  ['Python', hasPython, languages.Python, (text: string) => runFile('python3', [], 'ask.py', text)],
  ['TypeScript', true, languages.TypeScript, (text: string) => runFile(process.execPath, [tsx], 'ask.mts', text)],
] as const;

/** Not every machine has all of them. */
const here = programs.filter(([, isThere]) => isThere);

describe.each(here)('%s', (_name, _isThere, write, execute) => {
  test('sends what is in the editors, however hostile, with the token of the environment', async () => {
    const text = write(request(false));
    expect(text).not.toContain(token);
    expect(await execute(text)).toContain('answered');
    expect(received).toEqual([{ url: '/graphql', token, body: expect.objectContaining(asSent(request(false))) }]);
  });

  test('follows a subscription as server-sent events', async () => {
    const printed = await execute(write(request(true)));
    expect(printed.indexOf('first')).toBeGreaterThan(-1);
    expect(printed.indexOf('second')).toBeGreaterThan(printed.indexOf('first'));
    expect(received).toEqual([{ url: '/graphql/stream', token, body: expect.objectContaining(asSent(request(true))) }]);
  });

  test('hides nothing from its reader', () => {
    expect(write(request(false)).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
  });
});

test('the operation is named if there are several', () => {
  const named = { ...request(false), operationName: 'Second' };
  for (const write of Object.values(languages)) expect(write(named)).toContain('"Second"');
});
