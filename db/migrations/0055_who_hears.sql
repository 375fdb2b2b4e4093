ALTER TABLE "webhook_bindings" DROP CONSTRAINT "webhook_bindings_resource_check";--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "alerts_answered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "grants" ADD COLUMN "notify" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_bindings" ADD CONSTRAINT "webhook_bindings_resource_check" CHECK (num_nonnulls(workspace_id, project_id, service_id) <= 1);--> statement-breakpoint
-- An organization whose alerts went somewhere is not asked where they should go: it has a webhook, a grant, which notifies,
-- or a follow, or a mail was sent, such as to the owner, who hears of what nobody listens to.
UPDATE "organizations" o SET "alerts_answered_at" = now() WHERE o."id" IN (
  SELECT "organization_id" FROM "webhooks" UNION SELECT "organization_id" FROM "grants"
  UNION SELECT "organization_id" FROM "follows" UNION SELECT "organization_id" FROM "alert_messages" WHERE "state" = 'sent');
