ALTER TABLE "service_states" ADD COLUMN "slot_ms" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "rank_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "is_slow" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "runs_queue_idx" ON "runs" USING btree ("agent_id","organization_id","is_slow","rank_at") WHERE state = 'queued';--> statement-breakpoint
-- Workers pick runs from the ledger itself: the job that each queued run had is taken by nobody any more.
DO $$ BEGIN
  IF to_regclass('graphile_worker._private_tasks') IS NOT NULL THEN
    DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
      WHERE t.id = j.task_id AND t.identifier LIKE 'probe:%';
  END IF;
END $$;
