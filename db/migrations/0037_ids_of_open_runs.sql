-- Finished runs are found by their organization and id, so that finishing a run writes an index entry less.
DROP INDEX "runs_id_idx";--> statement-breakpoint
CREATE INDEX "runs_id_idx" ON "runs" USING btree ("id") WHERE state <> 'done';
