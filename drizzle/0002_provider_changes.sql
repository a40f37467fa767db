CREATE TABLE "provider_changes" (
	"xid" "xid8" NOT NULL,
	"resource_provider_id" bigint NOT NULL,
	CONSTRAINT "provider_changes_pkey" PRIMARY KEY("xid","resource_provider_id")
);
--> statement-breakpoint
DROP TABLE "deleted_providers" CASCADE;--> statement-breakpoint
DROP INDEX "resource_providers_changed_idx";--> statement-breakpoint
ALTER TABLE "resource_providers" DROP COLUMN "changed_xid";