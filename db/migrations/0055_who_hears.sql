ALTER TABLE "webhook_bindings" DROP CONSTRAINT "webhook_bindings_resource_check";--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "alerts_answered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "grants" ADD COLUMN "notify" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_bindings" ADD CONSTRAINT "webhook_bindings_resource_check" CHECK (num_nonnulls(workspace_id, project_id, service_id) <= 1);--> statement-breakpoint
-- An organization with webhooks is not asked where its alerts should go.
UPDATE "organizations" o SET "alerts_answered_at" = now() WHERE EXISTS (SELECT FROM "webhooks" w WHERE w."organization_id" = o."id");
