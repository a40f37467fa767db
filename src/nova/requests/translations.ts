// Requests to Placement as Nova's scheduler sends them: for flavors and RequestSpecs, restricted to Nova's providers once every compute service reports
// owners.
import { invalidProblem, Refusal } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import type { CandidatesInput } from '../../operations/candidates/requests.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { listComputeNodes } from '../compute-nodes/compute-nodes.ts';
import { type FlavorRequest, flavorToRequest, type RequestFacts } from '../flavors/flavor-request.ts';
import { type Flavor, type FlavorInput, parseFlavor } from '../flavors/flavors.ts';
import type { RequestGroup } from '../flavors/request-draft.ts';
import { decodeText } from '../objects/codec.ts';
import { firstVersionWithOwner, ownerNova, requiresOwner, withOwner } from '../services/owners.ts';
import { computeVersions } from '../services/services.ts';
import { type Property, readProperties } from '../terms/properties.ts';
import { type RequestWarning, withoutCells } from '../terms/request-warnings.ts';
import {
  type ReadRequestSpec,
  type RequestSpecSettings,
  readRequestSpec,
  type SpecChoice,
  type Target,
  warningsOfRequest,
} from './request-specs.ts';

export interface FlavorToRequestInput
  extends Omit<RequestFacts, 'imageProperties' | 'pciRequests' | 'rootRequired' | 'rootForbidden' | 'aggregates'> {
  readonly flavor: FlavorInput;
  readonly imageProperties?: Optional<readonly Property[]>;
}

export interface RequestSpecToRequestInput extends RequestSpecSettings {
  /** JSON of the object. */
  readonly requestSpec: string;
}

/** A request with its fallback and the devices that are not in it; see FlavorRequest. */
export type TranslatedRequest = Pick<FlavorRequest, 'request' | 'fallback' | 'guest' | 'devices' | 'warnings'>;

/** The request of a flavor. One statement. Refuses INVALID_INPUT. */
export async function translateFlavor(
  scope: RequestScope,
  { flavor, imageProperties, ...facts }: FlavorToRequestInput,
): Promise<TranslatedRequest> {
  const properties = imageProperties && readProperties(imageProperties, ['imageProperties']);
  return ownedRequest(scope, flavorToRequest(parseFlavor(flavor, ['flavor']), { ...facts, imageProperties: properties }));
}

/** The request of a RequestSpec. At most two statements. Refuses INVALID_INPUT, also for an unknown destination. */
export async function translateRequestSpec(
  scope: RequestScope,
  { requestSpec, ...settings }: RequestSpecToRequestInput,
): Promise<TranslatedRequest> {
  const spec = decodeText('RequestSpec', requestSpec, specPath);
  const read = readRequestSpec(spec, settings, specPath);
  const found = read.target && (await findTarget(scope, read.target));
  const { request, fallback, guest, devices, warnings } = await requestOfSpec(scope, read);
  const node = found?.node ?? null;
  return {
    request: inTreeOf(request, node),
    fallback: fallback && inTreeOf(fallback, node),
    guest,
    devices,
    warnings: [...warningsOfRequest(spec), ...(found?.warnings ?? []), ...warnings],
  };
}

/** The request of a RequestSpec, and what it says about hosts, for callers that choose hosts themselves. One statement. Refuses INVALID_INPUT. */
export async function translateChoice(
  scope: RequestScope,
  { requestSpec, ...settings }: RequestSpecToRequestInput,
  otherGroups: readonly RequestGroup[],
): Promise<TranslatedRequest & { readonly choice: SpecChoice }> {
  const read = readRequestSpec(decodeText('RequestSpec', requestSpec, specPath), settings, specPath);
  const facts = { ...read.facts, otherGroups: [...(read.facts.otherGroups ?? []), ...otherGroups] };
  const warnings = [...read.warnings, ...read.choice.hints.warnings];
  return { ...(await requestOfSpec(scope, { ...read, facts, warnings })), choice: read.choice };
}

const specPath = ['requestSpec'];

async function requestOfSpec(
  scope: RequestScope,
  { flavor, facts, pciGroups, portDevices, networks, warnings }: ReadRequestSpec,
): Promise<TranslatedRequest> {
  const asked = placed(flavor, facts, [...specPath, 'nova_object.data']);
  const groups = { flavorGroups: [...asked.flavorGroups, ...pciGroups], pciGroups: [...asked.pciGroups, ...pciGroups] };
  const owned = await ownedRequest(scope, { ...asked, ...groups });
  const guest = owned.guest && { ...owned.guest, networks };
  const known = guest ? warnings : withoutCells(warnings);
  return { ...owned, guest, devices: [...owned.devices, ...portDevices], warnings: [...known, ...owned.warnings] };
}

/** Translates the flavor, with the paths of refusals converted to the fields of the spec. */
function placed(flavor: Flavor, facts: RequestFacts, path: Path): FlavorRequest {
  try {
    return flavorToRequest(flavor, facts);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw error.relabelled(({ path: [part, ...rest] }) => {
      if (part === 'otherGroups') return [...path, 'requested_resources', ...rest.slice(0, 1), 'nova_object.data', 'requester_id'];
      if (part === 'imageTraits') return [...path, 'image'];
      return part === 'flavor' ? [...path, part] : [part ?? '', ...rest];
    });
  }
}

/** A request and its fallback, restricted to Nova's providers once every compute service reports owners. One statement. */
export async function ownedRequest(
  scope: RequestScope,
  { request, fallback, flavorGroups, pciGroups, guest, devices, warnings }: FlavorRequest,
): Promise<TranslatedRequest> {
  const versions = await computeVersions(scope, ownerNova, requiresOwner(request, ownerNova) ? 0 : firstVersionWithOwner);
  const owned = withOwner(request, ownerNova, versions, { flavorGroups, pciGroups });
  return {
    request: owned.request,
    fallback: fallback && withOwner(fallback, ownerNova, versions, { flavorGroups, pciGroups }).request,
    guest,
    devices,
    warnings: [...warnings, ...owned.warnings],
  };
}

/** The required node; null with a warning if the host has several nodes, because a request can name only one. One statement. */
async function findTarget(scope: RequestScope, { host, node, path }: Target) {
  const filter = { ...(host ? { hosts: [host] } : {}), ...(node ? { names: [node] } : {}) };
  const { rows } = await listComputeNodes(scope, { filter, first: 2 });
  const [only, another] = rows;
  const called = [host ? `host ${host}` : '', node ? `node ${node}` : ''].filter(Boolean).join(', ');
  if (!only) throw new Refusal([invalidProblem(path, `names no known compute node: ${called}`)]);
  const warnings: RequestWarning[] = another
    ? [
        {
          code: 'REQUEST_SPEC_NOT_CHECKED',
          subject: String(path.at(-1)),
          message: `the ${called} has several nodes, so the request is not limited to it`,
        },
      ]
    : [];
  return { node: another ? null : only.uuid, warnings };
}

/** Binds the group without suffix to the node, and thereby all groups to its host, because groups share a root. Without such a group, binds each group. */
function inTreeOf(request: CandidatesInput, node: string | null): CandidatesInput {
  if (node === null) return request;
  const isAnyPlain = request.groups.some(({ suffix }) => !suffix);
  return { ...request, groups: request.groups.map((group) => (group.suffix && isAnyPlain ? group : { ...group, inTrees: [node] })) };
}
