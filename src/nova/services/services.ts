// Nova's services and the features that their versions allow: a feature that every compute service must support is used only once the lowest version
// supports it.

import { relabel } from '../../domain/errors.ts';
import type { FilterInput, Groups, Optional } from '../../domain/input.ts';
import type { ProgramVersions, ServiceFilter } from '../../domain/service.ts';
import {
  findMinimumVersion,
  findProgramVersions,
  listServices,
  reportServiceState,
  type ServiceListArguments,
  type ServiceReported,
} from '../../operations/records/services.ts';
import { mapFilter } from '../../operations/request/filter-groups.ts';
import { InputCheck } from '../../operations/request/input.ts';
import type { ServicePage } from '../../operations/request/parents.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { decodeText } from '../objects/codec.ts';
import type { Given } from '../objects/given.ts';
import { computeNodeKind, computeNodeTrait, computeProgram, disabledTrait, settingsKind } from './compute-program.ts';

/** A report about a service; omitted fields stay unchanged. */
export interface NovaService {
  readonly host: string;
  /** Such as nova-compute. */
  readonly binary: string;
  readonly version?: Optional<number>;
  readonly disabled?: Optional<boolean>;
  readonly disabledReason?: Optional<string>;
  readonly forcedDown?: Optional<boolean>;
}

/** The trait by which Nova's pre-filter excludes nodes; it follows the known state of their service. */
const mark = { trait: disabledTrait, kind: computeNodeKind, of: computeNodeTrait };

/**
 * Records the state of a service, and marks its nodes accordingly. An unchanged report is one statement and writes nothing. A versioned object with `deleted`
 * removes the service. Refuses INVALID_INPUT below `service`.
 */
export async function reportService(scope: RequestScope, { object, fields }: Given<NovaService>): Promise<ServiceReported> {
  const place = object === undefined ? ['service', 'fields'] : ['service', 'object', 'nova_object.data'];
  const { isDeleted, ...service } = object === undefined ? { ...fields, isDeleted: false } : readService(object);
  const { host, binary, version, disabled, disabledReason, forcedDown } = service;
  const check = new InputCheck();
  for (const [field, value] of Object.entries({ host, binary })) {
    if (value === null || value === undefined) check.add([...place, field], 'is missing');
  }
  check.done();
  const report = {
    ...{ host: host ?? '', program: binary ?? '', minimumOf: computeProgram },
    ...(isDeleted ? { version: null } : typeof version === 'number' ? { version } : {}),
    ...(typeof disabled === 'boolean' ? { disabled } : {}),
    ...(typeof disabledReason === 'string' ? { disabledReason } : {}),
    ...(typeof forcedDown === 'boolean' ? { forcedDown } : {}),
    ...(binary === computeProgram ? { mark } : {}),
  };
  return relabel(
    () => reportServiceState(scope, report),
    ({ path }) => [...place, ...path.map((field) => (object === undefined ? namesOfFields : namesInObject)[field] ?? field)],
  );
}

const namesOfFields: Readonly<Record<string, string>> = { program: 'binary' };
const namesInObject: Readonly<Record<string, string>> = { ...namesOfFields, disabledReason: 'disabled_reason' };

function readService(object: string) {
  const { host, binary, version, disabled, disabled_reason, forced_down, deleted } = decodeText('Service', object, [
    'service',
    'object',
  ]).fields;
  return { host, binary, version, disabled, disabledReason: disabled_reason, forcedDown: forced_down, isDeleted: deleted ?? false };
}

/** Deletes a service that was removed, so that its old version does not hold back features. Refuses INVALID_INPUT, NOT_FOUND. */
export async function deleteService(scope: RequestScope, { host, binary }: Pick<NovaService, 'host' | 'binary'>): Promise<ServiceReported> {
  return reportServiceState(scope, { host, program: binary, version: null, minimumOf: computeProgram, mustExist: true });
}

/** The lowest version of the compute services that report one and are not forced down; null if there are none. One statement. */
export async function minimumComputeVersion(scope: RequestScope): Promise<number | null> {
  return findMinimumVersion(scope, computeProgram);
}

/**
 * The versions of the compute services, the settings, and the nodes without a version or without the trait `owner`, which all nodes should have; nodes are not
 * examined while the lowest version is below `from`.
 */
export async function computeVersions(scope: RequestScope, owner: string, from: number): Promise<ProgramVersions> {
  return findProgramVersions(scope, {
    ...{ program: computeProgram, kind: computeNodeKind, trait: computeNodeTrait, owner, from },
    settings: settingsKind,
  });
}

/** Conditions with Nova's names. */
type NovaServiceFilter = Omit<FilterInput<ServiceFilter>, 'programs' | keyof Groups<unknown>> & {
  readonly binaries?: Optional<readonly string[]>;
} & Groups<NovaServiceFilter>;

/** A page of the services that meet all conditions. Refuses INVALID_INPUT. */
export function listNovaServices(
  scope: RequestScope,
  { filter, ...args }: Omit<ServiceListArguments, 'filter'> & { readonly filter?: Optional<NovaServiceFilter> },
): Promise<ServicePage> {
  const wanted = mapFilter<NovaServiceFilter, FilterInput<ServiceFilter>>(filter ?? {}, ({ binaries, ...own }) => ({
    ...own,
    programs: binaries,
  }));
  return relabel(
    () => listServices(scope, { ...args, filter: wanted }),
    ({ path }) => path.map((field) => (field === 'programs' ? 'binaries' : field)),
  );
}
