// Requests to Placement as Nova's scheduler sends them: for flavors and RequestSpecs, restricted to Nova's providers once every compute service reports
// owners.
import { invalidProblem, Refusal } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import type { CandidatesInput } from '../../operations/candidates/requests.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { listComputeNodes } from '../compute-nodes/compute-nodes.ts';
import { type FlavorRequest, flavorToRequest, type RequestFacts } from '../flavors/flavor-request.ts';
import { type Flavor, type FlavorInput, parseFlavor } from '../flavors/flavors.ts';
import type { Prefilters } from '../flavors/prefilters.ts';
import type { RequestGroup } from '../flavors/request-draft.ts';
import { decodeText } from '../objects/codec.ts';
import { ownerNova, requiresOwner, withOwner } from '../services/owners.ts';
import {
  type Cloud,
  type CloudQuestion,
  type NovaSettings,
  type PlaceOfInstance,
  readCloud,
  settledDevices,
  settledPrefilters,
} from '../settings/nova-settings.ts';
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
  extends Omit<RequestFacts, 'imageProperties' | 'pciRequests' | 'rootRequired' | 'rootForbidden' | 'aggregates'>,
    PlaceOfInstance {
  readonly flavor: FlavorInput;
  readonly imageProperties?: Optional<readonly Property[]>;
}

export interface RequestSpecToRequestInput extends RequestSpecSettings {
  /** JSON of the object. */
  readonly requestSpec: string;
}

/** A request with its fallback and the devices that are not in it; see FlavorRequest. */
export type TranslatedRequest = Pick<FlavorRequest, 'request' | 'fallback' | 'guest' | 'devices' | 'warnings'>;

/** A request, and what applies to the choice of a host. */
export interface TranslatedChoice extends TranslatedRequest {
  readonly settings: NovaSettings;
  /** Those of the pre-filters. */
  readonly hostAggregates: NonNullable<Prefilters['hostAggregates']>;
  /** What a RequestSpec says about hosts. */
  readonly choice: SpecChoice | null;
}

/** The request of a flavor. One statement. Refuses INVALID_INPUT. */
export async function translateFlavor(
  scope: RequestScope,
  input: FlavorToRequestInput,
  question: CloudQuestion = {},
): Promise<TranslatedChoice> {
  const { flavor, imageProperties, availabilityZone, project, ...facts } = input;
  const parsed = parseFlavor(flavor, ['flavor']);
  const properties = imageProperties && readProperties(imageProperties, ['imageProperties']);
  const cloud = await readCloud(scope, question);
  const prefilters = settledPrefilters(facts.prefilters, cloud.settings, { availabilityZone, project });
  const settled = { ...settledDevices(parsed, facts, cloud.settings), prefilters };
  const asked = flavorToRequest(parsed, { ...facts, ...settled, imageProperties: properties });
  return { ...ownedBy(cloud, asked), settings: cloud.settings, hostAggregates: prefilters?.hostAggregates ?? [], choice: null };
}

/** The request of a RequestSpec. At most two statements. Refuses INVALID_INPUT, also for an unknown destination. */
export async function translateRequestSpec(scope: RequestScope, input: RequestSpecToRequestInput): Promise<TranslatedRequest> {
  const { spec, read, cloud } = await readSpec(scope, input, {});
  const found = read.target && (await findTarget(scope, read.target));
  const { request, fallback, guest, devices, warnings } = requestOfSpec(cloud, read);
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
  input: RequestSpecToRequestInput,
  otherGroups: readonly RequestGroup[],
  question: CloudQuestion,
): Promise<TranslatedChoice> {
  const { read, cloud } = await readSpec(scope, input, question);
  const facts = { ...read.facts, otherGroups: [...(read.facts.otherGroups ?? []), ...otherGroups] };
  const warnings = [...read.warnings, ...read.choice.hints.warnings];
  return {
    ...requestOfSpec(cloud, { ...read, facts, warnings }),
    settings: cloud.settings,
    hostAggregates: facts.prefilters?.hostAggregates ?? [],
    choice: read.choice,
  };
}

const specPath = ['requestSpec'];

async function readSpec(
  scope: RequestScope,
  { requestSpec, pciInPlacement, prefilters }: RequestSpecToRequestInput,
  question: CloudQuestion,
) {
  const spec = decodeText('RequestSpec', requestSpec, specPath);
  const { root_required: allOf } = spec.fields.request_level_params?.fields ?? {};
  const cloud = await readCloud(scope, { ...question, isOwned: requiresOwner({ groups: [], rootTraits: [{ allOf }] }, ownerNova) });
  const settings = {
    pciInPlacement: pciInPlacement || cloud.settings.pciPassthrough?.inPlacement,
    prefilters: settledPrefilters(prefilters, cloud.settings, {}),
  };
  return { spec, cloud, read: readRequestSpec(spec, settings, specPath) };
}

function requestOfSpec(cloud: Cloud, { flavor, facts, pciGroups, portDevices, networks, warnings }: ReadRequestSpec): TranslatedRequest {
  const asked = placed(flavor, { ...facts, ...settledDevices(flavor, facts, cloud.settings) }, [...specPath, 'nova_object.data']);
  const groups = { flavorGroups: [...asked.flavorGroups, ...pciGroups], pciGroups: [...asked.pciGroups, ...pciGroups] };
  const owned = ownedBy(cloud, { ...asked, ...groups });
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
export async function ownedRequest(scope: RequestScope, asked: FlavorRequest): Promise<TranslatedRequest> {
  return ownedBy(await readCloud(scope, { isOwned: requiresOwner(asked.request, ownerNova) }), asked);
}

function ownedBy({ versions }: Pick<Cloud, 'versions'>, asked: FlavorRequest): TranslatedRequest {
  const { request, fallback, flavorGroups, pciGroups, guest, devices, warnings } = asked;
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
