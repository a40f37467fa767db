// policy.yaml: what a gateway accepts, refuses at start, and does when the file changes while it runs.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { credentialsOf } from '../../src/auth/policy/credentials.ts';
import { type OpenPolicy, openPolicy, readPolicy } from '../../src/auth/policy/open.ts';
import { targetOf } from '../../src/auth/policy/policy.ts';
import { readPolicyFiles } from '../../src/auth/policy/policy-file.ts';
import { plainIdentity } from '../../src/domain/identity.ts';
import type { PolicySettings } from '../../src/settings/policy.ts';

const home = mkdtempSync(join(tmpdir(), 'placement-policy-'));
const file = join(home, 'policy.yaml');
afterAll(() => rmSync(home, { recursive: true, force: true }));
beforeEach(() => rmSync(file, { force: true }));

const defaults: PolicySettings = {
  policyFile: file,
  policyDirectories: [],
  policyRules: 'current',
  policyEnforceNewDefaults: true,
  policyEnforceScope: true,
  policyUnknownRules: 'warn',
};
const rule = 'placement:traits:list';
const auditor = plainIdentity('static', 'ann', 'operations', ['auditor']);

describe('of a file', () => {
  const read = async (text: string) => {
    writeFileSync(file, text);
    return readPolicyFiles({ file, directories: [] });
  };
  const place = (line: number) => `${file}:${line}`;

  test('strings and lists are accepted, and so are quoted rules that allow every caller', async () => {
    const text = `# Ours.
"placement:traits:list": "role:auditor or rule:admin_or_service_api"
placement:traits:show: role:auditor
"placement:usages": [["role:a"], ["role:b", "role:c"], "role:d"]
"placement:traits:update": ""
"placement:traits:delete": []
"placement:resource_classes:list": "@"
"placement:resource_classes:show": >
  role:a or
  role:b
`;
    const sources = [...(await read(text))].map(([name, { source, at }]) => [name, source, at]);
    expect(sources).toEqual([
      ['placement:traits:list', 'role:auditor or rule:admin_or_service_api', place(2)],
      ['placement:traits:show', 'role:auditor', place(3)],
      ['placement:usages', [['role:a'], ['role:b', 'role:c'], 'role:d'], place(4)],
      ['placement:traits:update', '', place(5)],
      ['placement:traits:delete', [], place(6)],
      ['placement:resource_classes:list', '@', place(7)],
      ['placement:resource_classes:show', 'role:a or role:b\n', place(8)],
    ]);
  });

  test.each(['', '# nothing but this\n', '---\n', '{}', 'null'])('%j has no rules', async (text) => {
    expect((await read(text)).size).toBe(0);
  });

  test('JSON is accepted, too', async () => {
    expect([...(await read('{"placement:usages": "role:reader"}')).keys()]).toEqual(['placement:usages']);
  });

  const opening = 'would allow everybody: write "@" in quotes to allow everybody, "!" in quotes to allow nobody';
  test.each<[text: string, line: number, fault: string]>([
    ['a: role:x\nb:\n', 2, `the rule b is empty, which ${opening}`],
    ['b: null', 1, `the rule b is empty, which ${opening}`],
    ['b: ~', 1, `the rule b is empty, which ${opening}`],
    ['b: {}', 1, `the rule b is empty, which ${opening}`],
    ['b: !', 1, `the rule b is empty, which ${opening}`],
    ['b: |\n', 1, `the rule b is empty, which ${opening}`],
    ['b: [role:x, ~]', 1, 'the rule b must be a text or a list of texts'],
    ['b: [[role:x, 1]]', 1, 'the rule b must be a text or a list of texts'],
    ['b: true', 1, 'the rule b must be a text or a list of texts'],
    ['b: no', 1, 'the rule b must be a text or a list of texts'],
    ['b: 20', 1, 'the rule b must be a text or a list of texts'],
    ['b: {role: x}', 1, 'the rule b must be a text or a list of texts'],
    ['b: !!str role:x', 1, 'the rule b must be a text or a list of texts'],
    ['b: &x role:x\nc: *x', 2, 'the rule c must be a text or a list of texts'],
    ['1: role:x', 1, 'the name of a rule must be a text'],
    ['b: @', 1, ''],
    ['b: %(x)s', 1, ''],
    ['\n\nb: role:x\nb: role:y', 4, 'Map keys must be unique'],
    ['b: "role:x', 1, ''],
    ['b: role:x\n--- \nc: role:y', 2, ''],
    ['- role:x', 1, 'it must be a map'],
    ['role:x', 1, 'it must be a map'],
    ['a:\nb:\nc: role:x\nd:\n', 4, 'the rule d is empty'],
  ])('%j is refused', async (text, line, fault) => {
    await expect(read(text)).rejects.toThrow(`${place(line)}: ${fault}`);
  });
});

