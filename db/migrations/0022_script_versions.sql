CREATE TABLE "script_versions" (
	"organization_id" uuid NOT NULL,
	"service_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"script" text NOT NULL,
	"actor_id" uuid,
	"actor_email" text,
	"key_name" text,
	"restored_from" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "script_versions_pkey" PRIMARY KEY("service_id","version")
);
--> statement-breakpoint
ALTER TABLE "script_versions" ADD CONSTRAINT "script_versions_service_fkey" FOREIGN KEY ("organization_id","service_id") REFERENCES "public"."services"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "script_versions_recent_idx" ON "script_versions" USING btree ("organization_id","created_at");--> statement-breakpoint
-- The present script of each service becomes its first stored version, with the author and time of its audit entry.
INSERT INTO "script_versions" ("organization_id", "service_id", "version", "script", "actor_id", "actor_email", "key_name", "created_at")
SELECT s."organization_id", s."id", s."version", s."script", a."actor_id", a."actor_email", a."key_name", coalesce(a."created_at", s."created_at")
FROM "services" s LEFT JOIN LATERAL (
  SELECT e."actor_id", e."actor_email", e."key_name", e."created_at" FROM "audit_entries" e
  WHERE e."organization_id" = s."organization_id" AND e."entity_type" = 'service' AND e."entity_id" = s."id"
    AND e."action" = 'service.script' AND e."details"->>'version' = s."version"::text
  ORDER BY e."created_at" DESC LIMIT 1
) a ON true
WHERE s."script" IS NOT NULL;
