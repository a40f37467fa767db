// The values behind GraphQL types that are not rows: pages, and projects and users, which are just an external id.
import type { Allocation, Consumer, Usage } from '../../domain/allocation.ts';
import type { AggregateFit, RootFit } from '../../domain/candidates/fit.ts';
import type { LedgerEvent } from '../../domain/event.ts';
import type { EventChange } from '../../domain/event-changes.ts';
import type { Page } from '../../domain/page.ts';
import type { Aggregate, Inventory, Provider, ResourceClass, Trait } from '../../domain/provider.ts';
import type { Reservation } from '../../domain/reservation.ts';
import type { Service } from '../../domain/service.ts';

/** A project; Keystone manages everything else about it. */
export interface ProjectParent {
  readonly externalId: string;
}

/** A user; Keystone manages everything else about it. */
export interface UserParent {
  readonly externalId: string;
}

export type ProviderPage = Page<Provider>;
export type InventoryPage = Page<Inventory>;
export type TraitPage = Page<Trait>;
export type AggregatePage = Page<Aggregate>;
export type ConsumerPage = Page<Consumer>;
export type ReservationPage = Page<Reservation>;
export type AllocationPage = Page<Allocation>;
export type ProjectPage = Page<ProjectParent>;
export type UsagePage = Page<Usage>;
export type EventPage = Page<LedgerEvent>;
export type EventChangePage = Page<EventChange>;
export type UuidPage = Page<string>;
export type ServicePage = Page<Service>;
export type ResourceClassPage = Page<ResourceClass>;
export type RootFitPage = Page<RootFit>;
export type AggregateFitPage = Page<AggregateFit>;