describe('at start', () => {
  test('a file that is missing or world-writable is refused', async () => {
    await expect(readPolicy(defaults)).rejects.toThrow(`${file}: it does not exist`);
    writeFileSync(file, '{}');
    chmodSync(file, 0o646);
    await expect(readPolicy(defaults)).rejects.toThrow(`run chmod o-w ${file}`);
  });

  test('unknown names are reported with the nearest known one, and unreadable rules deny', async () => {
    writeFileSync(file, '"placement:trait:list": "role:x"\nours: role:y\n"placement:traits:list": "rule:ours or"\n"elsewhere": "@"\n');
    const { warnings } = await readPolicy(defaults);
    expect(warnings).toEqual([
      `${file}:1: there is no rule placement:trait:list, and no other rule refers to it, so it has no effect; did you mean placement:traits:list?`,
      `${file}:2: there is no rule ours, and no other rule refers to it, so it has no effect`,
      `${file}:4: there is no rule elsewhere, and no other rule refers to it, so it has no effect`,
      expect.stringContaining(`${file}:3: the rule placement:traits:list cannot be read`),
    ]);
  });

  test('an unknown name that looks like a rule of requests is reported even if another rule refers to it', async () => {
    writeFileSync(file, '"placement:resource_providers:lst": "role:x"\n"placement:traits:list": "rule:placement:resource_providers:lst"\n');
    expect((await readPolicy(defaults)).warnings).toEqual([
      `${file}:1: there is no rule placement:resource_providers:lst, so it counts only where other rules refer to it; did you mean placement:resource_providers:list?`,
    ]);
  });

  test('unknown names are refused if the settings say so', async () => {
    writeFileSync(file, '"placement:resource_providers:lst": "role:x"\n');
    await expect(readPolicy({ ...defaults, policyUnknownRules: 'refuse' })).rejects.toThrow(
      /:1: there is no rule placement:resource_providers:lst, .*; did you mean placement:resource_providers:list\?$/,
    );
    writeFileSync(file, '"placement:resource_providers:list": "rule:ours"\n"ours": "role:x"\n');
    expect((await readPolicy({ ...defaults, policyUnknownRules: 'refuse' })).warnings).toEqual([]);
  });

  test('the example of the documentation lets an auditor read all of REST, and nothing more', async () => {
    const page = readFileSync(new URL('../../docs/access.md', import.meta.url), 'utf8');
    writeFileSync(file, /```yaml\n(.*?)```/s.exec(page)?.[1] ?? '');
    const { rules, warnings } = await readPolicy(defaults);
    expect(warnings).toEqual([]);
    const guards = [...rules.values()].filter(({ operations }) => operations.length > 0);
    const readable = guards.filter(({ decide }) => decide(credentialsOf(auditor), targetOf(auditor)));
    expect(readable.map(({ name }) => name)).toEqual(
      guards.filter(({ operations }) => operations.every((operation) => operation.startsWith('GET '))).map(({ name }) => name),
    );
  });

  test.each([
    ['current', 'project'],
    ['system-scoped', 'system'],
  ] as const)('under %s rules, writes of GraphQL are for administrators of the %s, as those of REST', async (policyRules, scope) => {
    const { rules } = await readPolicy({ ...defaults, policyFile: null, policyRules });
    const administrator = { ...plainIdentity('keystone', 'ann', scope === 'project' ? 'admin' : null, ['admin', 'reader']), scope };
    const writes = [...rules.values()].filter(({ name }) => name.startsWith('placement:graphql:') && !/:read$|:send$|_reader$/.test(name));
    expect(writes.length).toBeGreaterThan(5);
    for (const { scopes, decide } of writes) {
      expect(scopes).toEqual([scope]);
      expect(decide(credentialsOf(administrator), targetOf(administrator))).toBe(true);
    }
  });

  test('files of directories are read later, in order of name, and hidden files are ignored', async () => {
    const directory = join(home, 'policy.d');
    mkdirSync(directory);
    writeFileSync(file, `"${rule}": "role:a"`);
    writeFileSync(join(directory, '20-more.yaml'), `"${rule}": "role:c"`);
    writeFileSync(join(directory, '10-some.yaml'), `"${rule}": "role:b"`);
    writeFileSync(join(directory, '.30-hidden.yaml'), `"${rule}": "role:d"`);
    const { rules } = await readPolicy({ ...defaults, policyDirectories: [directory] });
    expect(rules.get(rule)).toMatchObject({ check: { right: 'c' }, origin: { at: `${join(directory, '20-more.yaml')}:1` } });
  });
});

describe('while it runs', () => {
  const lines: string[] = [];
  const log = {
    info: (line: string) => lines.push(line),
    warn: (line: string) => lines.push(line),
    error: (line: string) => lines.push(line),
  };
  let opened: OpenPolicy;
  beforeEach(async () => {
    lines.length = 0;
    writeFileSync(file, `"${rule}": "role:auditor"`);
    opened = await openPolicy(defaults, log);
  });
  afterEach(() => opened.close());
  const mayList = () => opened.policy.allows(rule, auditor, targetOf(auditor));

  test('a changed file takes effect without a restart', async () => {
    expect(mayList()).toBe(true);
    writeFileSync(`${file}.new`, `"${rule}": "!"`);
    renameSync(`${file}.new`, file);
    await expect.poll(mayList).toBe(false);
    expect(lines).toEqual(['the rules of access were read again']);
  });

  test('the last good rules stay in effect when it is broken or missing, which is reported until it is repaired', async () => {
    writeFileSync(file, `"${rule}":`);
    await expect.poll(() => opened.fault()).toContain('the rules read before stay in effect');
    expect(mayList()).toBe(true);
    expect(lines).toEqual([expect.stringContaining(`${file}:1: the rule ${rule} is empty`)]);
    rmSync(file);
    await expect.poll(() => lines.at(-1)).toContain('it does not exist');
    expect(mayList()).toBe(true);
    writeFileSync(file, '{}');
    await expect.poll(() => opened.fault()).toBeNull();
    expect(mayList()).toBe(false);
  });
});
