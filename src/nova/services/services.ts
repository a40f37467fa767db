// Nova's services and what their versions allow: a feature that every compute service must know is used only once the lowest version has it.

import { invalidInput } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import { maxNameLength } from '../../domain/text.ts';
import {
  findMinimumVersion,
  listServices,
  reportServiceVersion,
  type ServiceFilterInput,
  type ServiceListArguments,
  type ServiceReported,
} from '../../operations/kept/services.ts';
import { InputCheck } from '../../operations/request/input.ts';
import type { ServicePage } from '../../operations/request/parents.ts';
import type { RequestScope } from '../../operations/request/scope.ts';
import { decodeText } from '../objects/codec.ts';

/** The service on every compute node. */
export const computeProgram = 'nova-compute';

/** From this version on, a compute service keeps its resources in placement alone; before, it kept them in a record of its own. */
export const firstVersionWithInventories = 16;

export interface NovaService {
  readonly host: string;
  /** Such as nova-compute. */
  readonly binary: string;
  readonly version: number;
}

/** A service as a caller gives it: its values, or the JSON text of the versioned object. */
export type ServiceInput = { readonly object?: string | null | undefined } & {
  readonly [Field in keyof NovaService]?: NovaService[Field] | null | undefined;
};

/** Reads a service. Refuses INVALID_INPUT for missing fields, and for both forms at once. */
export function parseService({ object, ...values }: ServiceInput): NovaService {
  const isGiven = (value: unknown) => value !== null && value !== undefined;
  const given = Object.entries(values).find(([, value]) => isGiven(value));
  if (typeof object === 'string' && given) throw invalidInput([given[0]], 'is in the object already: give one or the other');
  const { host, binary, version } = typeof object === 'string' ? decodeText('Service', object, ['object']).fields : values;
  const missing = Object.entries({ host, binary, version }).find(([, value]) => !isGiven(value));
  if (missing) throw invalidInput([missing[0]], `${missing[0]} must be given`);
  const check = new InputCheck();
  check.text(['binary'], binary, maxNameLength);
  if (binary?.includes('/')) check.add(['binary'], 'binary is the name of the program without its folder');
  check.done();
  return { host: host ?? '', binary: binary ?? '', version: version ?? 0 };
}

/** Records the version of a service; the same version again is one statement and writes nothing. Refuses INVALID_INPUT. */
export async function reportService(scope: RequestScope, { host, binary, version }: NovaService): Promise<ServiceReported> {
  return reportServiceVersion(scope, { host, program: binary, version }, computeProgram);
}

/** Forgets a service that was removed, so that its old version no longer disables features. Nothing changes when it was not known. Refuses INVALID_INPUT. */
export async function removeService(scope: RequestScope, { host, binary }: Omit<NovaService, 'version'>): Promise<ServiceReported> {
  return reportServiceVersion(scope, { host, program: binary, version: null }, computeProgram);
}

/** The lowest version of any compute; null when none has reported. One statement. */
export async function minimumComputeVersion(scope: RequestScope): Promise<number | null> {
  return findMinimumVersion(scope, computeProgram);
}

/** Conditions in Nova's words. */
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
