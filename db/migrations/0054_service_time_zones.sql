-- A schedule is read in the time zone of its service. Schedules that are there stay in UTC.
ALTER TABLE "services" ADD COLUMN "timezone" text;--> statement-breakpoint
ALTER TABLE "schedules" ADD COLUMN "cron_timezone" text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE "services" ADD CONSTRAINT "services_timezone_check" CHECK (char_length(timezone) <= 64);