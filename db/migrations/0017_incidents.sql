CREATE TABLE "alert_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"membership_id" uuid,
	"webhook_id" uuid,
	"heard_through" jsonb NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"silenced_until" timestamp (3) with time zone,
	"mail_id" uuid,
	"sent_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "alert_messages_state_check" CHECK (state in ('pending', 'sent', 'failed', 'suppressed', 'held'))
);
--> statement-breakpoint
CREATE TABLE "certificates" (
	"service_id" uuid NOT NULL,
	"host" text NOT NULL,
	"organization_id" uuid NOT NULL,
	"not_after" timestamp (3) with time zone NOT NULL,
	"not_before" timestamp (3) with time zone,
	"subject" text,
	"issuer" text,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"agent_id" uuid,
	"warned_days" integer,
	CONSTRAINT "certificates_service_id_host_pk" PRIMARY KEY("service_id","host")
);
--> statement-breakpoint
CREATE TABLE "follows" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"workspace_id" uuid,
	"project_id" uuid,
	"service_id" uuid,
	"membership_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "follows_key" UNIQUE NULLS NOT DISTINCT("organization_id","membership_id","workspace_id","project_id","service_id"),
	CONSTRAINT "follows_resource_check" CHECK (num_nonnulls(workspace_id, project_id, service_id) = 1)
);
--> statement-breakpoint
CREATE TABLE "incident_notes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"incident_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"membership_id" uuid NOT NULL,
	"author_name" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "incidents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"service_id" uuid NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone NOT NULL,
	"summary" text NOT NULL,
	"failure" jsonb NOT NULL,
	"first_result_id" uuid NOT NULL,
	"last_passing_result_id" uuid,
	"recovered_result_id" uuid,
	"agents" jsonb NOT NULL,
	"acknowledged_at" timestamp (3) with time zone,
	"acknowledged_by" uuid,
	"acknowledged_name" text,
	"reminded_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "lost_agents" (
	"organization_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"lost_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "lost_agents_organization_id_agent_id_pk" PRIMARY KEY("organization_id","agent_id")
);
--> statement-breakpoint
-- Locked in the order in which workers store results, so that a worker of the former release causes no deadlock.
ALTER TABLE "service_states" ADD COLUMN "failing_since" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "service_states" ADD COLUMN "last_passing_result_id" uuid;
--> statement-breakpoint
ALTER TABLE "previous_results" ADD COLUMN "status" text;
--> statement-breakpoint
ALTER TABLE "previous_results" ADD COLUMN "agent_slug" text;
--> statement-breakpoint
ALTER TABLE "previous_results" ADD COLUMN "status_since" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "previous_results" ADD COLUMN "failing_runs" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "previous_results" ADD COLUMN "failing_since" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "previous_results" ADD COLUMN "is_failed" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "previous_results" ADD COLUMN "service_runs" bigint;
--> statement-breakpoint
ALTER TABLE "previous_results" ADD COLUMN "summary" text;
--> statement-breakpoint
ALTER TABLE "results" ADD COLUMN "summary" text;
--> statement-breakpoint
ALTER TABLE "alert_events" ALTER COLUMN "service_id" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "alert_events" ALTER COLUMN "result_id" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "alert_events" ADD COLUMN "incident_id" uuid;
--> statement-breakpoint
ALTER TABLE "alert_events" ADD COLUMN "agent_id" uuid;
--> statement-breakpoint
ALTER TABLE "alert_events" ADD COLUMN "suppressed_reason" text;
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "sent_body" text;
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "response_body" text;
--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "preset" text DEFAULT 'json' NOT NULL;
--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "last_seen_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "alert_messages" ADD CONSTRAINT "alert_messages_event_fkey" FOREIGN KEY ("event_id") REFERENCES "public"."alert_events"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_workspace_fkey" FOREIGN KEY ("organization_id","workspace_id") REFERENCES "public"."workspaces"("organization_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_project_fkey" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_service_fkey" FOREIGN KEY ("organization_id","service_id") REFERENCES "public"."services"("organization_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_membership_fkey" FOREIGN KEY ("organization_id","membership_id") REFERENCES "public"."memberships"("organization_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "incident_notes" ADD CONSTRAINT "incident_notes_incident_fkey" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "alert_messages_event_idx" ON "alert_messages" USING btree ("event_id");
--> statement-breakpoint
CREATE INDEX "alert_messages_open_idx" ON "alert_messages" USING btree ("membership_id","created_at") WHERE state in ('pending', 'held');
--> statement-breakpoint
CREATE INDEX "certificates_expiry_idx" ON "certificates" USING btree ("not_after");
--> statement-breakpoint
CREATE INDEX "follows_membership_idx" ON "follows" USING btree ("membership_id");
--> statement-breakpoint
CREATE INDEX "follows_workspace_idx" ON "follows" USING btree ("workspace_id");
--> statement-breakpoint
CREATE INDEX "follows_project_idx" ON "follows" USING btree ("project_id");
--> statement-breakpoint
CREATE INDEX "follows_service_idx" ON "follows" USING btree ("service_id");
--> statement-breakpoint
CREATE INDEX "incident_notes_incident_idx" ON "incident_notes" USING btree ("incident_id","created_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "incidents_open_key" ON "incidents" USING btree ("service_id") WHERE closed_at is null;
--> statement-breakpoint
CREATE INDEX "incidents_service_idx" ON "incidents" USING btree ("service_id","opened_at");
--> statement-breakpoint
CREATE INDEX "incidents_list_idx" ON "incidents" USING btree ("organization_id",(closed_at is null),"opened_at","id");
--> statement-breakpoint
CREATE INDEX "alert_events_incident_idx" ON "alert_events" USING btree ("incident_id","created_at");
--> statement-breakpoint
CREATE INDEX "alert_events_organization_idx" ON "alert_events" USING btree ("organization_id","created_at");
--> statement-breakpoint
CREATE INDEX "variables_reminders_idx" ON "variables" USING btree ("service_id") WHERE key = 'remindMinutes' and system_type is not null and value <> '0';
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_event_idx" ON "webhook_deliveries" USING btree ("event_id");
--> statement-breakpoint
-- Every service gets the system variable that turns reminders on. A variable that a member gave this name keeps its value.
INSERT INTO "variables" ("id", "organization_id", "service_id", "key", "type", "value", "system_type")
SELECT gen_random_uuid(), "organization_id", "id", 'remindMinutes', 'metric', '0', 'integer' FROM "services"
ON CONFLICT DO NOTHING;
--> statement-breakpoint
-- A service that was failed already gets an incident, so that its recovery closes one.
INSERT INTO "incidents" ("id", "organization_id", "service_id", "opened_at", "failing_since", "summary", "failure", "first_result_id", "agents")
SELECT gen_random_uuid(), "organization_id", "service_id", coalesce("last_status_since", now()), coalesce("last_status_since", now()),
  coalesce("last_failure"->>'error', 'an assertion failed'), '{}', "last_result_id", '[]'
FROM "service_states" WHERE "is_alerting" AND "last_result_id" IS NOT NULL;
--> statement-breakpoint
-- The agents of a service that was failed already are failed if their last runs failed, so that the first run of one of
-- several agents does not count as a recovery.
UPDATE "previous_results" p SET "status" = r."status", "agent_slug" = r."agent_slug", "status_since" = r."started_at",
  "failing_runs" = 1, "failing_since" = r."started_at", "is_failed" = true
FROM "service_states" s, "results" r
WHERE s."service_id" = p."service_id" AND s."is_alerting" AND r."organization_id" = p."organization_id"
  AND r."service_id" = p."service_id" AND r."started_at" = p."started_at" AND r."id" = p."result_id"
  AND r."status" IN ('failure', 'timeout');
