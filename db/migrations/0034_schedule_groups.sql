-- Dispatch finds due schedules by groups of schedules that are due together, so that no index has a column of `schedules`
-- that it changes, and runs have no foreign key to services. A dispatcher of the former release that still runs finds due
-- schedules without the index: slower, but with the same result.
-- All locks are taken at once, before any work, so that a deadlock with such a process costs nothing.
LOCK TABLE "services", "schedules", "runs" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
CREATE TABLE "schedule_groups" (
	"cron" text NOT NULL,
	"offset_seconds" integer NOT NULL,
	"next_run_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "schedule_groups_pkey" PRIMARY KEY("cron","offset_seconds")
);
--> statement-breakpoint
ALTER TABLE "runs" DROP CONSTRAINT "runs_service_fkey";--> statement-breakpoint
DROP INDEX "schedules_due_idx";--> statement-breakpoint
-- The schedules that exist get groups below. A default for all rows that changes afterwards rewrites no row.
ALTER TABLE "schedules" ADD COLUMN "is_grouped" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "schedules" ALTER COLUMN "is_grouped" SET DEFAULT false;--> statement-breakpoint
-- Room in each page for the next version of its rows.
ALTER TABLE "schedules" SET (fillfactor = 80);--> statement-breakpoint
INSERT INTO "schedule_groups" SELECT "cron", "offset_seconds", min("next_run_at") FROM "schedules" GROUP BY 1, 2;--> statement-breakpoint
CREATE INDEX "schedule_groups_due_idx" ON "schedule_groups" USING btree ("next_run_at");--> statement-breakpoint
CREATE INDEX "schedules_group_idx" ON "schedules" USING btree ("cron","offset_seconds","service_id");--> statement-breakpoint
CREATE INDEX "schedules_ungrouped_idx" ON "schedules" USING btree ("service_id") WHERE not is_grouped;--> statement-breakpoint
CREATE FUNCTION ungroup_schedule() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.is_grouped := false;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER schedules_ungroup BEFORE UPDATE OF cron, offset_seconds ON "schedules" FOR EACH ROW
	WHEN ((OLD.cron, OLD.offset_seconds) IS DISTINCT FROM (NEW.cron, NEW.offset_seconds)) EXECUTE FUNCTION ungroup_schedule();--> statement-breakpoint
CREATE FUNCTION delete_runs_of_service() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM public.runs WHERE organization_id = OLD.organization_id AND service_id = OLD.id;
	RETURN NULL;
END $$;--> statement-breakpoint
-- Fires after the cascade to `schedules`, because triggers fire in the order of their names: from then on no dispatcher
-- can add a run, and this statement sees those that were added before.
CREATE TRIGGER services_delete_runs AFTER DELETE ON "services" FOR EACH ROW EXECUTE FUNCTION delete_runs_of_service();
