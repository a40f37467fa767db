// The requests of an instance's ports. Neutron sends them in the attribute resource_request of each port, in its old or its extended form.
import { invalidInput } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { maxAmount } from '../../domain/inventory.ts';
import { limits } from '../../domain/limits.ts';
import { resourceClassNameFault, traitNameFault } from '../../domain/text.ts';
import { InputCheck } from '../../operations/request/input.ts';
import { parseJson } from '../objects/codec.ts';
import { readRecord } from '../objects/forms/fields.ts';
import { addDeviceProfile, type DeviceProfileGroup } from './device-profiles.ts';
import type { RequestDraft, RequestGroup } from './request-draft.ts';

/** A port as given by a caller. */
export interface Port {
  readonly port: string;
  /** JSON of Neutron's attribute. */
  readonly resourceRequest?: Optional<string>;
  /** Whether a card manages the port instead of the host. */
  readonly remoteManaged?: Optional<boolean>;
  readonly deviceProfile?: Optional<readonly DeviceProfileGroup[]>;
}

/** Adds the groups of ports, and the condition that some must be in one subtree. Refuses INVALID_INPUT below `path`. */
export function addPorts(draft: RequestDraft, ports: readonly Port[], path: Path): void {
  const check = new InputCheck();
  check.size(path, ports, 0, limits.searchGroups);
  for (const [index, { port, resourceRequest, remoteManaged, deviceProfile }] of ports.entries()) {
    const here = [...path, index];
    if (remoteManaged) draft.rootRequired.add('COMPUTE_REMOTE_MANAGED_PORTS');
    if (resourceRequest) addResourceRequest(draft, port, resourceRequest, [...here, 'resourceRequest']);
    if (deviceProfile) addDeviceProfile(draft, deviceProfile, [...here, 'deviceProfile'], port);
  }
}

function addResourceRequest(draft: RequestDraft, port: string, json: string, path: Path): void {
  const parsed = parseJson(json, path);
  // Neutron sends null for a port that requests nothing.
  const request = parsed === null ? {} : readRecord(parsed, path);
  const groups = readList(request.request_groups, [...path, 'request_groups']);
  for (const [index, group] of groups.entries()) {
    const here = [...path, 'request_groups', index];
    const record = readRecord(group, here);
    draft.addForeign(readGroup(readText(record.id, [...here, 'id']), record, here), here);
  }
  if (request.resources !== undefined) draft.addForeign(readGroup(port, request, path), path);
  const subtree = readTexts(request.same_subtree, [...path, 'same_subtree']);
  if (subtree.length > 0) draft.sameSubtree.push({ suffixes: subtree });
}

function readGroup(suffix: string, { resources, required }: Readonly<Record<string, unknown>>, path: Path): RequestGroup {
  const traits = readTexts(required, [...path, 'required']);
  const check = new InputCheck();
  for (const [index, trait] of traits.entries()) {
    const fault = traitNameFault(trait);
    if (fault) check.add([...path, 'required', index], fault);
  }
  const amounts = Object.entries(readRecord(resources, [...path, 'resources'])).map(([resourceClass, amount]) => {
    const here = [...path, 'resources', resourceClass];
    const fault = resourceClassNameFault(resourceClass);
    if (fault) check.add(here, fault);
    if (!Number.isInteger(amount) || Number(amount) < 0 || Number(amount) > maxAmount) {
      check.add(here, `must be a whole number from 0 to ${maxAmount}`);
    }
    return { resourceClass, amount: Number(amount) };
  });
  check.done();
  return { suffix, resources: amounts.filter(({ amount }) => amount > 0), ...(traits.length > 0 ? { traits: [{ allOf: traits }] } : {}) };
}

function readList(json: unknown, path: Path): readonly unknown[] {
  if (json === undefined || json === null) return [];
  if (!Array.isArray(json)) throw invalidInput(path, 'must be a list');
  return json;
}

function readTexts(json: unknown, path: Path): string[] {
  return readList(json, path).map((text, index) => readText(text, [...path, index]));
}

function readText(json: unknown, path: Path): string {
  if (typeof json !== 'string') throw invalidInput(path, 'must be text');
  return json;
}
