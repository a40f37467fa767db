// The import from another Placement, a stand-in over HTTP, into a real database.
import { describe, expect, test } from 'vitest';
import { runAudit } from '../../src/commands/audit.ts';
import { createSeed } from '../support/seed.ts';
import { cell, device, host, nobody, oldServer, pool, rack, server, useImport } from '../support/small-placement.ts';

const importing = useImport();
const { run } = importing;
/** The counts of an import of the whole cloud. */
const whole = { providers: 4, consumers: 2, here: { providers: 4, consumers: 2 }, behind: 0 };

async function countEvents(): Promise<number> {
  const [row] = await importing.database.db.sql<{ count: number }[]>`select count(*)::int as count from events`;
  return row?.count ?? 0;
}

/** Renames a class as upstream does: inventories and allocations keep it under its new name, and generations stay. */
function renameLicense(): void {
  const { cloud } = importing.placement;
  cloud.resourceClasses = cloud.resourceClasses.map((name) => (name === 'CUSTOM_LICENSE' ? 'CUSTOM_SEAT' : name));
  const renamed = <Value>(byClass: Record<string, Value>) =>
    Object.fromEntries(Object.entries(byClass).map(([name, value]) => [name === 'CUSTOM_LICENSE' ? 'CUSTOM_SEAT' : name, value]));
  for (const provider of cloud.providers) provider.inventories = renamed(provider.inventories);
  for (const consumer of cloud.consumers) {
    consumer.holds = Object.fromEntries(Object.entries(consumer.holds).map(([held, amounts]) => [held, renamed(amounts)]));
  }
}

const readProviders = () => importing.database.db.sql`
  select p.name, parent.name as parent, root.name as root, p.generation::float8,
    provider_state(p.id) -> 'traits' as traits, provider_state(p.id) -> 'aggregates' as aggregates
  from resource_providers p join resource_providers root on root.id = p.root_provider_id
  left join resource_providers parent on parent.id = p.parent_provider_id order by p.name`;

const readInventories = () => importing.database.db.sql`
  select p.name, rc.name as class, i.total, i.reserved, i.min_unit, i.step_size, i.allocation_ratio, i.used::int, i.capacity::int
  from inventories i join resource_providers p on p.id = i.resource_provider_id join resource_classes rc on rc.id = i.resource_class_id
  order by p.name, rc.id`;

const readConsumers = () => importing.database.db.sql`
  select c.uuid, c.generation::int, p.external_id as project, u.external_id as user, t.name as type,
    (select sum(a.used)::int from allocations a where a.consumer_id = c.id) as held
  from consumers c join projects p on p.id = c.project_id join users u on u.id = c.user_id
  left join consumer_types t on t.id = c.consumer_type_id order by c.uuid`;

