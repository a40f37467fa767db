// Every extra spec of Nova is applied, left to the guest, refused or warned of; none is silently ignored.
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../src/domain/errors.ts';
import { standardResourceClasses } from '../../../src/domain/standard-resource-classes.ts';
import { standardTraits } from '../../../src/domain/standard-traits.ts';
import { extraSpecs } from '../../../src/nova/flavors/extra-specs.ts';
import { flavorToRequest } from '../../../src/nova/flavors/flavor-request.ts';
import { novaExtraSpecs } from './nova-extra-specs.ts';

const small = { name: 'small', vcpus: 1, memoryMb: 2048, rootGb: 10, ephemeralGb: 0, swapMb: 0 };
const warningsOf = (extraSpecs: Readonly<Record<string, string>>) =>
  flavorToRequest({ ...small, extraSpecs }).warnings.map(({ code, subject }) => `${code} ${subject}`);

/** Whether an extra spec is known: a warning may concern the value 1, but not the key. */
function isKnown(key: string): boolean {
  try {
    return warningsOf({ [key]: '1' }).every((warning) => !warning.startsWith('EXTRA_SPEC_UNKNOWN'));
  } catch (error) {
    if (error instanceof Refusal) return true;
    throw error;
  }
}

/** A key for a name with placeholders. */
const exampleOf = (name: string) =>
  name
    .replace('{group}', '_a')
    .replace(/\{(resource|trait)\}/, 'X')
    .replace('{num}', '0')
    .replace('{filter}', ':a:b')
    .replace('{key}', 'ssd');

test('every extra spec that Nova validates is in the table', () => {
  expect(novaExtraSpecs).toHaveLength(127);
  const classes = standardResourceClasses.flatMap(({ name }) => [`resources:${name}`, `resources1:${name}`]);
  expect([...novaExtraSpecs.map(exampleOf)].filter((key) => !isKnown(key))).toEqual([]);
  expect(classes.flatMap((key) => warningsOf({ [key]: '1' }))).toEqual([]);
  expect(standardTraits.flatMap((name) => warningsOf({ [`trait:${name}`]: 'required', 'hw:cpu_policy': 'dedicated' }))).toEqual([]);
});

test('the table contains only extra specs that Nova validates, or reads without validation', () => {
  const shapeOf = (name: string) => name.replaceAll(/CUSTOM_\{\w+\}|\{\w+\}/g, '*');
  const known = new Set(novaExtraSpecs.map(shapeOf));
  expect(extraSpecs.flatMap(({ name }) => (known.has(shapeOf(name)) ? [] : name))).toEqual(['hw:maxphysaddr_mode', 'hw:maxphysaddr_bits']);
});

describe('an extra spec', () => {
  test.each([
    [
      'that Nova does not know causes a warning',
      { 'hw:numa_node': '2', 'some:bogus': 'x', nocolons: '1', 'resources_*5:VGPU': '1', 'pci_passthrough:x': '' },
      'UNKNOWN',
    ],
    [
      'that limits hosts by facts outside providers causes a warning',
      { 'hw:numa_nodes': '1', 'capabilities:cpu_info:arch': 'x', 'aggregate_instance_extra_specs:ssd': 'true', 'hw:mem_page_size': '2MB' },
      'NOT_CHECKED',
    ],
    [
      'for the guest causes a warning if its value is invalid',
      { 'hw:watchdog_action': 'bark', 'quota:cpu_shares': '-1', 'hw:boot_menu': 'maybe', 'hw:redirected_usb_ports': '16' },
      'LEFT_OUT',
    ],
  ] as const)('%s', (_what, given, code) => {
    expect(warningsOf(given).sort()).toEqual(
      Object.keys(given)
        .map((key) => `EXTRA_SPEC_${code} ${key}`)
        .sort(),
    );
  });

  test('for the guest causes no warning', () => {
    expect(
      warningsOf({ 'hw:watchdog_action': 'reset', 'quota:cpu_quota': '-1', 'hw:boot_menu': 'yes', 'vmware:hw_version': 'vmx-13' }),
    ).toEqual([]);
  });

  test('of hostile length is checked in linear time', () => {
    // Takes a part of a second, and minutes in quadratic time: a busy machine does not blur the difference.
    const long = 500_000;
    const hostile = {
      'hw:pmem': `${'a,'.repeat(long / 2)}!`,
      'pci_passthrough:alias': `a:1${' '.repeat(long)}x`,
      'hw:mem_page_size': '9'.repeat(long),
    };
    const before = process.cpuUsage();
    flavorToRequest({ ...small, extraSpecs: hostile });
    const cells = { 'hw:numa_nodes': '1', 'hw:numa_cpus.0': `${'1-1,'.repeat(long / 4)}x`, 'hw:numa_mem.0': '1' };
    expect(() => flavorToRequest({ ...small, extraSpecs: cells })).toThrow(Refusal);
    expect(process.cpuUsage(before).user).toBeLessThan(20_000_000);
  });
});
