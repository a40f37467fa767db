ALTER TABLE "quota_uses" ADD CONSTRAINT "quota_uses_zone_key" UNIQUE USING INDEX "quota_uses_zone_key";--> statement-breakpoint
ALTER TABLE "quota_uses" DROP CONSTRAINT "quota_uses_key";