ALTER TABLE "workers" ADD COLUMN "pool_id" text NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "runs_waiting_key" ON "runs" USING btree ("service_id") WHERE state = 'waiting';