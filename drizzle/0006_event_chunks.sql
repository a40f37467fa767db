CREATE TABLE "event_chunks" (
	"number" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"begun_at" timestamp with time zone,
	CONSTRAINT "event_chunks_pkey" PRIMARY KEY("number")
);
--> statement-breakpoint
ALTER TABLE "change_feed" ADD COLUMN "pruned_at" timestamp with time zone;--> statement-breakpoint
-- What there is becomes chunk 0 as it is, without being copied; chunk 1 is ahead.
DO $chunks$
DECLARE
  next bigint := nextval('events_id_seq');
  renamed record;
BEGIN
  INSERT INTO event_chunks (number, begun_at) VALUES (0, coalesce((SELECT at FROM events ORDER BY id LIMIT 1), now())), (1, null);
  -- This drops the sequence.
  ALTER TABLE events ALTER COLUMN id DROP IDENTITY;
  FOR renamed IN
    SELECT c.relname AS name, regexp_replace(c.relname, '^(events|event_subjects)', '\1_0') AS chunk
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid IN ('events'::regclass, 'event_subjects'::regclass)
  LOOP
    EXECUTE format('ALTER INDEX %I RENAME TO %I', renamed.name, renamed.chunk);
  END LOOP;
  ALTER TABLE events RENAME TO events_0;
  ALTER TABLE event_subjects RENAME TO event_subjects_0;
  CREATE TABLE events (LIKE events_0 INCLUDING DEFAULTS) PARTITION BY RANGE (id);
  CREATE TABLE event_subjects (LIKE event_subjects_0 INCLUDING DEFAULTS) PARTITION BY RANGE (event_id);
  EXECUTE format('ALTER TABLE events ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME events_id_seq START WITH %s)', next);
END $chunks$;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_pkey" PRIMARY KEY ("id");--> statement-breakpoint
CREATE INDEX "events_kind_idx" ON "events" USING btree ("kind","id");--> statement-breakpoint
CREATE INDEX "events_user_idx" ON "events" USING btree ("user_external_id","id");--> statement-breakpoint
CREATE INDEX "events_request_idx" ON "events" USING hash ("request_id");--> statement-breakpoint
CREATE INDEX "events_global_request_idx" ON "events" USING btree ("global_request_id","id") WHERE global_request_id is not null;--> statement-breakpoint
CREATE INDEX "events_xid_idx" ON "events" USING btree ("xid","id");--> statement-breakpoint
ALTER TABLE "event_subjects" ADD CONSTRAINT "event_subjects_pkey" PRIMARY KEY ("subject","event_id");--> statement-breakpoint
ALTER TABLE "events" ATTACH PARTITION "events_0" FOR VALUES FROM (MINVALUE) TO (10000000000);--> statement-breakpoint
ALTER TABLE "event_subjects" ATTACH PARTITION "event_subjects_0" FOR VALUES FROM (MINVALUE) TO (10000000000);--> statement-breakpoint
CREATE TABLE "events_1" PARTITION OF "events" FOR VALUES FROM (10000000000) TO (20000000000);--> statement-breakpoint
CREATE TABLE "event_subjects_1" PARTITION OF "event_subjects" FOR VALUES FROM (10000000000) TO (20000000000);--> statement-breakpoint
-- Rows come and go here all the time: their room is to be used again before much more is taken.
ALTER TABLE "idempotency_keys" SET (autovacuum_vacuum_scale_factor = 0.05);--> statement-breakpoint
ALTER TABLE "provider_changes" SET (autovacuum_vacuum_scale_factor = 0.05);
