DROP INDEX CONCURRENTLY IF EXISTS "inventories_class_provider_idx";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "inventories_class_provider_idx" ON "inventories" USING btree ("resource_class_id","resource_provider_id");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "inventories_class_idx";
