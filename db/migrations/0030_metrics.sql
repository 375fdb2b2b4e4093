CREATE UNLOGGED TABLE "process_metrics" (
	"process_id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"families" "bytea" NOT NULL,
	"size_bytes" integer NOT NULL,
	"stored_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "project_tokens" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"digest" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "project_tokens_digest_key" UNIQUE("digest"),
	CONSTRAINT "project_tokens_name_key" UNIQUE("project_id","name")
);
--> statement-breakpoint
ALTER TABLE "project_tokens" ADD CONSTRAINT "project_tokens_project_fkey" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "process_metrics_stored_idx" ON "process_metrics" USING btree ("stored_at");--> statement-breakpoint
CREATE INDEX "project_tokens_project_idx" ON "project_tokens" USING btree ("organization_id","project_id");