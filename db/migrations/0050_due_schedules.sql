-- Dispatch finds due schedules by an index on their times.
DROP TRIGGER "schedules_ungroup" ON "schedules";--> statement-breakpoint
DROP FUNCTION ungroup_schedule();--> statement-breakpoint
DROP TABLE "schedule_groups";--> statement-breakpoint
DROP INDEX "schedules_group_idx";--> statement-breakpoint
DROP INDEX "schedules_ungrouped_idx";--> statement-breakpoint
ALTER TABLE "schedules" DROP COLUMN "is_grouped";--> statement-breakpoint
ALTER TABLE "schedules" RESET (fillfactor);--> statement-breakpoint
CREATE INDEX "schedules_due_idx" ON "schedules" USING btree ("next_run_at");
