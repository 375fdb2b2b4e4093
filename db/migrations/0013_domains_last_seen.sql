ALTER TABLE "domains" ADD COLUMN "last_seen_at" timestamp (3) with time zone;--> statement-breakpoint
-- Domains that are verified already count as seen now: their seven days begin with this release.
UPDATE "domains" SET "last_seen_at" = now() WHERE "verified_at" IS NOT NULL;
