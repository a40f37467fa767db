-- One that was interrupted has left an index without use.
DROP INDEX CONCURRENTLY IF EXISTS "consumers_expires_idx";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "consumers_expires_idx" ON "consumers" USING btree ("expires_at") WHERE expires_at is not null;
