CREATE TABLE "batch_runs" (
	"batch_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"service_id" uuid NOT NULL,
	"service_name" text NOT NULL,
	"run_id" uuid,
	"reason" text,
	CONSTRAINT "batch_runs_pkey" PRIMARY KEY("batch_id","service_id")
);
--> statement-breakpoint
CREATE TABLE "run_batches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"project_id" uuid,
	"note" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"membership_id" uuid
);
--> statement-breakpoint
CREATE TABLE "run_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"service_id" uuid NOT NULL,
	"cause" text DEFAULT 'request' NOT NULL,
	"requested_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"note" text,
	"sealed" "bytea",
	"cancelled_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "runs" DROP CONSTRAINT "runs_state_check";--> statement-breakpoint
ALTER TABLE "results" ADD COLUMN "run_id" uuid;--> statement-breakpoint
ALTER TABLE "results" ADD COLUMN "cause" text;--> statement-breakpoint
ALTER TABLE "results" ADD COLUMN "is_apart" boolean;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "run_id" uuid;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "values_digest" text;--> statement-breakpoint
ALTER TABLE "batch_runs" ADD CONSTRAINT "batch_runs_batch_id_run_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."run_batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "run_batches_created_idx" ON "run_batches" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "run_requests_service_idx" ON "run_requests" USING btree ("service_id","id");--> statement-breakpoint
CREATE INDEX "run_requests_requested_idx" ON "run_requests" USING btree ("requested_at");--> statement-breakpoint
-- Only the empty partitions get the index: building it for one with results would lock that day. Reads by run id also
-- name the service, so the primary key serves the others.
CREATE INDEX "results_run_idx" ON ONLY "results" USING btree ("run_id") WHERE run_id is not null;--> statement-breakpoint
DO $$ DECLARE part record; BEGIN
  FOR part IN SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'results'::regclass
      AND c.relname > 'results_' || to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM_DD')
  LOOP
    EXECUTE format('CREATE INDEX %I ON %I (run_id) WHERE run_id is not null', part.name || '_run_idx', part.name);
    EXECUTE format('ALTER INDEX results_run_idx ATTACH PARTITION %I', part.name || '_run_idx');
  END LOOP;
END $$;--> statement-breakpoint
CREATE INDEX "runs_waiting_apart_idx" ON "runs" USING btree ("service_id") WHERE state = 'waiting_apart';--> statement-breakpoint
CREATE INDEX "runs_run_idx" ON "runs" USING btree ("run_id") WHERE run_id is not null;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_state_check" CHECK (state in ('waiting', 'waiting_apart', 'queued', 'running', 'done'));