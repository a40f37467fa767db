-- Those that were interrupted have left indexes without use.
DROP INDEX CONCURRENTLY IF EXISTS "quota_uses_aggregate_idx";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "quota_uses_aggregate_idx" ON "quota_uses" USING btree ("aggregate_id");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "quota_uses_zone_key";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "quota_uses_zone_key" ON "quota_uses" USING btree ("project_id","resource_class_id","consumer_type_id","user_id","aggregate_id") NULLS NOT DISTINCT;