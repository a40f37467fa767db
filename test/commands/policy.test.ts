// The commands for rules: which rules are in effect, and what a caller may do, by which rule and line.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readPolicy } from '../../src/auth/policy/open.ts';
import { type CheckFlags, checkPolicy, describePolicy, showPolicy } from '../../src/commands/policy.ts';
import { addToken } from '../../src/commands/token.ts';
import type { PolicySettings } from '../../src/settings/policy.ts';

const home = mkdtempSync(join(tmpdir(), 'placement-policy-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const file = join(home, 'policy.yaml');
const tokensFile = join(home, 'tokens.json');
writeFileSync(file, `# Auditors may look.\n"placement:traits:list": "role:auditor or rule:admin_or_service_api"\n`);

const settings: PolicySettings = {
  policyFile: null,
  policyDirectories: [],
  policyRules: 'current',
  policyEnforceNewDefaults: true,
  policyEnforceScope: true,
  policyUnknownRules: 'warn',
};

describe('policy show', () => {
  test('prints every rule with its check and origin', async () => {
    const lines = showPolicy(await readPolicy({ ...settings, policyFile: file }));
    expect(lines[0]?.split(/ {2,}/)).toEqual(['rule', 'check', 'from', 'scope of the token']);
    const cells = lines.map((line) => line.split(/ {2,}/));
    expect(cells).toContainEqual(['service_api', 'role:service', 'default', 'project']);
    expect(cells).toContainEqual(['placement:traits:list', '(role:auditor or rule:admin_or_service_api)', `${file}:2`, 'project']);
    expect(cells.filter(([name]) => name?.startsWith('placement:') && !name.startsWith('placement:graphql:'))).toHaveLength(34);
  });

  test('shows rules to which older defaults apply', async () => {
    const lines = showPolicy(await readPolicy({ ...settings, policyEnforceNewDefaults: false }));
    expect(lines.map((line) => line.split(/ {2,}/))).toContainEqual([
      'service_api',
      '(role:service or role:admin)',
      'default, or the older default',
      'project',
    ]);
  });

  test('shows as JSON what each rule guards', async () => {
    expect(describePolicy(await readPolicy(settings))).toContainEqual({
      rule: 'placement:reshaper:reshape',
      check: 'rule:service_api',
      from: 'default',
      scopes: ['project'],
      operations: ['POST /reshaper'],
      description: 'Move inventories together with their allocations.',
    });
  });
});

describe('policy check', () => {
  test.each<[target: string[], isAllowed: boolean]>([
    [['root_name=compute-1'], true],
    [['root_name=compute-2'], false],
    [['root_name=compute-2', 'root_traits=HW_CPU_X86_VMX,CUSTOM_DPU'], true],
    [['root_name=compute-2', 'root_traits=HW_CPU_X86_VMX'], false],
  ])('says whether a host may write to the tree of a root: %j', async (target, isAllowed) => {
    const own = join(home, 'trees.yaml');
    writeFileSync(own, `"placement:trees:write": "not role:compute or user_id:%(root_name)s or 'CUSTOM_DPU':%(root_traits)s"\n`);
    const flags = { rule: 'placement:trees:write', user: 'compute-1', roles: 'service,compute', target };
    const rules = await readPolicy({ ...settings, policyFile: own });
    const { isAllowed: answer, lines } = await checkPolicy(rules, [], flags, { enforcesScope: true, tokensFile: null });
    expect(answer).toBe(isAllowed);
    expect(lines).toContain(`    ${answer && target.length === 1 ? 'yes' : 'no '} user_id:%(root_name)s`);
  });

  const ask = async (operation: string, flags: CheckFlags = {}, enforcesScope = true) =>
    checkPolicy(await readPolicy({ ...settings, policyFile: file }), operation === '' ? [] : operation.split(' '), flags, {
      enforcesScope,
      tokensFile,
    });

  test('says by which conditions a caller is allowed', async () => {
    expect(await ask('GET /usages?project_id=blue', { roles: 'reader', project: 'blue' })).toEqual({
      isAllowed: true,
      lines: [
        'allowed: placement:usages (default)',
        '  yes rule:admin_or_project_reader_or_service_api (default)',
        '    yes (role:admin or rule:project_reader_api or role:service)',
        '      no  role:admin',
        '      yes rule:project_reader_api (default)',
        '        yes (role:reader and project_id:%(project_id)s)',
        '          yes role:reader',
        '          yes project_id:%(project_id)s',
        '      no  role:service',
      ],
    });
    expect(await ask('GET /usages?project_id=red', { roles: 'reader', project: 'blue' })).toMatchObject({ isAllowed: false });
  });

  test('says which line of a file decided', async () => {
    const { isAllowed, lines } = await ask('', { rule: 'placement:traits:list', roles: 'auditor', project: 'ops' });
    expect(isAllowed).toBe(true);
    expect(lines[0]).toBe(`allowed: placement:traits:list (${file}:2)`);
  });

  test('says if the token has another scope', async () => {
    const asked = { roles: 'admin', system: true };
    expect(await ask('POST /resource_providers', asked)).toMatchObject({
      isAllowed: false,
      lines: [
        'denied: placement:resource_providers:create (default)',
        '  no  the token is for: system; the rule is for: project',
        ...Array(4).fill(expect.anything()),
      ],
    });
    expect(await ask('POST /resource_providers', asked, false)).toMatchObject({ isAllowed: true });
  });

  test('accepts paths as they are sent, and those of the documentation', async () => {
    for (const path of ['/resource_providers/{uuid}/inventories/{resource_class}', '/placement/resource_providers/5/inventories/VCPU']) {
      const { lines } = await ask(`DELETE ${path}`, { roles: 'service', project: 'service' });
      expect(lines[0]).toBe('allowed: placement:resource_providers:inventories:delete (default)');
    }
  });

  test('accepts GraphQL fields, and says if only the objects of the project are allowed', async () => {
    const reader = { roles: 'reader', project: 'blue' };
    expect(await ask('Query.resourceProviders', reader)).toMatchObject({ isAllowed: false });
    const { isAllowed, lines } = await ask('Query.consumers', reader);
    expect([isAllowed, lines[0]]).toEqual([true, 'allowed: placement:graphql:consumers:read (default), for what belongs to its project']);
    await expect(ask('Query.serviceInfo', reader)).rejects.toThrow('Query.serviceInfo is for everybody');
    await expect(ask('Query.nothing', reader)).rejects.toThrow('Query.nothing is not in the schema');
  });

  test('accepts a static token by its id', async () => {
    const { added } = await addToken(tokensFile, { user: 'nova', project: 'service', roles: ['service'], expiresAt: null });
    expect(await ask('POST /reshaper', { tokenId: added.id })).toMatchObject({ isAllowed: true });
    await expect(ask('POST /reshaper', { tokenId: 'none' })).rejects.toThrow('unknown token id');
  });

  test.each<[operation: string, flags: CheckFlags, fault: string]>([
    ['', {}, 'give a method and a path such as'],
    ['GET', {}, 'give a method and a path'],
    ['GET /nothing', {}, 'no rule guards GET /nothing'],
    ['', { rule: 'placement:trait:list' }, 'unknown rule placement:trait:list; did you mean placement:traits:list?'],
    ['GET /traits', { project: 'blue', system: true }, 'a token has one scope'],
    ['GET /traits', { target: ['blue'] }, '--target "blue" must be a name and a value'],
  ])('refuses %j with %j', async (operation, flags, fault) => {
    await expect(ask(operation, flags)).rejects.toThrow(fault);
  });
});
