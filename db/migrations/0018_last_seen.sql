ALTER TABLE "certificates" ADD COLUMN "agent_id" uuid;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "last_seen_at" timestamp (3) with time zone;