// Quotas: what the consumers of a project may hold.
import type { Optional } from './input.ts';

/** What a quota is about. It does not depend on what is null; without a class it is about the number of consumers. */
export interface QuotaSubject {
  readonly user: string | null;
  readonly consumerType: string | null;
  readonly resourceClass: string | null;
  /** The uuid of an aggregate: only what is held on providers of trees whose root is in it. Absent or null for what is held anywhere. */
  readonly aggregate?: string | null;
}

/** A quota as it was set. */
export interface Quota extends QuotaSubject {
  /** In units of the class; null without a bound. */
  readonly amount: number | null;
}

/** The quotas of a project, or the defaults, with the number of their replacements. */
export interface QuotaSettings {
  readonly generation: number;
  /** The project above. */
  readonly parent: string | null;
  readonly quotas: readonly Quota[];
}

/** A quota that applies to a project, its own or that of the project above, and what is used of it. */
export interface QuotaUse extends Quota {
  /** The project whose quota it is. */
  readonly project: string;
  readonly isDefault: boolean;
  readonly used: number;
}

/** To whom consumers belong, as quotas distinguish them. */
export interface QuotaOwner {
  readonly user?: Optional<string>;
  readonly consumerType?: Optional<string>;
}

/** Whether a quota of their project bounds the consumers of an owner. */
export function bounds({ amount, ...of }: Quota, { user, consumerType }: QuotaOwner): boolean {
  return amount !== null && (of.user === null || of.user === user) && (of.consumerType === null || of.consumerType === consumerType);
}

/** What can still be claimed. */
export function leftOf({ amount, used }: QuotaUse): number {
  return amount === null ? Number.POSITIVE_INFINITY : Math.max(amount - used, 0);
}

/** What a quota is about, in words. */
export function wordsOfQuota({ user, consumerType, resourceClass, aggregate }: QuotaSubject): string {
  const what = resourceClass ?? 'consumers';
  const owner = `${consumerType === null ? '' : ` of type ${consumerType}`}${user === null ? '' : ` of user ${user}`}`;
  return `${what}${owner}${aggregate ? ` in aggregate ${aggregate}` : ''}`;
}
