ALTER TABLE "previous_results" ADD COLUMN "failing_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "previous_results" ADD COLUMN "is_failed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- The agents of a service that was failed already are failed if their last runs failed, so that the first run of one of
-- several agents does not count as a recovery.
UPDATE "previous_results" p SET "status" = r."status", "agent_slug" = r."agent_slug", "status_since" = r."started_at",
  "failing_runs" = 1, "failing_since" = r."started_at", "is_failed" = true
FROM "service_states" s, "results" r
WHERE s."service_id" = p."service_id" AND s."is_alerting" AND r."organization_id" = p."organization_id"
  AND r."service_id" = p."service_id" AND r."started_at" = p."started_at" AND r."id" = p."result_id"
  AND r."status" IN ('failure', 'timeout');
