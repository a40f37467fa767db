// Owners of providers: the trait OWNER_<service>. Two services may offer the same class in one tree, and a request for one must not be served by the
// other. Placement does not enforce this, so this file adds the condition to requests.
import { sharingTrait } from '../../domain/provider.ts';
import type { ProgramVersions, RootSample } from '../../domain/service.ts';
import { standardTraits } from '../../domain/standard-traits.ts';
import type { CandidatesInput } from '../../operations/candidates/requests.ts';
import type { RequestWarning } from '../terms/request-warnings.ts';

/** The trait of every provider that this gateway creates for Nova. */
export const ownerNova = 'OWNER_NOVA';

/** From this version on, compute services set their owner trait on all their providers. */
export const firstVersionWithOwner = 73;

const isOwner = (trait: string) => trait.startsWith('OWNER_');
const owners = standardTraits.filter(isOwner);

/** A request restricted to its owner, or the request unchanged with the reason why. */
export interface OwnedRequest<Request> {
  readonly request: Request;
  readonly warnings: readonly RequestWarning[];
}

/** Groups by their suffixes; those of ports and device profiles are in neither list. */
interface NovaGroups {
  /** Those of a flavor, '' for the unsuffixed one; all groups if omitted. */
  readonly flavorGroups?: readonly string[];
  /** Those of its PCI devices. */
  readonly pciGroups?: readonly string[];
}

/**
 * Restricts a request to the resources of `owner`, as Nova does: the tree must be the owner's; the unsuffixed group and those of PCI devices take from the
 * owner's providers or from pools. The other groups of a flavor also take from providers without an owner, such as those that an operator has added to a host.
 * None takes from another owner. Groups of others, and groups that name an owner themselves, stay unchanged. While some compute service may not yet report
 * owners, the request stays unchanged, with a warning, unless it already requires the owner of the tree. Nodes of unknown version count as old, because a
 * restricted request would exclude them.
 *
 * Several providers may serve the unsuffixed group, and a trait that it requires may be on any of them. The traits of other owners are therefore
 * forbidden as well: otherwise the owner trait of the host would admit a device of another owner.
 */
export function withOwner<Request extends CandidatesInput>(
  request: Request,
  owner: string,
  versions: ProgramVersions,
  { flavorGroups = request.groups.map(({ suffix }) => suffix ?? ''), pciGroups = [] }: NovaGroups = {},
): OwnedRequest<Request> {
  const isRequired = requiresOwner(request, owner);
  const closed = isRequired ? null : reasonForClosedGate(versions);
  if (closed !== null) {
    const message = `Owners were not checked: this needs version ${firstVersionWithOwner} of every compute service, but ${closed}.`;
    return { request, warnings: [{ code: 'OWNERS_NOT_CHECKED', message, subject: null }] };
  }
  const noneOf = owners.filter((other) => other !== owner);
  const groups = request.groups.map((group) => {
    const clauses = group.traits ?? [];
    const namesOwner = clauses.some(({ allOf, anyOf, noneOf }) => [allOf, anyOf, noneOf].some((names) => names?.some(isOwner)));
    if (namesOwner || !flavorGroups.includes(group.suffix ?? '')) return group;
    const isOwned = !group.suffix || pciGroups.includes(group.suffix);
    return { ...group, traits: [...clauses, isOwned ? { anyOf: [owner, sharingTrait], noneOf } : { noneOf }] };
  });
  const ofRoot = isRequired ? [] : [{ allOf: [owner] }];
  return {
    request: { ...request, groups, rootTraits: [...(request.rootTraits ?? []), ...ofRoot] },
    warnings: hiddenHosts(versions, owner),
  };
}

/** Whether a request itself requires the owner of the tree; then it applies whatever the versions are. */
export function requiresOwner({ rootTraits }: CandidatesInput, owner: string): boolean {
  return (rootTraits ?? []).some(({ allOf }) => allOf?.includes(owner));
}

/** Why owners are not checked; null if every compute service reports owners. */
function reasonForClosedGate({ minimum, unknown }: ProgramVersions): string | null {
  if (minimum === null) return 'no compute has reported its version';
  if (minimum < firstVersionWithOwner) return `the oldest has ${minimum}`;
  return unknown.count > 0 ? `that of ${called(unknown)} is unknown` : null;
}

function hiddenHosts({ unowned }: ProgramVersions, owner: string): RequestWarning[] {
  if (unowned.count === 0) return [];
  const message = `Excluded because they lack the trait ${owner}, which they should report: ${called(unowned)}.`;
  return [{ code: 'HOSTS_WITHOUT_OWNER', message, subject: null }];
}

/** Compute nodes in words. */
export function called({ count, names }: RootSample): string {
  const others = count - names.length;
  return `${count === 1 ? 'the compute node' : `${count} compute nodes:`} ${names.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}
