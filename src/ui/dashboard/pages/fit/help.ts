// What a nearest miss suggests: the request without what that host lacks, ready to try.
import type { FitRequest, GroupNeeds } from './request.ts';

export interface Miss {
  readonly lacksTraitNames: readonly string[];
  readonly lacks: readonly { readonly amount: number; readonly resourceClass: { readonly name: string } }[];
}

/**
 * Drops missing traits. Lowers the amount of a class that is short by what is missing, in the group that asks for most of it, and drops a class of which nothing
 * remains.
 */
export function without(request: FitRequest, { lacksTraitNames, lacks }: Miss): FitRequest {
  const dropped = new Set(lacksTraitNames);
  const groups = request.groups.map((group) => ({ ...group, traits: needsWithout(group.traits, dropped) }));
  const lowered = lacks.reduce<readonly GroupNeeds[]>((left, { amount, resourceClass }) => lower(left, resourceClass.name, amount), groups);
  return { ...request, groups: lowered, rootTraits: needsWithout(request.rootTraits, dropped) };
}

function needsWithout({ allOf, anyOf, noneOf }: GroupNeeds['traits'], dropped: ReadonlySet<string>): GroupNeeds['traits'] {
  return {
    allOf: allOf.filter((name) => !dropped.has(name)),
    anyOf: anyOf.filter((names) => !names.some((name) => dropped.has(name))),
    noneOf,
  };
}

function lower(groups: readonly GroupNeeds[], resourceClass: string, missing: number): GroupNeeds[] {
  const asked = groups.map(({ resources }) => resources.find((one) => one.resourceClass === resourceClass)?.amount ?? 0);
  const most = asked.indexOf(Math.max(...asked));
  return groups.map((group, index) =>
    index !== most
      ? group
      : {
          ...group,
          resources: group.resources
            .map((one) => (one.resourceClass === resourceClass ? { ...one, amount: one.amount - missing } : one))
            .filter(({ amount }) => amount > 0),
        },
  );
}
