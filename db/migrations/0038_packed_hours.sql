-- The complete hours of today, packed and summed for statistics. The next sum of recent latencies fills the columns.
ALTER TABLE "recent_latencies" ADD COLUMN "packed_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "recent_latencies" ADD COLUMN "runs" "bytea";--> statement-breakpoint
ALTER TABLE "recent_latencies" ADD COLUMN "endpoints" "bytea";--> statement-breakpoint
ALTER TABLE "recent_latencies" ADD COLUMN "run_sums" jsonb;--> statement-breakpoint
ALTER TABLE "recent_latencies" ADD COLUMN "endpoint_sums" jsonb;
