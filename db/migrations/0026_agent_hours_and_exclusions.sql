CREATE TABLE "agent_exclusions" (
	"organization_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agent_exclusions_organization_id_agent_id_pk" PRIMARY KEY("organization_id","agent_id")
);
--> statement-breakpoint
CREATE TABLE "agent_hours" (
	"agent_id" uuid NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"alive_seconds" real DEFAULT 0 NOT NULL,
	"slots_max" integer,
	"busy_max" integer,
	"cpu_max" real,
	"lateness_max_ms" integer,
	"runs" integer DEFAULT 0 NOT NULL,
	"counted_until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "agent_hours_agent_id_hour_pk" PRIMARY KEY("agent_id","hour")
);
--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "allowed_networks" text[];--> statement-breakpoint
ALTER TABLE "agent_exclusions" ADD CONSTRAINT "agent_exclusions_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_exclusions" ADD CONSTRAINT "agent_exclusions_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_hours" ADD CONSTRAINT "agent_hours_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_hours_hour_idx" ON "agent_hours" USING btree ("hour");