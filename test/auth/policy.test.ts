// Who may do what: the statuses of each persona at each route of REST, as measured on upstream with its current defaults behind a Keystone.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { listTokens, revokeToken } from '../../src/commands/token.ts';
import { routes } from '../../src/rest/routes.ts';
import { useDatabase } from '../support/database.ts';
import { type RestQuestion, useRest } from '../support/rest.ts';
import { tokenFor, useTokensFile } from '../support/tokens-file.ts';

const path = useTokensFile();
const roles = {
  nobody: [],
  reader: ['reader'],
  manager: ['manager', 'member', 'reader'],
  member: ['member', 'reader'],
  worker: ['service'],
  nova: ['service', 'admin', 'manager', 'member', 'reader'],
  admin: ['admin', 'manager', 'member', 'reader'],
} as const;
const projects: Partial<Record<Persona, string>> = {
  reader: 'web-shop',
  manager: 'web-shop',
  member: 'data-lake',
  nova: 'service',
  admin: 'admin',
};
type Persona = keyof typeof roles;
const personas = ['anonymous', 'garbage', 'revoked', ...(Object.keys(roles) as Persona[])] as const;

const tokens: Record<string, string> = { anonymous: '', garbage: `pgw_${'x'.repeat(43)}` };

// Before the gateway starts, which reads the file then.
beforeAll(async () => {
  for (const name of Object.keys(roles) as Persona[])
    tokens[name] = await tokenFor(path, name, roles[name], { project: projects[name] ?? null });
  tokens.revoked = await tokenFor(path, 'revoked', ['admin', 'service']);
  const [id = ''] = (await listTokens(path)).at(-1)?.split(' ') ?? [];
  await revokeToken(path, id);
});
const rest = useRest(useDatabase(), { PLACEMENT_AUTH: 'static', PLACEMENT_TOKENS_FILE: path });

async function statuses(route: string, question: RestQuestion = {}): Promise<number[]> {
  const given: number[] = [];
  for (const name of personas) {
    const headers = { ...question.headers, 'x-auth-token': tokens[name] ?? '' };
    given.push((await rest.ask(route, { ...question, headers })).status);
  }
  return given;
}

/** Whether the rule let each persona pass: whatever happens to its request then. */
const passes = (answered: readonly number[]) => answered.map((status) => (status === 401 || status === 403 ? status : 'passes'));

const nobodyKnown = [401, 401, 401];
const guarded = routes.filter(({ policy, until }) => policy !== null && !until && policy !== 'placement:usages');

describe('upstream answers alike', () => {
  test('at 34 routes besides those of usages', () => expect(guarded).toHaveLength(34));

  test.each(guarded.map((route) => [`${route.method} ${route.path}`, route.policy] as const))('at %s', async (route, policy) => {
    const there = route.replaceAll(/\{(consumer_)?uuid\}/g, randomUUID()).replace(/\{\w+\}/, 'CUSTOM_NONE');
    const ofAdmin = policy === 'placement:reshaper:reshape' ? 403 : 'passes';
    const body = route.startsWith('GET') || route.startsWith('DELETE') ? {} : { body: {} };
    expect(passes(await statuses(there, body))).toEqual([...nobodyKnown, 403, 403, 403, 403, 'passes', 'passes', ofAdmin]);
  });

  test.each<[path: string, known: number[]]>([
    ['?project_id=web-shop', [403, 200, 200, 403, 200, 200, 200]],
    ['?project_id=data-lake', [403, 403, 403, 200, 200, 200, 200]],
    ['?project_id=unknown', [403, 403, 403, 403, 200, 200, 200]],
    ['?project_id=web-shop&user_id=ann', [403, 200, 200, 403, 200, 200, 200]],
    ['?project_id=data-lake&project_id=web-shop', [403, 200, 200, 403, 200, 200, 200]],
    ['', [403, 403, 403, 403, 400, 400, 400]],
  ])('at GET /usages%s', async (query, known) => {
    expect(await statuses(`GET /usages${query}`)).toEqual([...nobodyKnown, ...known]);
  });

  test.each<[words: string, route: string, question: RestQuestion, statuses: number[]]>([
    ['the root', 'GET /', {}, Array(10).fill(200)],
    ['no route', 'GET /no_such_route', {}, [...nobodyKnown, ...Array(7).fill(404)]],
    ['no such method', 'PATCH /resource_providers', { body: {} }, [...nobodyKnown, ...Array(7).fill(405)]],
    ['version 9.99', 'GET /resource_providers', { version: '9.99' }, [...nobodyKnown, ...Array(7).fill(406)]],
    ['a version before the route', 'GET /usages?project_id=web-shop', { version: '1.8' }, [...nobodyKnown, ...Array(7).fill(404)]],
    ['accepting text', 'GET /resource_providers', { headers: { accept: 'text/plain' } }, [...nobodyKnown, ...Array(7).fill(406)]],
    ['a bad parameter', 'GET /resource_providers?no_such=1', {}, [...nobodyKnown, 403, 403, 403, 403, 400, 400, 400]],
    [
      'a body as text',
      'POST /resource_providers',
      { body: '{}', headers: { 'content-type': 'text/plain' } },
      [...nobodyKnown, ...Array(7).fill(415)],
    ],
    ['a body that is no JSON', 'POST /resource_providers', { body: '{' }, [...nobodyKnown, 403, 403, 403, 403, 400, 400, 400]],
  ])('with %s', async (_, route, question, expected) => {
    expect(await statuses(route, question)).toEqual(expected);
  });
});
