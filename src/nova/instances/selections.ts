// A host selected for an instance, or an alternate, with everything needed to claim it later; also as the versioned object that schedulers and conductors
// pass on. A selection reserves nothing.
import type { AllocationInput } from '../../domain/allocation.ts';
import { invalidInput } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import type { Aggregate } from '../../domain/provider.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { parseClaimToken } from '../../operations/allocations/claim-token.ts';
import { allocationsOf, type FoundCandidate } from '../../operations/candidates/candidates.ts';
import { decodeText, encodeObject, makeObject, parseJson } from '../objects/codec.ts';
import { integer, readRecord } from '../objects/forms/fields.ts';
import { called } from '../services/owners.ts';
import type { RequestWarning } from '../terms/request-warnings.ts';

export interface Selection {
  /** Null if no cells are known, or the node is in none of them. */
  readonly cell: Aggregate | null;
  readonly candidate: FoundCandidate;
  /** JSON text of a Selection. */
  readonly object: string;
}

/** A selection given back by a caller: exactly one of its claim token and the versioned object. */
export interface SelectionInput {
  readonly claimToken?: Optional<string>;
  readonly object?: Optional<string>;
}

/** The microversion of the stored allocation request. The claiming service adds the consumer. */
const requestVersion = '1.36';
/** Before this microversion, allocations were a list. */
const oldestVersion = 12;

/** Nova's cell0, which has no hosts: its uuid stands for an unknown cell, because Nova cannot read an object without one. */
const cellZero = '00000000-0000-0000-0000-000000000000';

interface SelectedPlace {
  readonly cell: Aggregate | null;
  readonly serviceHost: string;
  /** The cell that a RequestSpec is bound to: stands for an unknown one. */
  readonly boundCell: string | null;
}

/** A candidate as a selection, with its cell if it is in one. */
export function describeSelection(candidate: FoundCandidate, { cell, serviceHost, boundCell }: SelectedPlace): Selection {
  const { root } = candidate;
  const object = makeObject('Selection', {
    compute_node_uuid: root.uuid,
    service_host: serviceHost,
    nodename: root.name,
    cell_uuid: cell?.uuid ?? boundCell ?? cellZero,
    limits: null,
    allocation_request: JSON.stringify(renderRequest(candidate)),
    allocation_request_version: requestVersion,
    availability_zone: null,
  });
  return { cell, candidate, object: JSON.stringify(encodeObject(object)) };
}

/** Warns of selections whose cell is unknown. */
export function warningsOfCells(selections: readonly Selection[], boundCell: string | null): RequestWarning[] {
  const names = [...new Set(selections.flatMap(({ cell, candidate }) => (cell ? [] : candidate.root.name)))];
  if (names.length === 0) return [];
  const stand = boundCell === null ? `${cellZero}, that of cell0, which has no hosts` : `${boundCell}, to which the RequestSpec is bound`;
  const message = `In none of the known cells: ${called({ count: names.length, names: names.slice(0, 5) })}. In the object of a Selection, cell_uuid is ${stand}.`;
  return [{ code: 'CELL_UNKNOWN', message, subject: null }];
}

function renderRequest(candidate: FoundCandidate) {
  const allocations = allocationsOf(candidate).map(({ resourceProvider, resources }) => {
    const amounts = Object.fromEntries(resources.map(({ resourceClass, amount }) => [resourceClass, amount]));
    return [resourceProvider, { resources: amounts }];
  });
  const mappings = candidate.mappings.map(({ suffix, resourceProviders }) => [suffix, resourceProviders.map(({ uuid }) => uuid)]);
  return { allocations: Object.fromEntries(allocations), mappings: Object.fromEntries(mappings) };
}

/** The allocations of a selection. Refuses INVALID_INPUT below `path` for a malformed selection. */
export function parseSelection({ claimToken, object }: SelectionInput, path: Path): readonly AllocationInput[] {
  if ((typeof claimToken === 'string') === (typeof object === 'string')) {
    throw invalidInput(path, 'must have exactly one of claimToken and object');
  }
  if (typeof object === 'string') return parseStored(object, [...path, 'object']);
  const allocations = parseClaimToken(claimToken ?? '');
  if (!allocations) throw invalidInput([...path, 'claimToken'], 'claimToken is not the token of a candidate');
  return allocations;
}

function parseStored(json: string, path: Path): AllocationInput[] {
  const { fields } = decodeText('Selection', json, path);
  const here = [...path, 'nova_object.data', 'allocation_request'];
  const [, minor] = /^1\.(\d+)$/.exec(fields.allocation_request_version ?? '') ?? [];
  if (Number(minor ?? -1) < oldestVersion)
    throw invalidInput([...here.slice(0, -1), 'allocation_request_version'], 'must be 1.12 or later');
  if (typeof fields.allocation_request !== 'string') throw invalidInput(here, 'is missing');
  const { allocations } = readRecord(parseJson(fields.allocation_request, here), here);
  const byProvider = readRecord(allocations, [...here, 'allocations']);
  return Object.entries(byProvider).map(([key, allocation]) => {
    const at = [...here, 'allocations', key];
    const provider = parseUuid(key);
    if (provider === null) throw invalidInput(at, 'must be a uuid');
    const amounts = readRecord(readRecord(allocation, at).resources, [...at, 'resources']);
    const resources = Object.entries(amounts).map(([resourceClass, amount]) => ({
      resourceClass,
      amount: integer.read(amount, [...at, 'resources', resourceClass]),
    }));
    return { resourceProvider: provider, resources };
  });
}
