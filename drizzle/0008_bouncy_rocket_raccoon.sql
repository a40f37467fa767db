ALTER TABLE "services" ADD COLUMN "disabled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "services" ADD COLUMN "disabled_reason" text;--> statement-breakpoint
ALTER TABLE "services" ADD COLUMN "forced_down" boolean DEFAULT false NOT NULL;