CREATE TABLE "deleted_rows" (
	"deletion_id" uuid NOT NULL,
	"table_name" text NOT NULL,
	"position" integer NOT NULL,
	"organization_id" uuid NOT NULL,
	"id" uuid,
	"row" jsonb NOT NULL,
	"sealed" "bytea",
	CONSTRAINT "deleted_rows_deletion_id_table_name_position_pk" PRIMARY KEY("deletion_id","table_name","position")
);
--> statement-breakpoint
CREATE TABLE "deletions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"service_id" uuid,
	"name" text NOT NULL,
	"service_count" integer NOT NULL,
	"deleted_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "draft_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"membership_id" uuid NOT NULL,
	"service_id" uuid,
	"agent_id" uuid NOT NULL,
	"script" text NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"started_at" timestamp (3) with time zone,
	"result" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "draft_runs_state_check" CHECK (state in ('queued', 'running', 'done'))
);
--> statement-breakpoint
ALTER TABLE "deleted_rows" ADD CONSTRAINT "deleted_rows_deletion_id_deletions_id_fk" FOREIGN KEY ("deletion_id") REFERENCES "public"."deletions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deletions" ADD CONSTRAINT "deletions_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deletions" ADD CONSTRAINT "deletions_workspace_fkey" FOREIGN KEY ("organization_id","workspace_id") REFERENCES "public"."workspaces"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "draft_runs" ADD CONSTRAINT "draft_runs_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "draft_runs" ADD CONSTRAINT "draft_runs_membership_fkey" FOREIGN KEY ("organization_id","membership_id") REFERENCES "public"."memberships"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "draft_runs" ADD CONSTRAINT "draft_runs_service_fkey" FOREIGN KEY ("organization_id","service_id") REFERENCES "public"."services"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deletions_organization_idx" ON "deletions" USING btree ("organization_id","created_at");--> statement-breakpoint
CREATE INDEX "deletions_workspace_idx" ON "deletions" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "deletions_created_idx" ON "deletions" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "draft_runs_queue_idx" ON "draft_runs" USING btree ("agent_id","created_at") WHERE state = 'queued';--> statement-breakpoint
CREATE INDEX "draft_runs_organization_idx" ON "draft_runs" USING btree ("organization_id","created_at");--> statement-breakpoint
CREATE INDEX "draft_runs_service_idx" ON "draft_runs" USING btree ("service_id");