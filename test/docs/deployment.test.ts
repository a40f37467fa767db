// The files in deploy/ against what they rely on: settings that exist, scripts that exist, versions that are exact, rights that are few.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { settingDescriptions } from '../../src/settings/settings.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const settings = new Set(settingDescriptions.map(({ variable }) => variable));

describe('deploy/Containerfile', () => {
  const lines = read('deploy/Containerfile').split('\n');

  test('begins with exact versions of one Node, which the package allows', () => {
    const bases = lines.filter((line) => line.startsWith('FROM ')).map((line) => line.split(' ')[1]);
    expect(bases).toEqual(Array(2).fill(`\${NODE_IMAGE}`));
    const [, image] = /^ARG NODE_IMAGE=(\S+)$/m.exec(lines.join('\n')) ?? [];
    expect(image).toMatch(/^docker\.io\/library\/node:2[0-9]\.\d+\.\d+-bookworm-slim$/);
  });

  test('makes the image of the package, and runs it without rights', () => {
    const text = lines.join('\n');
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const [, script = ''] of text.matchAll(/npm run (?:--\S+ )?(\w+)/g)) expect(scripts).toHaveProperty(script);
    expect(text).toContain('npm run --silent pack');
    expect(text).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
    expect(text).toMatch(/^HEALTHCHECK /m);
    for (const [, variable = ''] of text.matchAll(/\b(PLACEMENT_\w+)=/g)) expect(settings).toContain(variable);
  });
});

describe('deploy/compose.yaml', () => {
  const { services, secrets } = parse(read('deploy/compose.yaml')) as {
    readonly services: Record<string, Record<string, unknown>>;
    readonly secrets: Record<string, { readonly file: string }>;
  };

  test('gives the gateway settings that exist, and no secret in a variable', () => {
    expect(services.gateway?.secrets).toEqual(Object.keys(secrets));
    const environment = services.gateway?.environment as Record<string, string>;
    expect(Object.keys(environment).filter((name) => !settings.has(name))).toEqual([]);
    expect(new URL(environment.DATABASE_URL ?? '').password).toBe('');
    for (const name of (services.gateway?.secrets ?? []) as string[]) expect(Object.values(environment)).toContain(`/run/secrets/${name}`);
    expect(Object.values(secrets).every(({ file }) => file.startsWith('secrets/'))).toBe(true);
    expect(read('.gitignore')).toContain('deploy/secrets/');
  });

  test('lets the gateway write nothing and gain nothing, and waits for its database', () => {
    const [, user] = /^USER (\S+)$/m.exec(read('deploy/Containerfile')) ?? [];
    expect(services.gateway).toMatchObject({
      user,
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      ulimits: { core: 0 },
      depends_on: { postgres: { condition: 'service_healthy' } },
    });
    expect(services.postgres?.image).toMatch(/^\$\{POSTGRES_IMAGE:-docker\.io\/library\/postgres:\d+\.\d+-bookworm\}$/);
  });
});

test.each(['deploy/nginx.conf', 'deploy/patroni/haproxy.cfg'])(
  '%s sets or removes each header that a trusted proxy is believed',
  (path) => {
    const believed = ['X-Forwarded-For', 'X-Forwarded-Proto', 'X-Forwarded-Host', 'X-Forwarded-Prefix', 'Forwarded'];
    // HAProxy adds the address behind what the client sent, where it counts alone.
    const text = read(path).replace(/^ *option forwardfor$/m, 'set-header X-Forwarded-For');
    for (const header of believed) expect(text).toMatch(new RegExp(`(set.header|del-header) ${header}\\b`));
  },
);

test('deploy/placement-gateway.service leaves no core dump, gains no rights and reads its password from a credential', () => {
  const unit = read('deploy/placement-gateway.service');
  for (const line of ['LimitCORE=0', 'DynamicUser=yes', 'NoNewPrivileges=yes', 'CapabilityBoundingSet=', 'ProtectSystem=strict'])
    expect(unit.split('\n')).toContain(line);
  for (const [, variable = ''] of unit.matchAll(/\b((?:PLACEMENT|DATABASE)_\w+)=/g)) expect(settings).toContain(variable);
});

describe('deploy/patroni', () => {
  const filled = (name: string) => read(`deploy/patroni/${name}`).replace(/@[A-Z0-9_]+@/g, '127.0.0.1');

  test('keeps acknowledged writes: a synchronous standby, a lock that nobody takes from its owner, a ttl that Patroni can keep', () => {
    const { bootstrap, ...others } = parse(filled('patroni.yml')) as { bootstrap: { dcs: Record<string, unknown> } };
    expect(Object.keys(others).filter((name) => name.startsWith('etcd'))).toEqual(['etcd']);
    expect(read('deploy/patroni/cluster')).toContain('--enable-v2');
    const { ttl, loop_wait: pause, retry_timeout: retry, synchronous_mode: isSynchronous } = bootstrap.dcs as Record<string, number>;
    expect(isSynchronous).toBe(true);
    expect((pause ?? 0) + 2 * (retry ?? 0)).toBeLessThanOrEqual(ttl ?? 0);
  });

  test('ends the sessions of a server that is the primary no longer, and repeats only what was not sent', () => {
    const proxy = read('deploy/patroni/haproxy.cfg');
    expect(proxy).toMatch(/default-server .*on-marked-down shutdown-sessions/);
    expect(proxy).toContain('option httpchk GET /readyz');
    expect([...proxy.matchAll(/retry-on (.*)/g)].map(([, what]) => what)).toEqual(['conn-failure']);
  });

  test('has no placeholder that the script does not fill in, and no port that a Placement on the same machine has', () => {
    const script = read('deploy/patroni/cluster');
    for (const name of ['haproxy.cfg', 'pgbouncer.ini', 'patroni.yml']) {
      const placeholders = [...read(`deploy/patroni/${name}`).matchAll(/@([A-Z0-9_]+)@/g)].map(([, placeholder = '']) => placeholder);
      expect(placeholders.filter((one) => !script.includes(`@${one}@`) && !/_PASSWORD$/.test(one))).toEqual([]);
    }
    expect(read('deploy/patroni/haproxy.cfg')).not.toMatch(/^ *bind .*:8778/m);
  });

  test('has PgBouncer in session mode, and gateways that are told so', () => {
    expect(read('deploy/patroni/pgbouncer.ini')).toMatch(/^pool_mode = session$/m);
    expect(read('deploy/patroni/cluster')).toContain('placement?pooler=session');
  });

  test('sets only settings that exist, and says all that it can do', () => {
    const script = read('deploy/patroni/cluster');
    for (const [, variable = ''] of script.matchAll(/\b(PLACEMENT_\w+|DATABASE_\w+)=/g)) expect(settings).toContain(variable);
    for (const [, command = ''] of script.matchAll(/^ {2}(up|primary|kill-primary|switchover|partition|restart-gateways|down)\)/gm)) {
      expect(script.split('set -euo')[0]).toContain(command);
    }
  });
});
