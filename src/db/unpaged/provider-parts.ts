// Reads the inventories, traits, aggregates or allocations of providers by uuid, with the generation from the same snapshot. Each existing provider
// yields at least one row; if it has no parts, all columns but the generation are null.
import type { AllocationPart, InventoryPart, NamePart } from '../../domain/unpaged.ts';
import { forUuids } from '../sql/statements.ts';

/** The provider of a row. */
export interface OfProvider {
  readonly provider: string;
  readonly generation: number;
}

/** The columns for a provider without parts. */
type OrNothing<Part> = Part | { readonly [Column in keyof Part]: null };

/** Inventories of each provider, in the order of their class ids. */
export const selectInventoryParts = forUuids<OfProvider & OrNothing<InventoryPart>>(`
    select p.uuid as provider, p.generation::float8 as generation, rc.name as "className", i.total, i.reserved, i.min_unit as "minUnit",
           i.max_unit as "maxUnit", i.step_size as "stepSize", i.allocation_ratio as "allocationRatio", i.used::float8 as used,
           (extract(epoch from i.updated_at) * 1000)::float8 as "updatedAt"
    from resource_providers p
    left join inventories i on i.resource_provider_id = p.id
    left join resource_classes rc on rc.id = i.resource_class_id
    where p.uuid = $uuids
    order by p.id, i.resource_class_id`);

/** Traits of each provider, in the order of their creation. */
export const selectTraitParts = forUuids<OfProvider & OrNothing<NamePart>>(`
    select p.uuid as provider, p.generation::float8 as generation, t.name, (extract(epoch from t.updated_at) * 1000)::float8 as "updatedAt"
    from resource_providers p
    left join resource_provider_traits m on m.resource_provider_id = p.id
    left join traits t on t.id = m.trait_id
    where p.uuid = $uuids
    order by p.id, t.id`);

/** Aggregates of each provider, as they were spelled for it, in the order of their creation. */
export const selectAggregateParts = forUuids<OfProvider & { readonly aggregate: string | null }>(`
    select p.uuid as provider, p.generation::float8 as generation, coalesce(m.spelling, a.uuid::text) as aggregate
    from resource_providers p
    left join resource_provider_aggregates m on m.resource_provider_id = p.id
    left join placement_aggregates a on a.id = m.aggregate_id
    where p.uuid = $uuids
    order by p.id, a.id`);

/** Allocations on each provider, by consumer, oldest first, and class. */
export const selectAllocationParts = forUuids<OfProvider & OrNothing<AllocationPart>>(`
    select p.uuid as provider, p.generation::float8 as generation, c.uuid as consumer, c.generation::float8 as "consumerGeneration",
           rc.name as "className", a.used as amount, (extract(epoch from c.updated_at) * 1000)::float8 as "updatedAt"
    from resource_providers p
    left join allocations a on a.resource_provider_id = p.id
    left join consumers c on c.id = a.consumer_id
    left join resource_classes rc on rc.id = a.resource_class_id
    where p.uuid = $uuids
    order by p.id, a.consumer_id, a.resource_class_id`);
