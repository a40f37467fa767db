DROP INDEX CONCURRENTLY IF EXISTS "devices_free_idx";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "devices_free_idx" ON "devices" USING btree (lower(body ->> 'vendorId'),lower(body ->> 'productId')) WHERE body ->> 'status' = 'available';--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "records_failed_builds_idx";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "records_failed_builds_idx" ON "records" USING btree ("kind") WHERE body ? 'failedBuilds';
