-- Schedules have no foreign key to services. Dispatch changes a schedule twice in one transaction when agents take turns, and
-- the second change made the database check the key: it locked the service, while who changes a service locks the service
-- first and then its schedule.
-- All locks are taken at once, before any work, so that a deadlock with a running process costs nothing.
LOCK TABLE "services", "schedules" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
ALTER TABLE "schedules" DROP CONSTRAINT "schedules_service_fkey";--> statement-breakpoint
CREATE FUNCTION delete_schedule_and_runs_of_service() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	-- First the schedule: from then on no dispatcher can add a run, and the second statement sees those that were added.
	DELETE FROM public.schedules WHERE organization_id = OLD.organization_id AND service_id = OLD.id;
	DELETE FROM public.runs WHERE organization_id = OLD.organization_id AND service_id = OLD.id;
	RETURN NULL;
END $$;--> statement-breakpoint
DROP TRIGGER services_delete_runs ON "services";--> statement-breakpoint
DROP FUNCTION delete_runs_of_service();--> statement-breakpoint
CREATE TRIGGER services_delete_schedule_and_runs AFTER DELETE ON "services" FOR EACH ROW EXECUTE FUNCTION delete_schedule_and_runs_of_service();
