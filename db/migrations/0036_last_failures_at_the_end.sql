ALTER TABLE "service_states" ADD COLUMN "failure" jsonb;--> statement-breakpoint
-- New versions of a row stay on its page, so that only what changes is written to the write-ahead log, and no index entry.
-- For new pages: a run's row is updated twice within minutes, and deleted an hour later.
ALTER TABLE "service_states" SET (fillfactor = 50);--> statement-breakpoint
ALTER TABLE "runs" SET (fillfactor = 40);
