-- One that was interrupted has left an index without use.
DROP INDEX CONCURRENTLY IF EXISTS "consumers_reservation_idx";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "consumers_reservation_idx" ON "consumers" USING btree ("reservation_id","id") WHERE reservation_id is not null;
