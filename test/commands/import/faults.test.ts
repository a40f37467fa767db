// What is wrong in the other Placement itself is named with what to correct there, and is never left out in silence.
import { describe, expect, test } from 'vitest';
import { uuidOf } from '../../support/seed.ts';
import { cell, device, host, oldServer, pool, record, server, useImport } from '../../support/small-placement.ts';

const importing = useImport();
const { run } = importing;

function setParent(provider: string, parent: string | null): void {
  for (const one of importing.placement.cloud.providers) if (one.uuid === provider) one.parent = parent;
}

describe('a loop of parents', () => {
  test('is named with its providers, those below it and what they hold', async () => {
    setParent(host, cell);
    expect(await run()).toMatchObject({ providers: 4, consumers: 2, here: { providers: 1, consumers: 0 }, differences: 3 + 2 + 1 });
    expect(importing.lines).toContainEqual(expect.stringContaining(`provider ${pool} (pool): used is`));
    const loop = `its parents form a loop there (${host} > ${cell} > ${host})`;
    for (const subject of [`${host} (cn1)`, `${cell} (cn1-numa0)`, `${device} (cn1-fpga)`]) {
      const line = importing.lines.find((one) => one.startsWith(`provider ${subject} is left out: ${loop}`));
      expect(line).toContain(`parent_provider_id = null, root_provider_id = id where uuid = '${host}'`);
    }
    for (const uuid of [server, oldServer]) {
      expect(importing.lines).toContain(`consumer ${uuid} holds VCPU on the provider ${cell} (cn1-numa0), which is left out`);
    }
  });

  test('is named for each provider of a parent that is not in the list', async () => {
    setParent(cell, uuidOf('nowhere'));
    expect(await run()).toMatchObject({ providers: 4, here: { providers: 2, consumers: 0 }, differences: 2 + 2 + 1 });
    const cause = `is left out: the parent ${uuidOf('nowhere')} of ${cell} is not in the list there: PUT /resource_providers/${cell} there`;
    expect(importing.lines).toContainEqual(expect.stringContaining(`provider ${cell} (cn1-numa0) ${cause}`));
    expect(importing.lines).toContainEqual(expect.stringContaining(`provider ${device} (cn1-fpga) ${cause}`));
  });

  test('fails an import that does not compare', async () => {
    setParent(host, cell);
    expect(await run({ verifies: false })).toMatchObject({ providers: 4, consumers: 2, differences: null, behind: 5 });
    expect(importing.lines).toContainEqual(expect.stringContaining(`provider ${host} (cn1) is left out`));
  });

  test('that came after an import deletes nothing here when catching up', async () => {
    await run();
    setParent(host, cell);
    expect(await run({ catchUp: true, verifies: false })).toMatchObject({ here: { providers: 4, consumers: 2 }, behind: 3 });
    expect((await run({ catchUp: true })).differences).toBeGreaterThan(0);
    expect(importing.lines).toContainEqual(expect.stringContaining(`provider ${host} (cn1) is left out`));
    setParent(host, null);
    expect(await run({ catchUp: true })).toMatchObject({ differences: 0, behind: 0 });
  });
});

describe('an allocation without a consumer', () => {
  const remedy = /placement-manage db online_data_migrations/;

  test('that the provider lists is named with consumer, provider and amounts', async () => {
    importing.placement.cloud.unreadable.add(server);
    const result = await run();
    expect(result).toMatchObject({ consumers: 2, here: { consumers: 1 } });
    expect(result.differences).toBeGreaterThan(0);
    for (const [provider, amounts] of [
      [`${cell} (cn1-numa0)`, '{"VCPU":4}'],
      [`${pool} (pool)`, '{"CUSTOM_LICENSE":1}'],
    ]) {
      const line = importing.lines.find((one) => one.startsWith(`consumer ${server} holds ${amounts} on the provider ${provider}`));
      expect(line).toMatch(remedy);
    }
  });

  test('that only the usage shows is named with the provider and the class', async () => {
    importing.placement.cloud.unlisted.add(server);
    expect((await run()).differences).toBeGreaterThan(0);
    expect(
      importing.lines.find((line) => line.startsWith(`provider ${cell} (cn1-numa0): 4 VCPU are in use there without a consumer`)),
    ).toMatch(remedy);
    expect(importing.lines.filter((line) => line.includes('without a consumer'))).toHaveLength(2);
  });

  test('fails a pass that does not compare', async () => {
    await run();
    importing.placement.cloud.consumers.push({
      uuid: uuidOf('new'),
      generation: 1,
      project: 'p',
      user: 'u',
      type: 'INSTANCE',
      holds: { [pool]: { DISK_GB: 1 } },
    });
    importing.placement.cloud.unreadable.add(uuidOf('new'));
    expect(await run({ catchUp: true, verifies: false })).toMatchObject({ consumers: 3, here: { consumers: 2 }, behind: 1 });
    expect(importing.lines).toContainEqual(expect.stringMatching(`consumer ${uuidOf('new')} .*cannot be read`));
  });

  test('is not reported for a consumer that is released while it is read', async () => {
    const { cloud } = importing.placement;
    cloud.unreadable.add(server);
    let reads = 0;
    cloud.unreadable.has = (uuid) => {
      if (uuid !== server) return false;
      reads += 1;
      // The import reads it, then the verification.
      if (reads === 2) for (const consumer of cloud.consumers) if (consumer.uuid === server) consumer.holds = {};
      return true;
    };
    expect(await run()).toMatchObject({ consumers: 1 });
    expect(importing.lines.filter((line) => line.startsWith(`consumer ${server} holds`))).toEqual([]);
  });
});

describe('an allocation of a class of which the provider has no inventory', () => {
  test('is named with consumer, provider, class and what to do there', async () => {
    for (const provider of importing.placement.cloud.providers) if (provider.uuid === cell) delete provider.inventories.VCPU;
    expect(await run()).toMatchObject({ here: { consumers: 0 }, differences: 2 + 1 });
    for (const uuid of [server, oldServer]) {
      expect(importing.lines).toContainEqual(
        expect.stringMatching(
          new RegExp(`consumer ${uuid} holds VCPU on the provider ${cell} \\(cn1-numa0\\), which has no inventory of it there: .*release`),
        ),
      );
    }
    for (const provider of importing.placement.cloud.providers) if (provider.uuid === cell) provider.inventories.VCPU = record(8);
    expect(await run()).toMatchObject({ here: { consumers: 2 }, differences: 0 });
  });
});

test('an older Placement, which has no types of consumers, is imported without them', async () => {
  importing.placement.cloud.version = '1.28';
  expect(await run()).toMatchObject({ providers: 4, consumers: 2, differences: 0 });
  const types = await importing.database.db.sql`select 1 from consumers where consumer_type_id is not null`;
  expect(types).toHaveLength(0);
  expect(importing.lines).toContainEqual(expect.stringContaining('microversion 1.28'));
});