describe('an import', () => {
  test('copies everything with its generations, including usage over capacity and consumers without owner or type', async () => {
    expect(await run()).toEqual({ ...whole, written: 9, differences: 0 });
    expect([...(await readProviders())]).toEqual([
      { name: 'cn1', parent: null, root: 'cn1', generation: 7, traits: [], aggregates: [rack] },
      { name: 'cn1-fpga', parent: 'cn1-numa0', root: 'cn1', generation: 0, traits: [], aggregates: [] },
      { name: 'cn1-numa0', parent: 'cn1', root: 'cn1', generation: 41, traits: ['CUSTOM_FAST', 'HW_NUMA_ROOT'], aggregates: [] },
      { name: 'pool', parent: null, root: 'pool', generation: 3e9, traits: ['MISC_SHARES_VIA_AGGREGATE'], aggregates: [rack] },
    ]);
    const plain = { reserved: 0, min_unit: 1, step_size: 1, allocation_ratio: 1 };
    expect([...(await readInventories())]).toEqual([
      { ...plain, name: 'cn1-numa0', class: 'VCPU', total: 8, min_unit: 3, step_size: 2, allocation_ratio: 0.5, used: 11, capacity: 4 },
      {
        ...plain,
        name: 'cn1-numa0',
        class: 'MEMORY_MB',
        total: 1024,
        reserved: 1024,
        allocation_ratio: 1.2345678901,
        used: 0,
        capacity: 0,
      },
      { ...plain, name: 'pool', class: 'DISK_GB', total: 100, allocation_ratio: 0, used: 9, capacity: 0 },
      { ...plain, name: 'pool', class: 'CUSTOM_LICENSE', total: 5, used: 1, capacity: 5 },
    ]);
    expect([...(await readConsumers())]).toEqual([
      { uuid: server, generation: 12, project: 'p', user: 'u', type: 'INSTANCE', held: 5 },
      { uuid: oldServer, generation: 1, project: nobody, user: nobody, type: null, held: 16 },
    ]);
    const kinds = await importing.database.db
      .sql`select kind, count(*)::int, count(distinct request_id)::int as requests from events group by kind order by kind`;
    expect([...kinds]).toEqual([
      { kind: 'CREATE_RESOURCE_CLASS', count: 1, requests: 1 },
      { kind: 'CREATE_TRAIT', count: 2, requests: 2 },
      { kind: 'IMPORT_CONSUMER', count: 2, requests: 1 },
      { kind: 'IMPORT_RESOURCE_PROVIDER', count: 4, requests: 1 },
    ]);
    const runs = await importing.database.db
      .sql`select count(distinct global_request_id)::int as runs, count(*) filter (where global_request_id is null)::int as others from events`;
    expect([...runs]).toEqual([{ runs: 1, others: 0 }]);
  });

  test('that is repeated writes nothing', async () => {
    await run();
    const events = await countEvents();
    expect(await run()).toEqual({ ...whole, written: 0, differences: 0 });
    expect(await countEvents()).toBe(events);
  });

  test('that is repeated writes only the changes made there meanwhile', async () => {
    await run();
    const events = await countEvents();
    const { providers, consumers } = importing.placement.cloud;
    for (const provider of providers) if (provider.uuid === device) Object.assign(provider, { parent: pool, name: 'moved' });
    for (const consumer of consumers)
      if (consumer.uuid === server) Object.assign(consumer, { generation: 13, holds: { [cell]: { VCPU: 3 } } });
    expect(await run()).toEqual({ ...whole, written: 2, differences: 0 });
    expect(await countEvents()).toBe(events + 2);
    expect((await readProviders()).find(({ name }) => name === 'moved')).toMatchObject({ parent: 'pool', root: 'pool' });
  });

  test('follows a change that is possible only after the consumers have moved', async () => {
    await run();
    const { providers, consumers } = importing.placement.cloud;
    for (const provider of providers) if (provider.uuid === pool) delete provider.inventories.CUSTOM_LICENSE;
    for (const consumer of consumers) if (consumer.uuid === server) consumer.holds = { [cell]: { VCPU: 4 } };
    expect(await run()).toMatchObject({ differences: 0 });
    expect((await readInventories()).map(({ class: name }) => name)).not.toContain('CUSTOM_LICENSE');
  });

  test('that was interrupted resumes where it stopped and leaves no difference', async () => {
    importing.placement.cloud.lifetime = 20;
    await expect(run()).rejects.toThrow('answered 503');
    expect((await readProviders()).length).toBe(4);
    expect((await readConsumers()).length).toBe(0);
    importing.placement.cloud.lifetime = Number.POSITIVE_INFINITY;
    expect(await run()).toEqual({ ...whole, written: 2, differences: 0 });
  });

  test('retries if the other service is briefly unavailable', async () => {
    importing.placement.cloud.failures = 2;
    expect(await run({ concurrency: 1 })).toMatchObject({ providers: 4, differences: 0 });
    expect(importing.placement.paths.filter((path) => path === '/resource_classes').length).toBe(2 + 2);
  });

  test('skips a provider that is deleted before it is read, and says so', async () => {
    const { consumers, gone } = importing.placement.cloud;
    gone.add(pool);
    for (const consumer of consumers) delete consumer.holds[pool];
    expect(await run()).toMatchObject({ providers: 3, consumers: 2, differences: 0 });
    expect(importing.lines).toContain(`provider ${pool} (pool) was deleted in the meantime`);
  });

  test('imports the rest if the ledger refuses something, and says what and why', async () => {
    const [first] = importing.placement.cloud.consumers;
    importing.placement.cloud.consumers.push({ ...(first ?? expect.fail()), uuid: rack, holds: { [host]: { VCPU: 1 } } });
    expect(await run()).toMatchObject({ providers: 4, consumers: 3, written: 9, differences: 1 });
    expect(importing.lines.filter((line) => line.includes(rack))).toEqual([
      expect.stringContaining(`consumer ${rack} was not imported: NO_INVENTORY`),
      expect.stringContaining(`consumer ${rack} holds VCPU on the provider ${host} (cn1), which has no inventory of it there`),
    ]);
  });
});

