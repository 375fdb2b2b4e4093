ALTER TABLE "script_versions" DROP CONSTRAINT "script_versions_service_fkey";
--> statement-breakpoint
ALTER TABLE "deletions" ADD COLUMN "membership_id" uuid;--> statement-breakpoint
-- Versions of services that can still be restored come back from their deletions.
INSERT INTO "script_versions" SELECT p.* FROM "deleted_rows" r
  CROSS JOIN LATERAL jsonb_populate_record(null::"script_versions", r."row") p
  WHERE r."table_name" = 'script_versions' ON CONFLICT DO NOTHING;
--> statement-breakpoint
DELETE FROM "deleted_rows" WHERE "table_name" = 'script_versions';
