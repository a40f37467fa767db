CREATE TABLE "project_parents" (
	"project_id" bigint NOT NULL,
	"parent_id" bigint NOT NULL,
	CONSTRAINT "project_parents_pkey" PRIMARY KEY("project_id")
);
--> statement-breakpoint
CREATE TABLE "quota_uses" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "quota_uses_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" bigint NOT NULL,
	"user_id" bigint,
	"consumer_type_id" bigint,
	"resource_class_id" integer NOT NULL,
	"is_default" boolean NOT NULL,
	"most" bigint,
	"used" bigint NOT NULL,
	CONSTRAINT "quota_uses_pkey" PRIMARY KEY("id"),
	CONSTRAINT "quota_uses_key" UNIQUE NULLS NOT DISTINCT("project_id","resource_class_id","consumer_type_id","user_id")
);
--> statement-breakpoint
CREATE INDEX "project_parents_parent_idx" ON "project_parents" USING btree ("parent_id");--> statement-breakpoint
ALTER TABLE "quota_uses" SET (fillfactor = 50);
