// Every field of a RequestSpec is in the table of treatments, and fields that are not checked cause a warning.
import { expect, test } from 'vitest';
import { decodeText } from '../../../src/nova/objects/codec.ts';
import { requestSpecFields, schedulerHints } from '../../../src/nova/requests/request-spec-fields.ts';
import { readRequestSpec, warningsOfRequest } from '../../../src/nova/requests/request-specs.ts';
import { smallRequestSpec, wireOf } from '../../support/versioned-objects.ts';

/** The fields of Nova's object at version 1.15, in its order. */
const novaFields =
  `id image numa_topology pci_requests project_id user_id availability_zone flavor num_instances ignore_hosts force_hosts force_nodes
  requested_destination retry limits instance_group scheduler_hints instance_uuid security_groups network_metadata is_bfv requested_resources
  request_level_params requested_networks`.split(/\s+/);

const subjectsOf = (data: object) => {
  const whole = { ...(smallRequestSpec['nova_object.data'] as object), ...data };
  const spec = decodeText('RequestSpec', JSON.stringify(wireOf('RequestSpec', '1.15', whole as never)));
  const { warnings, choice } = readRequestSpec(spec, {}, []);
  const subjects = (list: typeof warnings) => [...new Set(list.map(({ subject }) => subject))].sort();
  return { chosen: subjects([...warnings, ...choice.hints.warnings]), requested: subjects([...warnings, ...warningsOfRequest(spec)]) };
};

const networks = wireOf('NetworkRequestList', '1.1', { objects: [wireOf('NetworkRequest', '1.3', { port_id: 'x' })] });
const examples = { requested_networks: networks };

test('every field is in the table, once', () => {
  expect(requestSpecFields.map(({ name }) => name).toSorted()).toEqual(novaFields.toSorted());
  expect(new Set(schedulerHints.map(({ name }) => name)).size).toBe(schedulerHints.length);
});

test('unchecked fields cause a warning, whether or not a host is chosen', () => {
  const unchecked = requestSpecFields.filter(({ treatment }) => treatment === 'UNCHECKED').map(({ name }) => name);
  expect(Object.keys(examples).toSorted()).toEqual(unchecked.toSorted());
  expect(subjectsOf(examples)).toEqual({ chosen: unchecked.toSorted(), requested: unchecked.toSorted() });
});

test('cells of the guest count when a host is chosen', () => {
  const numa_topology = wireOf('InstanceNUMATopology', '1.3', { cells: [wireOf('InstanceNUMACell', '1.6', { id: 0 })] });
  expect(subjectsOf({ numa_topology })).toEqual({ chosen: [], requested: ['numa_topology'] });
});

test('empty fields cause no warning', () => {
  const empty = {
    numa_topology: null,
    network_metadata: wireOf('NetworkMetadata', '1.0', { physnets: [], tunneled: false }),
    requested_networks: wireOf('NetworkRequestList', '1.1', { objects: [] }),
    scheduler_hints: {},
    security_groups: wireOf('SecurityGroupList', '1.1', { objects: [wireOf('SecurityGroup', '1.2', { name: 'default' })] }),
    limits: wireOf('SchedulerLimits', '1.0', { vcpu: 4 }),
  };
  expect(subjectsOf(empty)).toEqual({ chosen: [], requested: [] });
});

test('hints for the choice of a host cause a warning in a request alone, and hints for other filters always', () => {
  const known = { same_host: ['a'], different_host: ['b'], build_near_host_ip: ['192.0.2.1'], cidr: ['/24'], group: ['c'] };
  expect(subjectsOf({ scheduler_hints: known })).toEqual({ chosen: [], requested: ['scheduler_hints'] });
  expect(subjectsOf({ scheduler_hints: { query: ['[]'] } })).toEqual({ chosen: ['scheduler_hints'], requested: ['scheduler_hints'] });
});
