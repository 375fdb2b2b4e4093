CREATE TABLE "system_marks" (
	"name" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"details" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "system_samples" (
	"day" date PRIMARY KEY NOT NULL,
	"database_bytes" bigint NOT NULL,
	"result_bytes" bigint NOT NULL,
	"body_bytes" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "system_warnings" (
	"code" text NOT NULL,
	"subject" text NOT NULL,
	"detail" text NOT NULL,
	"first_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"count" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "system_warnings_code_subject_pk" PRIMARY KEY("code","subject")
);
--> statement-breakpoint
CREATE TABLE "web_processes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version" text NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"heartbeat_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "is_operator" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- The first organization is that of the operator: whoever set up the installation owned it.
UPDATE "organizations" SET "is_operator" = true WHERE "id" = (SELECT "id" FROM "organizations" ORDER BY "created_at", "id" LIMIT 1);
