// The settings of the cloud as clients set and read them, and who may.
import { expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { refusalOf, useCallers } from '../../support/personas.ts';
import { uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const ask = useCallers(() => database);

const replace = (
  settings: string,
  generation: number,
) => `mutation { replaceNovaSettings(input: { expect: { generation: ${generation} }, settings: ${settings} }) {
  settings { generation } replayed event { kind changes { nodes { action } } } userErrors { __typename code path retry ... on SettingsConflict { expected actual } }
} }`;
const whole = `{
  cells: ["${uuidOf('cell')}"]
  pciPassthrough: { inPlacement: true, aliases: { name: "gpu", resourceClass: "PGPU", traits: ["CUSTOM_A"], liveMigratable: true, numaPolicy: SOCKET } }
  deviceProfiles: { name: "fpga", groups: { properties: { key: "resources:FPGA", value: "1" } } }
  prefilters: { imageType: true, hostAggregates: { aggregate: "${uuidOf('zone')}", metadata: { key: "availability_zone", value: "az1" } } }
  weightMultipliers: { ram: 2.5, crossCellMove: 10 }
}`;
const fields = `generation cellUuids
  pciPassthrough { inPlacement aliases { name vendorId productId deviceType resourceClassName traitNames liveMigratable numaPolicy } }
  deviceProfiles { name groups { properties { key value } } }
  prefilters { imageType imageMetadata projectAggregates projectAggregateRequired isolatedAggregates hostAggregates { aggregateUuid metadata { key value } } }
  weightMultipliers { ram cpu disk pci buildFailure softAffinity softAntiAffinity crossCellMove }`;
const unset = { cellUuids: null, pciPassthrough: null, deviceProfiles: null, prefilters: null, weightMultipliers: null };

test('settings are read as they were set, and what is not set is null', async () => {
  expect((await ask('admin', `{ novaSettings { ${fields} } }`)).data).toEqual({ novaSettings: { generation: 0, ...unset } });
  expect((await ask('admin', replace(whole, 0))).data?.replaceNovaSettings).toEqual({
    settings: { generation: 1 },
    replayed: false,
    event: { kind: 'REPLACE_SETTINGS', changes: { nodes: [{ action: 'CREATED' }] } },
    userErrors: [],
  });
  const alias = { name: 'gpu', vendorId: null, productId: null, deviceType: null, resourceClassName: 'PGPU', traitNames: ['CUSTOM_A'] };
  const none = { cpu: null, disk: null, pci: null, buildFailure: null, softAffinity: null, softAntiAffinity: null };
  expect((await ask('admin', `{ novaSettings { ${fields} } }`)).data).toEqual({
    novaSettings: {
      generation: 1,
      cellUuids: [uuidOf('cell')],
      pciPassthrough: { inPlacement: true, aliases: [{ ...alias, liveMigratable: true, numaPolicy: 'SOCKET' }] },
      deviceProfiles: [{ name: 'fpga', groups: [{ properties: [{ key: 'resources:FPGA', value: '1' }] }] }],
      prefilters: {
        ...{ imageType: true, imageMetadata: false, projectAggregates: false, projectAggregateRequired: false, isolatedAggregates: false },
        hostAggregates: [{ aggregateUuid: uuidOf('zone'), metadata: [{ key: 'availability_zone', value: 'az1' }] }],
      },
      weightMultipliers: { ram: 2.5, ...none, crossCellMove: 10 },
    },
  });
});

test('a replacement of older settings is refused, with the current generation', async () => {
  expect((await ask('admin', replace('{}', 0))).data?.replaceNovaSettings).toEqual({
    settings: null,
    replayed: false,
    event: null,
    userErrors: [
      { __typename: 'SettingsConflict', code: 'SETTINGS_CONFLICT', path: ['expect'], retry: 'AFTER_READ', expected: 0, actual: 1 },
    ],
  });
});

test('administrators replace settings, operators and services read them, and readers of a project neither', async () => {
  const read = '{ novaSettings { generation } }';
  for (const caller of ['watcher', 'auditor', 'worker'] as const) {
    expect((await ask(caller, read)).data).toEqual({ novaSettings: { generation: 1 } });
    expect(refusalOf(await ask(caller, replace('{}', 1))).slice(0, 2)).toEqual([403, 'FORBIDDEN']);
  }
  expect(refusalOf(await ask('reader', read)).slice(0, 2)).toEqual([403, 'FORBIDDEN']);
  const flavor = 'flavor: { fields: { vcpus: 1, memoryMb: 1, extraSpecs: { key: "pci_passthrough:alias", value: "gpu:1" } } }';
  const translated = await ask('reader', `{ flavorToRequest(input: { ${flavor} }) { warnings { subject } } }`);
  expect(translated.data).toMatchObject({ flavorToRequest: { warnings: expect.arrayContaining([{ subject: 'pci_passthrough:alias' }]) } });
});
