CREATE TABLE "project_usages" (
	"project_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"consumer_type_id" bigint,
	"resource_class_id" integer,
	"amount" bigint NOT NULL,
	"is_sum" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX "project_usages_owner_idx" ON "project_usages" USING btree ("is_sum","project_id","user_id");--> statement-breakpoint
-- Rows come and go here all the time: their room is to be used again before much more is taken.
ALTER TABLE "project_usages" SET (autovacuum_vacuum_scale_factor = 0.05);--> statement-breakpoint
-- Null where there is a row already: keep_project_usages fills the table there. In a new database the row comes later, and the sums are complete from the start.
ALTER TABLE "change_feed" ADD COLUMN "usages_kept_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "change_feed" ALTER COLUMN "usages_kept_since" SET DEFAULT now();
