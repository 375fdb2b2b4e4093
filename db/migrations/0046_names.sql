-- Tables and columns get the names of what they hold. Renaming changes no row and keeps `rate_limits` unlogged.
ALTER TABLE "budgets" RENAME COLUMN "win" TO "window_start";--> statement-breakpoint
ALTER TABLE "budgets" RENAME COLUMN "spent" TO "used";--> statement-breakpoint
ALTER TABLE "budgets" RENAME CONSTRAINT "budgets_pkey" TO "rate_limits_pkey";--> statement-breakpoint
ALTER TABLE "budgets" RENAME TO "rate_limits";--> statement-breakpoint
ALTER TABLE "previous_results" RENAME CONSTRAINT "previous_results_pkey" TO "service_agent_states_pkey";--> statement-breakpoint
ALTER INDEX "previous_results_former_key" RENAME TO "service_agent_states_former_key";--> statement-breakpoint
ALTER TABLE "previous_results" RENAME TO "service_agent_states";--> statement-breakpoint
ALTER TABLE "results" RENAME COLUMN "is_apart" TO "has_values";--> statement-breakpoint
ALTER TABLE "service_states" RENAME COLUMN "slot_ms" TO "mean_run_ms";--> statement-breakpoint
-- The last failure has had a column at the end of the row since 0036. Failures that are still in the former column are newer.
UPDATE "service_states" SET "failure" = "last_failure" WHERE "last_failure" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "service_states" DROP COLUMN "last_failure";--> statement-breakpoint
ALTER TABLE "service_states" RENAME COLUMN "failure" TO "last_failure";--> statement-breakpoint
ALTER TABLE "runs" DROP CONSTRAINT "runs_state_check";--> statement-breakpoint
UPDATE "runs" SET "state" = 'waiting_with_values' WHERE "state" = 'waiting_apart';--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_state_check" CHECK (state in ('waiting', 'waiting_with_values', 'queued', 'running', 'done'));--> statement-breakpoint
DROP INDEX "runs_waiting_apart_idx";--> statement-breakpoint
CREATE INDEX "runs_waiting_with_values_idx" ON "runs" USING btree ("service_id") WHERE state = 'waiting_with_values';
