ALTER TABLE "runs" DROP CONSTRAINT "runs_state_check";--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "flapping_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "results" ADD COLUMN "recheck_of" uuid;--> statement-breakpoint
ALTER TABLE "results" ADD COLUMN "rechecked_by" uuid;--> statement-breakpoint
ALTER TABLE "service_agent_states" ADD COLUMN "passing_runs" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "service_states" ADD COLUMN "changed_at" timestamp (3) with time zone[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "service_states" ADD COLUMN "flapping" jsonb;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "recheck_of" uuid;--> statement-breakpoint
CREATE INDEX "service_states_flapping_idx" ON "service_states" USING btree ("service_id") WHERE flapping is not null;--> statement-breakpoint
CREATE INDEX "runs_waiting_recheck_idx" ON "runs" USING btree ("rank_at") WHERE state = 'waiting_recheck';--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_state_check" CHECK (state in ('waiting', 'waiting_with_values', 'waiting_recheck', 'queued', 'running', 'done'));--> statement-breakpoint
-- Every service gets the system variables of rechecks. A variable that a member gave one of these names keeps its value.
INSERT INTO "variables" ("id", "organization_id", "service_id", "key", "type", "value", "system_type")
SELECT gen_random_uuid(), s."organization_id", s."id", v.key, 'metric', v.value, v.system_type
FROM "services" s CROSS JOIN (VALUES ('confirmRecoveries', '1', 'integer'), ('recheckSeconds', '10', 'integer'),
  ('recheckWrites', 'false', 'boolean')) v (key, value, system_type)
ON CONFLICT DO NOTHING;--> statement-breakpoint
-- Agents that failed before a service recovered do not fail alone.
UPDATE "service_states" SET "changed_at" = ARRAY["last_status_since"] WHERE "last_status_since" IS NOT NULL;