describe('catching up', () => {
  const catchUp = (options = {}) => run({ catchUp: true, ...options });

  test('writes nothing if nothing has changed, and reads only lists', async () => {
    await run();
    const events = await countEvents();
    importing.placement.paths.length = 0;
    expect(await catchUp({ verifies: false })).toEqual({ ...whole, written: 0, differences: null });
    expect(importing.placement.paths.filter((path) => /^\/resource_providers\/.*(traits|inventories)$|^\/allocations/.test(path))).toEqual(
      [],
    );
    expect(await countEvents()).toBe(events);
  });

  test('follows changes, creations, moves and deletions there, with generations', async () => {
    await run();
    const { cloud } = importing.placement;
    const [first = expect.fail()] = cloud.consumers;
    for (const provider of cloud.providers) {
      if (provider.uuid === cell) Object.assign(provider, { generation: 42, traits: ['CUSTOM_NEW'], name: 'renamed' });
      if (provider.uuid !== pool) continue;
      provider.generation += 1;
      delete provider.inventories.CUSTOM_LICENSE;
    }
    cloud.traits.push('CUSTOM_NEW');
    cloud.providers = cloud.providers.filter(({ uuid }) => uuid !== device);
    // One is deleted, and one is created.
    cloud.consumers = cloud.consumers.filter(({ uuid }) => uuid !== server);
    cloud.consumers.push({ ...first, uuid: rack, holds: { [cell]: { VCPU: 1 } } });
    expect(await catchUp()).toEqual({
      providers: 3,
      consumers: 2,
      here: { providers: 3, consumers: 2 },
      written: 6,
      differences: 0,
      behind: 0,
    });
    expect((await readProviders()).map(({ name, generation }) => [name, generation])).toEqual([
      ['cn1', 7],
      ['pool', 3e9 + 1],
      ['renamed', 42],
    ]);
    expect((await runAudit(importing.database.db, () => {})).differences).toBe(0);
  });

  test('follows a class that was renamed there while in use, although no generation was raised', async () => {
    await run();
    renameLicense();
    expect(await catchUp()).toMatchObject({ differences: 0, behind: 0 });
    expect((await runAudit(importing.database.db, () => {})).differences).toBe(0);
  });

  test('follows changes that no pass detects: a class that took the name of another, and consumers that got another project or generation', async () => {
    await run();
    renameLicense();
    importing.placement.cloud.resourceClasses.push('CUSTOM_LICENSE');
    for (const consumer of importing.placement.cloud.consumers) {
      if (consumer.uuid === oldServer) consumer.project = 'other';
      else consumer.generation += 2;
    }
    expect(await catchUp()).toMatchObject({ differences: 0, behind: 0 });
    expect((await readConsumers()).map(({ project, generation }) => [project, generation])).toEqual([
      ['p', 14],
      ['other', 1],
    ]);
  });

  test('continues while the other side changes, and says how far it is behind if that does not end', async () => {
    await run();
    const { cloud } = importing.placement;
    const [provider = expect.fail()] = cloud.providers;
    const passes: number[] = [];
    const report = (line: string) => {
      if (!line.startsWith('pass ')) return;
      passes.push(passes.length + 1);
      if (passes.length < 3) provider.generation += 1;
    };
    provider.generation += 1;
    expect(await catchUp({ report, verifies: false })).toMatchObject({ written: 3, behind: 0 });
    expect(passes).toHaveLength(4);
    const restless = (line: string) => {
      if (line.startsWith('pass ')) provider.generation += 1;
    };
    provider.generation += 1;
    expect(await catchUp({ report: restless, verifies: false })).toMatchObject({ written: 10, behind: 1 });
  });

  test('does not undo what callers of this gateway have written', async () => {
    await run();
    await createSeed(importing.database.db).provider('own');
    await expect(catchUp()).rejects.toThrow('this gateway has writes of its own');
  });

  test('does not mistake an empty Placement for one in which everything was deleted', async () => {
    await run();
    Object.assign(importing.placement.cloud, { providers: [], consumers: [] });
    await expect(catchUp()).rejects.toThrow('has no providers');
    expect(await readProviders()).toHaveLength(4);
  });
});

