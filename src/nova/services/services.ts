// Nova's services and the features that their versions allow: a feature that every compute service must support is used only once the lowest version
// has it.

import { relabel } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import {
  findMinimumVersion,
  listServices,
  reportServiceVersion,
  type ServiceFilterInput,
  type ServiceListArguments,
  type ServiceReported,
} from '../../operations/records/services.ts';
import { InputCheck } from '../../operations/request/input.ts';
import type { ServicePage } from '../../operations/request/parents.ts';
import type { RequestScope } from '../../operations/request/scope.ts';
import { decodeText } from '../objects/codec.ts';
import type { Given } from '../objects/given.ts';

/** The service that runs on every compute node. */
export const computeProgram = 'nova-compute';

/** From this version on, a compute service keeps its resources in placement only; before, it kept them in a record of its own. */
export const firstVersionWithInventories = 16;

export interface NovaService {
  readonly host: string;
  /** Such as nova-compute. */
  readonly binary: string;
  readonly version: number;
}

/** Records the version of a service; an unchanged version is one statement and writes nothing. Refuses INVALID_INPUT below `service`. */
export async function reportService(scope: RequestScope, { object, fields }: Given<NovaService>): Promise<ServiceReported> {
  const place = object === undefined ? ['service', 'fields'] : ['service', 'object', 'nova_object.data'];
  const { host, binary, version } = object === undefined ? fields : decodeText('Service', object, ['service', 'object']).fields;
  const check = new InputCheck();
  for (const [field, value] of Object.entries({ host, binary, version })) {
    if (value === null || value === undefined) check.add([...place, field], 'is missing');
  }
  check.done();
  return relabel(
    () => reportServiceVersion(scope, { host: host ?? '', program: binary ?? '', version: version ?? 0 }, computeProgram),
    ({ path }) => [...place, ...path.map((field) => (field === 'program' ? 'binary' : field))],
  );
}

/** Forgets a removed service, so that its old version no longer disables features. Does nothing for an unknown one. Refuses INVALID_INPUT. */
export async function removeService(scope: RequestScope, { host, binary }: Omit<NovaService, 'version'>): Promise<ServiceReported> {
  return reportServiceVersion(scope, { host, program: binary, version: null }, computeProgram);
}

/** The lowest version of any compute service; null when none has reported. One statement. */
export async function minimumComputeVersion(scope: RequestScope): Promise<number | null> {
  return findMinimumVersion(scope, computeProgram);
}

/** Conditions with Nova's names. */
export type NovaServiceFilter = Omit<ServiceFilterInput, 'programs'> & { readonly binaries?: ServiceFilterInput['programs'] };

/** A page of the services that meet all conditions. Refuses INVALID_INPUT. */
export async function listNovaServices(
  scope: RequestScope,
  { filter, ...args }: Omit<ServiceListArguments, 'filter'> & { readonly filter?: NovaServiceFilter | null | undefined },
): Promise<ServicePage> {
  const { binaries, ...others } = filter ?? {};
  const check = new InputCheck();
  check.size(['filter', 'binaries'], binaries ?? [], 0, limits.filterKeys);
  check.texts(['filter', 'binaries'], binaries);
  check.done();
  return listServices(scope, { ...args, filter: { ...others, programs: binaries } });
}
