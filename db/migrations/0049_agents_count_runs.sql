-- States without a count count as up to date, as before.
UPDATE "service_agent_states" a SET "service_runs" = coalesce((SELECT s."probes_total" FROM "service_states" s
  WHERE s."organization_id" = a."organization_id" AND s."service_id" = a."service_id"), 0)
WHERE a."service_runs" IS NULL;--> statement-breakpoint
ALTER TABLE "service_agent_states" ALTER COLUMN "service_runs" SET NOT NULL;
