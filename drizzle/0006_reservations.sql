CREATE TABLE "reservation_amounts" (
	"reservation_id" bigint NOT NULL,
	"resource_provider_id" bigint NOT NULL,
	"resource_class_id" integer NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "reservation_amounts_pkey" PRIMARY KEY("reservation_id","resource_provider_id","resource_class_id"),
	CONSTRAINT "reservation_amounts_amount" CHECK (amount >= 1)
);
--> statement-breakpoint
CREATE TABLE "reservations" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "reservations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"uuid" uuid NOT NULL,
	"project_id" bigint NOT NULL,
	"generation" bigint DEFAULT 1 NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reservations_pkey" PRIMARY KEY("id"),
	CONSTRAINT "reservations_uuid_key" UNIQUE("uuid"),
	CONSTRAINT "reservations_period" CHECK (starts_at < ends_at)
);
--> statement-breakpoint
CREATE INDEX "reservation_amounts_inventory_idx" ON "reservation_amounts" USING btree ("resource_provider_id","resource_class_id");--> statement-breakpoint
CREATE INDEX "reservations_project_idx" ON "reservations" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "reservations_ends_idx" ON "reservations" USING btree ("ends_at");--> statement-breakpoint
-- Dropping a key locks both sides. Claims use consumers and inventories before allocations, many reads the other way round. Whoever has one of these tables, and waits
-- for another that this has, ends the attempt. So first only writes are kept off, in their order: beside readers, so that none is stopped while this waits for
-- claims. Then readers, for which it waits much shorter.
LOCK TABLE "consumers" IN EXCLUSIVE MODE;--> statement-breakpoint
LOCK TABLE "inventories" IN EXCLUSIVE MODE;--> statement-breakpoint
LOCK TABLE "allocations" IN EXCLUSIVE MODE;--> statement-breakpoint
LOCK TABLE "consumers" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
LOCK TABLE "inventories" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
LOCK TABLE "allocations" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
ALTER TABLE "consumers" ADD COLUMN "reservation_id" bigint;--> statement-breakpoint
ALTER TABLE "inventories" ADD COLUMN "promised" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "allocations" DROP CONSTRAINT "allocations_consumer_fkey";--> statement-breakpoint
ALTER TABLE "allocations" DROP CONSTRAINT "allocations_inventory_fkey";