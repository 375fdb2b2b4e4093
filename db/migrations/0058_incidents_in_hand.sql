CREATE TABLE "incident_changes" (
	"id" uuid NOT NULL,
	"incident_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"membership_id" uuid NOT NULL,
	"member_name" text NOT NULL,
	"value" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "incident_changes_pkey" PRIMARY KEY("organization_id","id")
);
--> statement-breakpoint
CREATE TABLE "incident_post_mortems" (
	"incident_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"text" text NOT NULL,
	"membership_id" uuid NOT NULL,
	"author_name" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "incident_post_mortems_pkey" PRIMARY KEY("organization_id","incident_id")
);
--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "severity" text;--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "assigned_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "assigned_to" uuid;--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "assigned_name" text;--> statement-breakpoint
ALTER TABLE "incident_changes" ADD CONSTRAINT "incident_changes_incident_fkey" FOREIGN KEY ("organization_id","incident_id") REFERENCES "public"."incidents"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_post_mortems" ADD CONSTRAINT "incident_post_mortems_incident_fkey" FOREIGN KEY ("organization_id","incident_id") REFERENCES "public"."incidents"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "incident_changes_incident_idx" ON "incident_changes" USING btree ("incident_id","created_at");--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_severity_check" CHECK (severity in ('critical', 'high', 'medium', 'low'));--> statement-breakpoint
-- The timeline reads acknowledgements from the changes, because one can be taken back.
INSERT INTO "incident_changes" ("id", "incident_id", "organization_id", "kind", "membership_id", "member_name", "created_at")
SELECT gen_random_uuid(), "id", "organization_id", 'acknowledged', "acknowledged_by", coalesce("acknowledged_name", ''), "acknowledged_at"
FROM "incidents" WHERE "acknowledged_at" IS NOT NULL AND "acknowledged_by" IS NOT NULL;
