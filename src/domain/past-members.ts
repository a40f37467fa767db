// The members of a tree or an aggregate at past moments: the current members, with later changes undone.

/** The set whose members are meant: a provider with its descendants, or the trees whose root is in an aggregate, without sharing providers. */
export interface MemberSubject {
  readonly noun: 'tree' | 'aggregate';
  readonly key: string;
}

/** The facts on which membership depends. */
export interface Membership {
  readonly parent: string | null;
  /** Whether the provider itself is in the aggregate. */
  readonly isIn: boolean;
  readonly isSharing: boolean;
}

/** A change of these facts by an event: the previous values of those that changed. */
export interface MembershipChange {
  readonly provider: string;
  /** The number of moments before the change. */
  readonly since: number;
  readonly existed: boolean;
  readonly before: Partial<Membership>;
}

/** A provider, and the first and last of consecutive moments at which it was a member. */
export interface MemberSpan {
  readonly provider: string;
  readonly first: number;
  readonly last: number;
}

type States = Map<string, Membership>;

/** The spans of all members over `count` moments in ascending order; the changes are given newest first. */
export function spansOfMembers(
  subject: MemberSubject,
  count: number,
  current: ReadonlyMap<string, Membership>,
  changes: readonly MembershipChange[],
): MemberSpan[] {
  const states: States = new Map(current);
  const spans: MemberSpan[] = [];
  /** By member: the last moment of the span that is still open towards the past. */
  const open = new Map<string, number>();
  let undone = 0;
  for (let moment = count - 1; moment >= 0; moment--) {
    const before = undone;
    for (let change = changes[undone]; change && change.since > moment; change = changes[++undone]) undo(states, change);
    if (undone === before && moment < count - 1) continue;
    const members = membersIn(states, subject);
    for (const [provider, last] of open) {
      if (members.has(provider)) continue;
      spans.push({ provider, first: moment + 1, last });
      open.delete(provider);
    }
    for (const provider of members) if (!open.has(provider)) open.set(provider, moment);
  }
  return [...spans, ...[...open].map(([provider, last]) => ({ provider, first: 0, last }))];
}

function undo(states: States, { provider, existed, before }: MembershipChange): void {
  if (existed) states.set(provider, { parent: null, isIn: false, isSharing: false, ...states.get(provider), ...before });
  else states.delete(provider);
}

function membersIn(states: ReadonlyMap<string, Membership>, { noun, key }: MemberSubject): ReadonlySet<string> {
  /** By provider: whether it is at or below a provider that counts. */
  const counted = new Map<string, boolean>();
  const counts = (provider: string): boolean => {
    const line: string[] = [];
    let answer: boolean | undefined;
    for (let at: string | null = provider; answer === undefined; at = states.get(at)?.parent ?? null) {
      const state: Membership | undefined = at === null ? undefined : states.get(at);
      if (at === null || !state) answer = false;
      else if (noun === 'tree' && at === key) answer = true;
      else if (noun === 'aggregate' && state.parent === null) answer = state.isIn;
      else answer = counted.get(at);
      if (at === null) break;
      line.push(at);
    }
    for (const one of line) counted.set(one, answer === true);
    return answer === true;
  };
  const members = new Set<string>();
  for (const [provider, { isSharing }] of states) if (counts(provider) && !(noun === 'aggregate' && isSharing)) members.add(provider);
  return members;
}
