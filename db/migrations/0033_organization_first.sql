-- Every key of a table with rows of organizations begins with the organization, so that a distributed database can place
-- the rows by it. `results` and the roll-ups already have such keys. The unique indexes named `former` are for processes
-- of the former release, which still run meanwhile: they look rows up by the id alone, and name these columns in
-- `on conflict`. The next release drops them. `runs` has an index on its id that is not unique and stays, because no
-- process of that release names it in `on conflict`.
-- All locks are taken at once, before any work, so that a deadlock with such a process costs nothing.
LOCK TABLE "alert_events", "alert_messages", "api_keys", "audit_entries", "batch_runs", "certificates", "deleted_rows", "deletions", "domains", "draft_runs", "follows", "grants", "group_members", "groups", "idempotent_answers", "incident_notes", "incidents", "invitations", "key_usage", "memberships", "previous_results", "project_tokens", "projects", "recent_latencies", "run_batches", "run_requests", "runs", "schedules", "script_versions", "service_agents", "service_states", "services", "silences", "variables", "webhook_bindings", "webhook_deliveries", "webhooks", "workspaces" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
ALTER TABLE "alert_messages" DROP CONSTRAINT "alert_messages_event_fkey";--> statement-breakpoint
ALTER TABLE "incident_notes" DROP CONSTRAINT "incident_notes_incident_fkey";--> statement-breakpoint
ALTER TABLE "key_usage" DROP CONSTRAINT "key_usage_key_id_api_keys_id_fk";--> statement-breakpoint
ALTER TABLE "deleted_rows" DROP CONSTRAINT "deleted_rows_deletion_id_deletions_id_fk";--> statement-breakpoint
ALTER TABLE "idempotent_answers" DROP CONSTRAINT "idempotent_answers_key_id_api_keys_id_fk";--> statement-breakpoint
ALTER TABLE "batch_runs" DROP CONSTRAINT "batch_runs_batch_id_run_batches_id_fk";--> statement-breakpoint
ALTER TABLE "deletions" DROP CONSTRAINT "deletions_workspace_fkey";--> statement-breakpoint
ALTER TABLE "draft_runs" DROP CONSTRAINT "draft_runs_membership_fkey";--> statement-breakpoint
ALTER TABLE "draft_runs" DROP CONSTRAINT "draft_runs_service_fkey";--> statement-breakpoint
ALTER TABLE "follows" DROP CONSTRAINT "follows_membership_fkey";--> statement-breakpoint
ALTER TABLE "follows" DROP CONSTRAINT "follows_project_fkey";--> statement-breakpoint
ALTER TABLE "follows" DROP CONSTRAINT "follows_service_fkey";--> statement-breakpoint
ALTER TABLE "follows" DROP CONSTRAINT "follows_workspace_fkey";--> statement-breakpoint
ALTER TABLE "grants" DROP CONSTRAINT "grants_group_fkey";--> statement-breakpoint
ALTER TABLE "grants" DROP CONSTRAINT "grants_membership_fkey";--> statement-breakpoint
ALTER TABLE "grants" DROP CONSTRAINT "grants_project_fkey";--> statement-breakpoint
ALTER TABLE "grants" DROP CONSTRAINT "grants_service_fkey";--> statement-breakpoint
ALTER TABLE "grants" DROP CONSTRAINT "grants_workspace_fkey";--> statement-breakpoint
ALTER TABLE "group_members" DROP CONSTRAINT "group_members_group_fkey";--> statement-breakpoint
ALTER TABLE "group_members" DROP CONSTRAINT "group_members_membership_fkey";--> statement-breakpoint
ALTER TABLE "project_tokens" DROP CONSTRAINT "project_tokens_project_fkey";--> statement-breakpoint
ALTER TABLE "projects" DROP CONSTRAINT "projects_workspace_fkey";--> statement-breakpoint
ALTER TABLE "runs" DROP CONSTRAINT "runs_service_fkey";--> statement-breakpoint
ALTER TABLE "schedules" DROP CONSTRAINT "schedules_service_fkey";--> statement-breakpoint
ALTER TABLE "service_agents" DROP CONSTRAINT "service_agents_service_fkey";--> statement-breakpoint
ALTER TABLE "services" DROP CONSTRAINT "services_project_fkey";--> statement-breakpoint
ALTER TABLE "silences" DROP CONSTRAINT "silences_membership_fkey";--> statement-breakpoint
ALTER TABLE "silences" DROP CONSTRAINT "silences_project_fkey";--> statement-breakpoint
ALTER TABLE "silences" DROP CONSTRAINT "silences_service_fkey";--> statement-breakpoint
ALTER TABLE "silences" DROP CONSTRAINT "silences_workspace_fkey";--> statement-breakpoint
ALTER TABLE "variables" DROP CONSTRAINT "variables_project_fkey";--> statement-breakpoint
ALTER TABLE "variables" DROP CONSTRAINT "variables_service_fkey";--> statement-breakpoint
ALTER TABLE "variables" DROP CONSTRAINT "variables_workspace_fkey";--> statement-breakpoint
ALTER TABLE "webhook_bindings" DROP CONSTRAINT "webhook_bindings_project_fkey";--> statement-breakpoint
ALTER TABLE "webhook_bindings" DROP CONSTRAINT "webhook_bindings_service_fkey";--> statement-breakpoint
ALTER TABLE "webhook_bindings" DROP CONSTRAINT "webhook_bindings_webhook_fkey";--> statement-breakpoint
ALTER TABLE "webhook_bindings" DROP CONSTRAINT "webhook_bindings_workspace_fkey";--> statement-breakpoint
ALTER TABLE "webhook_deliveries" DROP CONSTRAINT "webhook_deliveries_webhook_fkey";--> statement-breakpoint
ALTER TABLE "alert_events" DROP CONSTRAINT "alert_events_result_key";--> statement-breakpoint
ALTER TABLE "project_tokens" DROP CONSTRAINT "project_tokens_name_key";--> statement-breakpoint
ALTER TABLE "idempotent_answers" DROP CONSTRAINT "idempotent_answers_digest_key";--> statement-breakpoint
ALTER TABLE "groups" DROP CONSTRAINT "groups_organization_id_key";--> statement-breakpoint
ALTER TABLE "memberships" DROP CONSTRAINT "memberships_organization_id_key";--> statement-breakpoint
ALTER TABLE "projects" DROP CONSTRAINT "projects_organization_id_key";--> statement-breakpoint
ALTER TABLE "projects" DROP CONSTRAINT "projects_name_key";--> statement-breakpoint
ALTER TABLE "services" DROP CONSTRAINT "services_organization_id_key";--> statement-breakpoint
ALTER TABLE "services" DROP CONSTRAINT "services_name_key";--> statement-breakpoint
ALTER TABLE "workspaces" DROP CONSTRAINT "workspaces_organization_id_key";--> statement-breakpoint
ALTER TABLE "runs" DROP CONSTRAINT "runs_slot_key";--> statement-breakpoint
ALTER TABLE "webhooks" DROP CONSTRAINT "webhooks_organization_id_key";--> statement-breakpoint
DROP INDEX "incidents_open_key";--> statement-breakpoint
DROP INDEX "runs_waiting_key";--> statement-breakpoint
ALTER TABLE "certificates" DROP CONSTRAINT "certificates_service_id_host_pk";--> statement-breakpoint
ALTER TABLE "key_usage" DROP CONSTRAINT "key_usage_key_id_operation_hour_pk";--> statement-breakpoint
ALTER TABLE "deleted_rows" DROP CONSTRAINT "deleted_rows_deletion_id_table_name_position_pk";--> statement-breakpoint
ALTER TABLE "group_members" DROP CONSTRAINT "group_members_group_id_membership_id_pk";--> statement-breakpoint
ALTER TABLE "service_agents" DROP CONSTRAINT "service_agents_service_id_agent_id_pk";--> statement-breakpoint
ALTER TABLE "previous_results" DROP CONSTRAINT "previous_results_service_id_agent_id_pk";--> statement-breakpoint
ALTER TABLE "batch_runs" DROP CONSTRAINT "batch_runs_pkey";--> statement-breakpoint
ALTER TABLE "script_versions" DROP CONSTRAINT "script_versions_pkey";--> statement-breakpoint
ALTER TABLE "alert_events" DROP CONSTRAINT "alert_events_pkey";--> statement-breakpoint
ALTER TABLE "alert_messages" DROP CONSTRAINT "alert_messages_pkey";--> statement-breakpoint
ALTER TABLE "follows" DROP CONSTRAINT "follows_pkey";--> statement-breakpoint
ALTER TABLE "incident_notes" DROP CONSTRAINT "incident_notes_pkey";--> statement-breakpoint
ALTER TABLE "incidents" DROP CONSTRAINT "incidents_pkey";--> statement-breakpoint
ALTER TABLE "audit_entries" DROP CONSTRAINT "audit_entries_pkey";--> statement-breakpoint
ALTER TABLE "api_keys" DROP CONSTRAINT "api_keys_pkey";--> statement-breakpoint
ALTER TABLE "project_tokens" DROP CONSTRAINT "project_tokens_pkey";--> statement-breakpoint
ALTER TABLE "deletions" DROP CONSTRAINT "deletions_pkey";--> statement-breakpoint
ALTER TABLE "draft_runs" DROP CONSTRAINT "draft_runs_pkey";--> statement-breakpoint
ALTER TABLE "idempotent_answers" DROP CONSTRAINT "idempotent_answers_pkey";--> statement-breakpoint
ALTER TABLE "domains" DROP CONSTRAINT "domains_pkey";--> statement-breakpoint
ALTER TABLE "groups" DROP CONSTRAINT "groups_pkey";--> statement-breakpoint
ALTER TABLE "invitations" DROP CONSTRAINT "invitations_pkey";--> statement-breakpoint
ALTER TABLE "memberships" DROP CONSTRAINT "memberships_pkey";--> statement-breakpoint
ALTER TABLE "projects" DROP CONSTRAINT "projects_pkey";--> statement-breakpoint
ALTER TABLE "services" DROP CONSTRAINT "services_pkey";--> statement-breakpoint
ALTER TABLE "workspaces" DROP CONSTRAINT "workspaces_pkey";--> statement-breakpoint
ALTER TABLE "recent_latencies" DROP CONSTRAINT "recent_latencies_pkey";--> statement-breakpoint
ALTER TABLE "service_states" DROP CONSTRAINT "service_states_pkey";--> statement-breakpoint
ALTER TABLE "run_batches" DROP CONSTRAINT "run_batches_pkey";--> statement-breakpoint
ALTER TABLE "run_requests" DROP CONSTRAINT "run_requests_pkey";--> statement-breakpoint
ALTER TABLE "runs" DROP CONSTRAINT "runs_pkey";--> statement-breakpoint
ALTER TABLE "schedules" DROP CONSTRAINT "schedules_pkey";--> statement-breakpoint
ALTER TABLE "grants" DROP CONSTRAINT "grants_pkey";--> statement-breakpoint
ALTER TABLE "silences" DROP CONSTRAINT "silences_pkey";--> statement-breakpoint
ALTER TABLE "variables" DROP CONSTRAINT "variables_pkey";--> statement-breakpoint
ALTER TABLE "webhook_bindings" DROP CONSTRAINT "webhook_bindings_pkey";--> statement-breakpoint
ALTER TABLE "webhook_deliveries" DROP CONSTRAINT "webhook_deliveries_pkey";--> statement-breakpoint
ALTER TABLE "webhooks" DROP CONSTRAINT "webhooks_pkey";--> statement-breakpoint
ALTER TABLE "alert_events" ADD CONSTRAINT "alert_events_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "alert_messages" ADD CONSTRAINT "alert_messages_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "certificates" ADD CONSTRAINT "certificates_pkey" PRIMARY KEY("organization_id","service_id","host");--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "incident_notes" ADD CONSTRAINT "incident_notes_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "key_usage" ADD CONSTRAINT "key_usage_pkey" PRIMARY KEY("organization_id","key_id","operation","hour");--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "project_tokens" ADD CONSTRAINT "project_tokens_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "deleted_rows" ADD CONSTRAINT "deleted_rows_pkey" PRIMARY KEY("organization_id","deletion_id","table_name","position");--> statement-breakpoint
ALTER TABLE "deletions" ADD CONSTRAINT "deletions_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "draft_runs" ADD CONSTRAINT "draft_runs_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "idempotent_answers" ADD CONSTRAINT "idempotent_answers_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "domains" ADD CONSTRAINT "domains_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_pkey" PRIMARY KEY("organization_id","group_id","membership_id");--> statement-breakpoint
ALTER TABLE "groups" ADD CONSTRAINT "groups_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "service_agents" ADD CONSTRAINT "service_agents_pkey" PRIMARY KEY("organization_id","service_id","agent_id");--> statement-breakpoint
ALTER TABLE "services" ADD CONSTRAINT "services_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "previous_results" ADD CONSTRAINT "previous_results_pkey" PRIMARY KEY("organization_id","service_id","agent_id");--> statement-breakpoint
ALTER TABLE "recent_latencies" ADD CONSTRAINT "recent_latencies_pkey" PRIMARY KEY("organization_id","service_id");--> statement-breakpoint
ALTER TABLE "service_states" ADD CONSTRAINT "service_states_pkey" PRIMARY KEY("organization_id","service_id");--> statement-breakpoint
ALTER TABLE "run_batches" ADD CONSTRAINT "run_batches_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "run_requests" ADD CONSTRAINT "run_requests_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_pkey" PRIMARY KEY("organization_id","service_id");--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "silences" ADD CONSTRAINT "silences_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "variables" ADD CONSTRAINT "variables_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "webhook_bindings" ADD CONSTRAINT "webhook_bindings_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_pkey" PRIMARY KEY("organization_id","id");--> statement-breakpoint
ALTER TABLE "batch_runs" ADD CONSTRAINT "batch_runs_pkey" PRIMARY KEY("organization_id","batch_id","service_id");--> statement-breakpoint
ALTER TABLE "script_versions" ADD CONSTRAINT "script_versions_pkey" PRIMARY KEY("organization_id","service_id","version");--> statement-breakpoint
CREATE UNIQUE INDEX "incidents_open_key" ON "incidents" USING btree ("organization_id","service_id") WHERE closed_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "runs_waiting_key" ON "runs" USING btree ("organization_id","service_id") WHERE state = 'waiting';--> statement-breakpoint
ALTER TABLE "alert_events" ADD CONSTRAINT "alert_events_result_key" UNIQUE("organization_id","result_id","kind");--> statement-breakpoint
ALTER TABLE "project_tokens" ADD CONSTRAINT "project_tokens_name_key" UNIQUE("organization_id","project_id","name");--> statement-breakpoint
ALTER TABLE "idempotent_answers" ADD CONSTRAINT "idempotent_answers_digest_key" UNIQUE("organization_id","key_id","digest");--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_name_key" UNIQUE("organization_id","workspace_id","name");--> statement-breakpoint
ALTER TABLE "services" ADD CONSTRAINT "services_name_key" UNIQUE("organization_id","project_id","name");--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_slot_key" UNIQUE("organization_id","service_id","slot","agent_id","cause");--> statement-breakpoint
-- After the keys, because conflicts are met first in the index that is older.
CREATE UNIQUE INDEX "alert_events_former_key" ON "alert_events" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "alert_messages_former_key" ON "alert_messages" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "certificates_former_key" ON "certificates" USING btree ("service_id","host");--> statement-breakpoint
CREATE UNIQUE INDEX "follows_former_key" ON "follows" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "incident_notes_former_key" ON "incident_notes" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "incidents_former_key" ON "incidents" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_entries_former_key" ON "audit_entries" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "key_usage_former_key" ON "key_usage" USING btree ("key_id","operation","hour");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_former_key" ON "api_keys" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "project_tokens_former_key" ON "project_tokens" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "deleted_rows_former_key" ON "deleted_rows" USING btree ("deletion_id","table_name","position");--> statement-breakpoint
CREATE UNIQUE INDEX "deletions_former_key" ON "deletions" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "draft_runs_former_key" ON "draft_runs" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "idempotent_answers_former_key" ON "idempotent_answers" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "idempotent_answers_former_digest_key" ON "idempotent_answers" USING btree ("key_id","digest");--> statement-breakpoint
CREATE UNIQUE INDEX "domains_former_key" ON "domains" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "group_members_former_key" ON "group_members" USING btree ("group_id","membership_id");--> statement-breakpoint
CREATE UNIQUE INDEX "groups_former_key" ON "groups" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_former_key" ON "invitations" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "memberships_former_key" ON "memberships" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "projects_former_key" ON "projects" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "service_agents_former_key" ON "service_agents" USING btree ("service_id","agent_id");--> statement-breakpoint
CREATE UNIQUE INDEX "services_former_key" ON "services" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "workspaces_former_key" ON "workspaces" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "previous_results_former_key" ON "previous_results" USING btree ("service_id","agent_id");--> statement-breakpoint
CREATE UNIQUE INDEX "recent_latencies_former_key" ON "recent_latencies" USING btree ("service_id");--> statement-breakpoint
CREATE UNIQUE INDEX "service_states_former_key" ON "service_states" USING btree ("service_id");--> statement-breakpoint
CREATE UNIQUE INDEX "batch_runs_former_key" ON "batch_runs" USING btree ("batch_id","service_id");--> statement-breakpoint
CREATE UNIQUE INDEX "run_batches_former_key" ON "run_batches" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "run_requests_former_key" ON "run_requests" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "runs_former_waiting_key" ON "runs" USING btree ("service_id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "runs_id_idx" ON "runs" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "schedules_former_key" ON "schedules" USING btree ("service_id");--> statement-breakpoint
CREATE UNIQUE INDEX "grants_former_key" ON "grants" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "silences_former_key" ON "silences" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "variables_former_key" ON "variables" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "script_versions_former_key" ON "script_versions" USING btree ("service_id","version");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_bindings_former_key" ON "webhook_bindings" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_former_key" ON "webhook_deliveries" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhooks_former_key" ON "webhooks" USING btree ("id");--> statement-breakpoint
ALTER TABLE "alert_messages" ADD CONSTRAINT "alert_messages_event_fkey" FOREIGN KEY ("organization_id","event_id") REFERENCES "public"."alert_events"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_notes" ADD CONSTRAINT "incident_notes_incident_fkey" FOREIGN KEY ("organization_id","incident_id") REFERENCES "public"."incidents"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_usage" ADD CONSTRAINT "key_usage_api_key_fkey" FOREIGN KEY ("organization_id","key_id") REFERENCES "public"."api_keys"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deleted_rows" ADD CONSTRAINT "deleted_rows_deletion_fkey" FOREIGN KEY ("organization_id","deletion_id") REFERENCES "public"."deletions"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotent_answers" ADD CONSTRAINT "idempotent_answers_api_key_fkey" FOREIGN KEY ("organization_id","key_id") REFERENCES "public"."api_keys"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_runs" ADD CONSTRAINT "batch_runs_batch_fkey" FOREIGN KEY ("organization_id","batch_id") REFERENCES "public"."run_batches"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deletions" ADD CONSTRAINT "deletions_workspace_fkey" FOREIGN KEY ("organization_id","workspace_id") REFERENCES "public"."workspaces"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "draft_runs" ADD CONSTRAINT "draft_runs_membership_fkey" FOREIGN KEY ("organization_id","membership_id") REFERENCES "public"."memberships"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "draft_runs" ADD CONSTRAINT "draft_runs_service_fkey" FOREIGN KEY ("organization_id","service_id") REFERENCES "public"."services"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_membership_fkey" FOREIGN KEY ("organization_id","membership_id") REFERENCES "public"."memberships"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_project_fkey" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_service_fkey" FOREIGN KEY ("organization_id","service_id") REFERENCES "public"."services"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_workspace_fkey" FOREIGN KEY ("organization_id","workspace_id") REFERENCES "public"."workspaces"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_group_fkey" FOREIGN KEY ("organization_id","group_id") REFERENCES "public"."groups"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_membership_fkey" FOREIGN KEY ("organization_id","membership_id") REFERENCES "public"."memberships"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_project_fkey" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_service_fkey" FOREIGN KEY ("organization_id","service_id") REFERENCES "public"."services"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_workspace_fkey" FOREIGN KEY ("organization_id","workspace_id") REFERENCES "public"."workspaces"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_group_fkey" FOREIGN KEY ("organization_id","group_id") REFERENCES "public"."groups"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_membership_fkey" FOREIGN KEY ("organization_id","membership_id") REFERENCES "public"."memberships"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_tokens" ADD CONSTRAINT "project_tokens_project_fkey" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_workspace_fkey" FOREIGN KEY ("organization_id","workspace_id") REFERENCES "public"."workspaces"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_service_fkey" FOREIGN KEY ("organization_id","service_id") REFERENCES "public"."services"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_service_fkey" FOREIGN KEY ("organization_id","service_id") REFERENCES "public"."services"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_agents" ADD CONSTRAINT "service_agents_service_fkey" FOREIGN KEY ("organization_id","service_id") REFERENCES "public"."services"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "services" ADD CONSTRAINT "services_project_fkey" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "silences" ADD CONSTRAINT "silences_membership_fkey" FOREIGN KEY ("organization_id","membership_id") REFERENCES "public"."memberships"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "silences" ADD CONSTRAINT "silences_project_fkey" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "silences" ADD CONSTRAINT "silences_service_fkey" FOREIGN KEY ("organization_id","service_id") REFERENCES "public"."services"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "silences" ADD CONSTRAINT "silences_workspace_fkey" FOREIGN KEY ("organization_id","workspace_id") REFERENCES "public"."workspaces"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "variables" ADD CONSTRAINT "variables_project_fkey" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "variables" ADD CONSTRAINT "variables_service_fkey" FOREIGN KEY ("organization_id","service_id") REFERENCES "public"."services"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "variables" ADD CONSTRAINT "variables_workspace_fkey" FOREIGN KEY ("organization_id","workspace_id") REFERENCES "public"."workspaces"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_bindings" ADD CONSTRAINT "webhook_bindings_project_fkey" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_bindings" ADD CONSTRAINT "webhook_bindings_service_fkey" FOREIGN KEY ("organization_id","service_id") REFERENCES "public"."services"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_bindings" ADD CONSTRAINT "webhook_bindings_webhook_fkey" FOREIGN KEY ("organization_id","webhook_id") REFERENCES "public"."webhooks"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_bindings" ADD CONSTRAINT "webhook_bindings_workspace_fkey" FOREIGN KEY ("organization_id","workspace_id") REFERENCES "public"."workspaces"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_fkey" FOREIGN KEY ("organization_id","webhook_id") REFERENCES "public"."webhooks"("organization_id","id") ON DELETE cascade ON UPDATE no action;
