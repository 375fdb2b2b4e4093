-- The time of a rule before the present one, and deleted maintenances, for runs that are stored after them.
ALTER TABLE "maintenances" ADD COLUMN "previous_starts_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "maintenances" ADD COLUMN "previous_ends_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "maintenances" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "maintenances_rule_idx" ON "maintenances" USING btree ("ends_at") WHERE rule is not null and ended_at is null;--> statement-breakpoint
ALTER TABLE "maintenances" ADD CONSTRAINT "maintenances_previous_check" CHECK ((previous_starts_at is null) = (previous_ends_at is null));