CREATE TABLE "allocations" (
	"consumer_id" bigint NOT NULL,
	"resource_provider_id" bigint NOT NULL,
	"resource_class_id" integer NOT NULL,
	"used" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "allocations_pkey" PRIMARY KEY("consumer_id","resource_provider_id","resource_class_id"),
	CONSTRAINT "allocations_used" CHECK (used >= 1)
);
--> statement-breakpoint
CREATE TABLE "change_feed" (
	"id" integer DEFAULT 1 NOT NULL,
	"pruned_xid" "xid8" NOT NULL,
	"names_deleted_xid" "xid8" DEFAULT '0' NOT NULL,
	"pruned_event_id" bigint DEFAULT 0 NOT NULL,
	"pruned_at" timestamp with time zone,
	CONSTRAINT "change_feed_pkey" PRIMARY KEY("id"),
	CONSTRAINT "change_feed_one_row" CHECK (id = 1)
);
--> statement-breakpoint
CREATE TABLE "consumer_types" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "consumer_types_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "consumer_types_pkey" PRIMARY KEY("id"),
	CONSTRAINT "consumer_types_name_key" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "consumers" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "consumers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"uuid" uuid NOT NULL,
	"project_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"consumer_type_id" bigint,
	"generation" bigint DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "consumers_pkey" PRIMARY KEY("id"),
	CONSTRAINT "consumers_uuid_key" UNIQUE("uuid")
);
--> statement-breakpoint
CREATE TABLE "devices" (
	"resource_provider_id" bigint NOT NULL,
	"address" text NOT NULL,
	"body" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "devices_pkey" PRIMARY KEY("resource_provider_id","address")
);
--> statement-breakpoint
CREATE TABLE "event_chunks" (
	"number" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"begun_at" timestamp with time zone,
	CONSTRAINT "event_chunks_pkey" PRIMARY KEY("number")
);
--> statement-breakpoint
CREATE TABLE "event_subjects" (
	"subject" uuid NOT NULL,
	"event_id" bigint NOT NULL,
	CONSTRAINT "event_subjects_pkey" PRIMARY KEY("subject","event_id")
) PARTITION BY RANGE ("event_id");
--> statement-breakpoint
CREATE TABLE "events" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"kind" text NOT NULL,
	"user_external_id" text,
	"project_external_id" text,
	"roles" text[] NOT NULL,
	"authentication_method" text,
	"request_id" text NOT NULL,
	"global_request_id" text,
	"consumer_uuids" uuid[] NOT NULL,
	"provider_uuids" uuid[] NOT NULL,
	"changes" jsonb NOT NULL,
	CONSTRAINT "events_pkey" PRIMARY KEY("id")
) PARTITION BY RANGE ("id");
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"principal" text NOT NULL,
	"operation" text NOT NULL,
	"key" text NOT NULL,
	"input_hash" text NOT NULL,
	"answer" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY("principal","operation","key")
);
--> statement-breakpoint
CREATE TABLE "inventories" (
	"resource_provider_id" bigint NOT NULL,
	"resource_class_id" integer NOT NULL,
	"total" integer NOT NULL,
	"reserved" integer NOT NULL,
	"min_unit" integer NOT NULL,
	"max_unit" integer NOT NULL,
	"step_size" integer NOT NULL,
	"allocation_ratio" double precision NOT NULL,
	"capacity" bigint GENERATED ALWAYS AS (greatest(-9007199254740991, least(9007199254740991, trunc((total - reserved)::double precision * allocation_ratio)))::bigint) STORED NOT NULL,
	"used" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "inventories_pkey" PRIMARY KEY("resource_provider_id","resource_class_id"),
	CONSTRAINT "inventories_used" CHECK (used >= 0)
);
--> statement-breakpoint
CREATE TABLE "placement_aggregates" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "placement_aggregates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"uuid" uuid NOT NULL,
	"name" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "placement_aggregates_pkey" PRIMARY KEY("id"),
	CONSTRAINT "placement_aggregates_uuid_key" UNIQUE("uuid"),
	CONSTRAINT "placement_aggregates_name_key" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "project_usages" (
	"project_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"consumer_type_id" bigint,
	"resource_class_id" integer,
	"amount" bigint NOT NULL,
	"is_sum" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "projects_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"external_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "projects_pkey" PRIMARY KEY("id"),
	CONSTRAINT "projects_external_id_key" UNIQUE("external_id")
);
--> statement-breakpoint
CREATE TABLE "provider_changes" (
	"xid" "xid8" NOT NULL,
	"resource_provider_id" bigint NOT NULL,
	"use_only" boolean DEFAULT false NOT NULL,
	CONSTRAINT "provider_changes_pkey" PRIMARY KEY("xid","resource_provider_id")
);
--> statement-breakpoint
CREATE TABLE "records" (
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"uuid" uuid NOT NULL,
	"body" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "records_pkey" PRIMARY KEY("kind","name"),
	CONSTRAINT "records_uuid_key" UNIQUE("kind","uuid")
);
--> statement-breakpoint
CREATE TABLE "refused_claims" (
	"at" timestamp with time zone NOT NULL,
	"code" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "refused_claims_pkey" PRIMARY KEY("at","code")
);
--> statement-breakpoint
CREATE TABLE "resource_classes" (
	"id" integer GENERATED BY DEFAULT AS IDENTITY (sequence name "resource_classes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 10000 CACHE 1),
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "resource_classes_pkey" PRIMARY KEY("id"),
	CONSTRAINT "resource_classes_name_key" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "resource_provider_aggregates" (
	"aggregate_id" bigint NOT NULL,
	"resource_provider_id" bigint NOT NULL,
	"spelling" text,
	CONSTRAINT "resource_provider_aggregates_pkey" PRIMARY KEY("resource_provider_id","aggregate_id")
);
--> statement-breakpoint
CREATE TABLE "resource_provider_traits" (
	"trait_id" bigint NOT NULL,
	"resource_provider_id" bigint NOT NULL,
	CONSTRAINT "resource_provider_traits_pkey" PRIMARY KEY("resource_provider_id","trait_id")
);
--> statement-breakpoint
CREATE TABLE "resource_providers" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "resource_providers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"uuid" uuid NOT NULL,
	"name" text NOT NULL,
	"generation" bigint DEFAULT 0 NOT NULL,
	"parent_provider_id" bigint,
	"root_provider_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "resource_providers_pkey" PRIMARY KEY("id"),
	CONSTRAINT "resource_providers_uuid_key" UNIQUE("uuid"),
	CONSTRAINT "resource_providers_name_key" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "services" (
	"host" text NOT NULL,
	"program" text NOT NULL,
	"version" integer NOT NULL,
	"disabled" boolean DEFAULT false NOT NULL,
	"disabled_reason" text,
	"forced_down" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "services_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	CONSTRAINT "services_pkey" PRIMARY KEY("host","program")
);
--> statement-breakpoint
CREATE TABLE "traits" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "traits_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "traits_pkey" PRIMARY KEY("id"),
	CONSTRAINT "traits_name_key" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "usage_samples" (
	"at" timestamp with time zone PRIMARY KEY NOT NULL,
	"totals" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"external_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_pkey" PRIMARY KEY("id"),
	CONSTRAINT "users_external_id_key" UNIQUE("external_id")
);
--> statement-breakpoint
ALTER TABLE "allocations" ADD CONSTRAINT "allocations_consumer_fkey" FOREIGN KEY ("consumer_id") REFERENCES "consumers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "allocations" ADD CONSTRAINT "allocations_inventory_fkey" FOREIGN KEY ("resource_provider_id","resource_class_id") REFERENCES "inventories"("resource_provider_id","resource_class_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_provider_fkey" FOREIGN KEY ("resource_provider_id") REFERENCES "resource_providers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inventories" ADD CONSTRAINT "inventories_provider_fkey" FOREIGN KEY ("resource_provider_id") REFERENCES "resource_providers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inventories" ADD CONSTRAINT "inventories_class_fkey" FOREIGN KEY ("resource_class_id") REFERENCES "resource_classes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_provider_aggregates" ADD CONSTRAINT "resource_provider_aggregates_aggregate_fkey" FOREIGN KEY ("aggregate_id") REFERENCES "placement_aggregates"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_provider_aggregates" ADD CONSTRAINT "resource_provider_aggregates_provider_fkey" FOREIGN KEY ("resource_provider_id") REFERENCES "resource_providers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_provider_traits" ADD CONSTRAINT "resource_provider_traits_trait_fkey" FOREIGN KEY ("trait_id") REFERENCES "traits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_provider_traits" ADD CONSTRAINT "resource_provider_traits_provider_fkey" FOREIGN KEY ("resource_provider_id") REFERENCES "resource_providers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_providers" ADD CONSTRAINT "resource_providers_parent_fkey" FOREIGN KEY ("parent_provider_id") REFERENCES "resource_providers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_providers" ADD CONSTRAINT "resource_providers_root_fkey" FOREIGN KEY ("root_provider_id") REFERENCES "resource_providers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "allocations_inventory_idx" ON "allocations" USING btree ("resource_provider_id","resource_class_id");--> statement-breakpoint
CREATE INDEX "consumers_project_idx" ON "consumers" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "consumers_user_idx" ON "consumers" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "devices_free_idx" ON "devices" USING btree (lower(body ->> 'vendorId'),lower(body ->> 'productId')) WHERE body ->> 'status' = 'available';--> statement-breakpoint
CREATE INDEX "events_kind_idx" ON "events" USING btree ("kind","id");--> statement-breakpoint
CREATE INDEX "events_user_idx" ON "events" USING btree ("user_external_id","id");--> statement-breakpoint
CREATE INDEX "events_request_idx" ON "events" USING hash ("request_id");--> statement-breakpoint
CREATE INDEX "events_global_request_idx" ON "events" USING btree ("global_request_id","id") WHERE global_request_id is not null;--> statement-breakpoint
CREATE INDEX "events_xid_idx" ON "events" USING btree ("xid","id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created_idx" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "inventories_class_provider_idx" ON "inventories" USING btree ("resource_class_id","resource_provider_id");--> statement-breakpoint
CREATE INDEX "placement_aggregates_changed_idx" ON "placement_aggregates" USING btree ("changed_xid");--> statement-breakpoint
CREATE INDEX "project_usages_owner_idx" ON "project_usages" USING btree ("is_sum","project_id","user_id");--> statement-breakpoint
CREATE INDEX "records_failed_builds_idx" ON "records" USING btree ("kind") WHERE body ? 'failedBuilds';--> statement-breakpoint
CREATE INDEX "records_shared_storage_idx" ON "records" USING btree ("uuid") WHERE body ? 'hasSharedStorage';--> statement-breakpoint
CREATE INDEX "resource_classes_changed_idx" ON "resource_classes" USING btree ("changed_xid");--> statement-breakpoint
CREATE INDEX "resource_provider_aggregates_aggregate_idx" ON "resource_provider_aggregates" USING btree ("aggregate_id","resource_provider_id");--> statement-breakpoint
CREATE INDEX "resource_provider_traits_trait_idx" ON "resource_provider_traits" USING btree ("trait_id","resource_provider_id");--> statement-breakpoint
CREATE INDEX "resource_providers_parent_idx" ON "resource_providers" USING btree ("parent_provider_id") WHERE parent_provider_id is not null;--> statement-breakpoint
CREATE INDEX "resource_providers_root_idx" ON "resource_providers" USING btree ("root_provider_id");--> statement-breakpoint
CREATE INDEX "resource_providers_created_idx" ON "resource_providers" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "traits_changed_idx" ON "traits" USING btree ("changed_xid");--> statement-breakpoint
-- The chunk that is written to, and the one ahead of it.
INSERT INTO "event_chunks" ("number", "begun_at") VALUES (0, now()), (1, null);--> statement-breakpoint
CREATE TABLE "events_0" PARTITION OF "events" FOR VALUES FROM (MINVALUE) TO (10000000000);--> statement-breakpoint
CREATE TABLE "event_subjects_0" PARTITION OF "event_subjects" FOR VALUES FROM (MINVALUE) TO (10000000000);--> statement-breakpoint
CREATE TABLE "events_1" PARTITION OF "events" FOR VALUES FROM (10000000000) TO (20000000000);--> statement-breakpoint
CREATE TABLE "event_subjects_1" PARTITION OF "event_subjects" FOR VALUES FROM (10000000000) TO (20000000000);--> statement-breakpoint
-- Room in each page for the next version of a row: claims rewrite these two all the time.
ALTER TABLE "inventories" SET (fillfactor = 70);--> statement-breakpoint
ALTER TABLE "resource_providers" SET (fillfactor = 70);--> statement-breakpoint
-- Rows come and go here all the time: their room is to be used again before much more is taken.
ALTER TABLE "idempotency_keys" SET (autovacuum_vacuum_scale_factor = 0.05);--> statement-breakpoint
ALTER TABLE "provider_changes" SET (autovacuum_vacuum_scale_factor = 0.05);--> statement-breakpoint
ALTER TABLE "project_usages" SET (autovacuum_vacuum_scale_factor = 0.05);
