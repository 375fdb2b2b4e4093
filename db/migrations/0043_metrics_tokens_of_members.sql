ALTER TABLE "project_tokens" ADD COLUMN "membership_id" uuid;--> statement-breakpoint
-- The audit log says who created a token. Without its maker's membership, a token is refused.
UPDATE "project_tokens" t SET "membership_id" = m.id
FROM "audit_entries" a JOIN "memberships" m ON m.organization_id = a.organization_id AND m.user_id = a.actor_id
WHERE a.organization_id = t.organization_id AND a.entity_type = 'metrics_token' AND a.entity_id = t.id
	AND a.action = 'metrics_token.create' AND m.created_at <= t.created_at;
