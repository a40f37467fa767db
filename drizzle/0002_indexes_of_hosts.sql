-- One that was interrupted has left an index without use.
DROP INDEX CONCURRENTLY IF EXISTS "records_host_idx";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "records_host_idx" ON "records" USING btree ("kind",(body ->> 'host'));--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "records_pools_idx";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "records_pools_idx" ON "records" USING btree ("kind") WHERE body ? 'pools';