test('on a terminal a bar shows the progress of each phase, instead of lines', async () => {
  const phases = new Map<string, string>();
  const at = (phase: string, done: number, total: number) => void phases.set(phase, `${done}/${total}`);
  const { providers, consumers } = await run({ progress: { isVisible: true, at, clear: () => {} } });
  expect(Object.fromEntries(phases)).toEqual({
    providers: `${providers}/${providers}`,
    'looking for consumers on providers': `${providers}/${providers}`,
    consumers: `${consumers}/${consumers}`,
    'verifying providers': `${providers}/${providers}`,
    'verifying consumers': `${consumers}/${consumers}`,
  });
});

describe('the verification', () => {
  const plant = async (statement: string) => {
    await run();
    importing.lines = [];
    await importing.database.db.writes.unsafe(statement);
    return run();
  };

  test.each([
    ['a usage there that is not the sum', `update inventories set used = used + 1 where used = 11`, 'used is {"VCPU":12,"MEMORY_MB":0}'],
    ['a consumer that is missing there', `update consumers set uuid = '${rack}' where uuid = '${server}'`, `consumer ${rack} is here only`],
    [
      'a provider that is missing there',
      `update resource_providers set uuid = '${rack}', name = 'x' where uuid = '${device}'`,
      `provider ${rack} is here only`,
    ],
    ['a custom trait that is missing there', `insert into traits (name) values ('CUSTOM_OURS')`, 'trait CUSTOM_OURS is here only'],
    [
      'a custom class that is missing there',
      `insert into resource_classes (name) values ('CUSTOM_OURS')`,
      'resource class CUSTOM_OURS is here only',
    ],
  ])('finds %s', async (_what, statement, line) => {
    expect((await plant(statement)).differences).toBeGreaterThan(0);
    expect(importing.lines).toContainEqual(expect.stringContaining(line));
  });

  test('prints the first fifty differences and counts the others', async () => {
    const values = Array.from({ length: 60 }, (_, index) => `('CUSTOM_${index}')`).join();
    expect((await plant(`insert into traits (name) values ${values}`)).differences).toBe(60);
    expect(importing.lines.filter((line) => line.endsWith('is here only')).length).toBe(50);
    expect(importing.lines.at(-1)).toBe('and 10 more differences');
  });
});

describe('an import that cannot begin says why', () => {
  test.each([
    ['the token is wrong', { token: async () => 'stolen' }, 'does not accept the token (401)'],
    ['the URL is malformed', { url: 'placement' }, 'placement is not an http or https URL'],
    ['the URL holds a password', { url: 'http://admin:secret@127.0.0.1' }, /^(?!.*secret).*use a token/],
  ])('when %s', async (_why, options, message) => {
    await expect(run(options)).rejects.toThrow(message);
    expect(await countEvents()).toBe(0);
  });

  test('if no server listens', async () => {
    await importing.placement.close();
    await expect(run()).rejects.toThrow(`${importing.placement.url}/ cannot be reached (ECONNREFUSED)`);
  });
});
