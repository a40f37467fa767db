ALTER TABLE "change_feed" ADD COLUMN "pruned_event_id" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "global_request_id" text;--> statement-breakpoint
CREATE INDEX "events_user_idx" ON "events" USING btree ("user_external_id","id");--> statement-breakpoint
CREATE INDEX "events_request_idx" ON "events" USING hash ("request_id");--> statement-breakpoint
CREATE INDEX "events_global_request_idx" ON "events" USING btree ("global_request_id","id") WHERE global_request_id is not null;--> statement-breakpoint
CREATE INDEX "events_xid_idx" ON "events" USING btree ("xid","id");--> statement-breakpoint
-- What earlier events say of classes and imported consumers, findable as in events written from now on (writes/steps/append_event.sql).
UPDATE "events" SET "kind" = 'RENAME_RESOURCE_CLASS'
WHERE "kind" = 'CREATE_RESOURCE_CLASS' AND (SELECT count(*) FROM jsonb_object_keys("changes" -> 'resourceClasses')) = 2;--> statement-breakpoint
UPDATE "events" SET "provider_uuids" = ARRAY(
  SELECT DISTINCT (jsonb_path_query("changes", '$.consumers.*.*.allocations[*].provider') #>> '{}')::uuid
) WHERE "kind" = 'IMPORT_CONSUMER';--> statement-breakpoint
INSERT INTO "event_subjects" ("subject", "event_id")
SELECT unnest("provider_uuids"), "id" FROM "events" WHERE "kind" = 'IMPORT_CONSUMER'
UNION
SELECT md5('class:' || class)::uuid, id FROM (
  SELECT "id", jsonb_path_query("changes", '$.consumers.*.*.allocations[*].resourceClass') #>> '{}' AS class FROM "events"
  UNION ALL
  SELECT "id", class FROM "events" CROSS JOIN LATERAL jsonb_each("changes" -> 'providers') AS of(provider, change)
  CROSS JOIN LATERAL jsonb_object_keys(coalesce(change #> '{before,inventories}', '{}') || coalesce(change #> '{after,inventories}', '{}')) class
  WHERE change #> ARRAY['before', 'inventories', class] IS DISTINCT FROM change #> ARRAY['after', 'inventories', class]
  UNION ALL
  SELECT "id", jsonb_object_keys("changes" -> 'resourceClasses') FROM "events"
) named WHERE class NOT IN ('VCPU', 'MEMORY_MB', 'DISK_GB')
ON CONFLICT DO NOTHING;
