CREATE TABLE "version_runs" (
	"organization_id" uuid NOT NULL,
	"service_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"first_run_at" timestamp (3) with time zone NOT NULL,
	"last_run_at" timestamp (3) with time zone NOT NULL,
	"runs" integer NOT NULL,
	"failed" integer NOT NULL,
	CONSTRAINT "version_runs_organization_id_service_id_version_pk" PRIMARY KEY("organization_id","service_id","version")
);
--> statement-breakpoint
ALTER TABLE "results" ADD COLUMN "script_version" integer;