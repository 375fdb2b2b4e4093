-- Keys by which processes of an earlier release found rows, without their organization.
DROP INDEX "alert_events_former_key";--> statement-breakpoint
DROP INDEX "alert_messages_former_key";--> statement-breakpoint
DROP INDEX "certificates_former_key";--> statement-breakpoint
DROP INDEX "follows_former_key";--> statement-breakpoint
DROP INDEX "incident_notes_former_key";--> statement-breakpoint
DROP INDEX "incidents_former_key";--> statement-breakpoint
DROP INDEX "audit_entries_former_key";--> statement-breakpoint
DROP INDEX "key_usage_former_key";--> statement-breakpoint
DROP INDEX "api_keys_former_key";--> statement-breakpoint
DROP INDEX "project_tokens_former_key";--> statement-breakpoint
DROP INDEX "deleted_rows_former_key";--> statement-breakpoint
DROP INDEX "deletions_former_key";--> statement-breakpoint
DROP INDEX "draft_runs_former_key";--> statement-breakpoint
DROP INDEX "idempotent_answers_former_key";--> statement-breakpoint
DROP INDEX "idempotent_answers_former_digest_key";--> statement-breakpoint
DROP INDEX "domains_former_key";--> statement-breakpoint
DROP INDEX "group_members_former_key";--> statement-breakpoint
DROP INDEX "groups_former_key";--> statement-breakpoint
DROP INDEX "invitations_former_key";--> statement-breakpoint
DROP INDEX "memberships_former_key";--> statement-breakpoint
DROP INDEX "projects_former_key";--> statement-breakpoint
DROP INDEX "service_agents_former_key";--> statement-breakpoint
DROP INDEX "services_former_key";--> statement-breakpoint
DROP INDEX "workspaces_former_key";--> statement-breakpoint
DROP INDEX "service_agent_states_former_key";--> statement-breakpoint
DROP INDEX "service_states_former_key";--> statement-breakpoint
DROP INDEX "batch_runs_former_key";--> statement-breakpoint
DROP INDEX "run_batches_former_key";--> statement-breakpoint
DROP INDEX "run_requests_former_key";--> statement-breakpoint
DROP INDEX "runs_former_waiting_key";--> statement-breakpoint
DROP INDEX "schedules_former_key";--> statement-breakpoint
DROP INDEX "grants_former_key";--> statement-breakpoint
DROP INDEX "silences_former_key";--> statement-breakpoint
DROP INDEX "variables_former_key";--> statement-breakpoint
DROP INDEX "script_versions_former_key";--> statement-breakpoint
DROP INDEX "webhook_bindings_former_key";--> statement-breakpoint
DROP INDEX "webhook_deliveries_former_key";--> statement-breakpoint
DROP INDEX "webhooks_former_key";--> statement-breakpoint
-- Rows in the form of an earlier release get the form of this one.
UPDATE "service_states" SET "degradation" = NULL
WHERE ("degradation" ->> 'resultId')::uuid IS DISTINCT FROM "last_result_id" AND "degradation" IS NOT NULL;--> statement-breakpoint
UPDATE "service_states" SET "last_failure" = jsonb_build_object(
  'error', NULL,
  'assertions', '[]'::jsonb,
  'assertionsTotal', CASE jsonb_typeof("last_failure" -> 'assertions')
    WHEN 'array' THEN jsonb_array_length("last_failure" -> 'assertions') ELSE 0 END,
  'summary', coalesce("last_failure" ->> 'error', 'the run failed')) || "last_failure"
WHERE NOT "last_failure" ?& ARRAY['error', 'assertions', 'assertionsTotal', 'summary'];--> statement-breakpoint
UPDATE "incidents" SET "failure" = jsonb_build_object(
  'summary', "summary", 'cause', "summary", 'status', 'failure', 'step', NULL, 'assertion', NULL, 'error', NULL,
  'phase', NULL, 'moreFailed', 0, 'excerpt', NULL) || "failure"
WHERE NOT "failure" ?& ARRAY[
  'summary', 'cause', 'status', 'step', 'assertion', 'error', 'phase', 'moreFailed', 'excerpt'];--> statement-breakpoint
-- Their next run sees them again.
DELETE FROM "certificates" WHERE "not_after" NOT BETWEEN '0001-01-01' AND '9999-12-31';--> statement-breakpoint
DELETE FROM "service_agent_states" WHERE "status" IS NULL OR "agent_slug" IS NULL OR "status_since" IS NULL;--> statement-breakpoint
ALTER TABLE "service_agent_states" ALTER COLUMN "status" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "service_agent_states" ALTER COLUMN "agent_slug" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "service_agent_states" ALTER COLUMN "status_since" SET NOT NULL;--> statement-breakpoint
-- The names of a webhook's changed fields without their values.
UPDATE "audit_entries" SET "details" = jsonb_build_object('hidden', "details" -> 'changed')
WHERE jsonb_typeof("details" -> 'changed') = 'array';--> statement-breakpoint
UPDATE "audit_entries" SET "details" = jsonb_set("details", '{permissions}', CASE "details" ->> 'permissions'
  WHEN '1' THEN '"read"'::jsonb WHEN '2' THEN '"write"'::jsonb ELSE '"none"'::jsonb END)
WHERE "action" = 'access.set' AND jsonb_typeof("details" -> 'permissions') = 'number';--> statement-breakpoint
-- The location of a store, which only operators may see.
UPDATE "audit_entries" SET "details" = '{}' WHERE "action" = 'body_store.forget' AND "details" <> '{}';--> statement-breakpoint
-- Deletions without a member are restored by those who may restore everything. They expire within a week.
UPDATE "deletions" SET "membership_id" = '00000000-0000-0000-0000-000000000000' WHERE "membership_id" IS NULL;--> statement-breakpoint
ALTER TABLE "deletions" ALTER COLUMN "membership_id" SET NOT NULL;
