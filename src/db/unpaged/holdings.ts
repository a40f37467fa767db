// Allocations of consumers with the consumers' attributes and the generations of the providers, from one snapshot.
import type { Holding } from '../../domain/unpaged.ts';
import { forUuids } from '../sql/statements.ts';

/** All allocations of consumers (canonical uuids), by consumer, provider and class. */
export const selectHoldings = forUuids<Holding>(`
    select c.id::float8 as "consumerId", c.uuid as consumer, c.generation::float8 as "consumerGeneration", project.external_id as project, u.external_id as "user",
           type.name as type, date_part('epoch', c.updated_at) * 1000 as "updatedAt", c.expires_at as "expiresAt", reserved.uuid as reservation, p.uuid as provider,
           p.generation::float8 as "providerGeneration", rc.name as "className", a.used as amount
    from consumers c
    join allocations a on a.consumer_id = c.id
    join resource_providers p on p.id = a.resource_provider_id
    join resource_classes rc on rc.id = a.resource_class_id
    join projects project on project.id = c.project_id
    join users u on u.id = c.user_id
    left join consumer_types type on type.id = c.consumer_type_id
    left join reservations reserved on reserved.id = c.reservation_id
    where c.uuid = $uuids
    order by c.id, a.resource_provider_id, a.resource_class_id`);
