-- Times in which the services of a scope wake nobody, and the results that they leave uncounted.
CREATE TABLE "maintenances" (
	"id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"workspace_id" uuid,
	"project_id" uuid,
	"service_id" uuid,
	"label" text,
	"mode" text NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"rule" text,
	"timezone" text,
	"note" text,
	"created_by" uuid NOT NULL,
	"created_name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"ended_by" uuid,
	"ended_name" text,
	CONSTRAINT "maintenances_pkey" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "maintenances_mode_check" CHECK (mode in ('skip', 'mute')),
	CONSTRAINT "maintenances_scope_check" CHECK (num_nonnulls(workspace_id, project_id, service_id) = 1),
	CONSTRAINT "maintenances_label_check" CHECK (label is null or service_id is null),
	CONSTRAINT "maintenances_times_check" CHECK (starts_at <= ends_at),
	CONSTRAINT "maintenances_rule_check" CHECK ((rule is null) = (timezone is null))
);
--> statement-breakpoint
ALTER TABLE "results" ADD COLUMN "during_maintenance" boolean;--> statement-breakpoint
ALTER TABLE "maintenances" ADD CONSTRAINT "maintenances_workspace_fkey" FOREIGN KEY ("organization_id","workspace_id") REFERENCES "public"."workspaces"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "maintenances" ADD CONSTRAINT "maintenances_project_fkey" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "maintenances" ADD CONSTRAINT "maintenances_service_fkey" FOREIGN KEY ("organization_id","service_id") REFERENCES "public"."services"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "maintenances_organization_idx" ON "maintenances" USING btree ("organization_id","ends_at");--> statement-breakpoint
CREATE INDEX "maintenances_end_idx" ON "maintenances" USING btree ("ends_at");