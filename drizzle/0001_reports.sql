CREATE TABLE "devices" (
	"resource_provider_id" bigint NOT NULL,
	"address" text NOT NULL,
	"body" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "devices_pkey" PRIMARY KEY("resource_provider_id","address")
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
CREATE TABLE "services" (
	"host" text NOT NULL,
	"program" text NOT NULL,
	"version" integer NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "services_pkey" PRIMARY KEY("host","program")
);
--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_provider_fkey" FOREIGN KEY ("resource_provider_id") REFERENCES "resource_providers"("id") ON DELETE cascade ON UPDATE no action;