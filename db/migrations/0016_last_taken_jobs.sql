ALTER TABLE "workers" ADD COLUMN "former_pool_ids" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "workers" ADD COLUMN "last_task" text;--> statement-breakpoint
ALTER TABLE "workers" ADD COLUMN "last_taken_at" timestamp (3) with time zone;