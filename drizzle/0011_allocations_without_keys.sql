-- First, because claims use these tables before allocations, and a key locks both sides.
LOCK TABLE "consumers" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
LOCK TABLE "inventories" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
ALTER TABLE "allocations" DROP CONSTRAINT "allocations_consumer_fkey";--> statement-breakpoint
ALTER TABLE "allocations" DROP CONSTRAINT "allocations_inventory_fkey";
