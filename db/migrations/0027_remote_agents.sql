CREATE TABLE "agent_enrolments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid,
	"agent_id" uuid NOT NULL,
	"token_digest" "bytea" NOT NULL,
	"created_by" uuid,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agent_enrolments_token_key" UNIQUE("token_digest")
);
--> statement-breakpoint
CREATE TABLE "agent_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"agent_id" uuid NOT NULL,
	"public_key" "bytea" NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "agent_keys_public_key" UNIQUE("public_key"),
	CONSTRAINT "agent_keys_public_key_check" CHECK (octet_length(public_key) = 32)
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "agent_nonces" (
	"key_id" uuid NOT NULL,
	"nonce" "bytea" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "agent_nonces_key_id_nonce_pk" PRIMARY KEY("key_id","nonce")
);
--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "leased_version" integer;--> statement-breakpoint
ALTER TABLE "workers" ADD COLUMN "kind" text DEFAULT 'worker' NOT NULL;--> statement-breakpoint
ALTER TABLE "workers" ADD COLUMN "key_id" uuid;--> statement-breakpoint
ALTER TABLE "workers" ADD COLUMN "version" text;--> statement-breakpoint
ALTER TABLE "workers" ADD COLUMN "address" text;--> statement-breakpoint
ALTER TABLE "workers" ADD COLUMN "slots" integer;--> statement-breakpoint
ALTER TABLE "workers" ADD COLUMN "busy" integer;--> statement-breakpoint
ALTER TABLE "workers" ADD COLUMN "cpu" real;--> statement-breakpoint
ALTER TABLE "workers" ADD COLUMN "lateness_ms" integer;--> statement-breakpoint
ALTER TABLE "workers" ADD COLUMN "clock_offset_ms" integer;--> statement-breakpoint
ALTER TABLE "workers" ADD COLUMN "stale_seconds" integer;--> statement-breakpoint
ALTER TABLE "workers" ADD COLUMN "allowed_networks" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "agent_enrolments" ADD CONSTRAINT "agent_enrolments_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_enrolments" ADD CONSTRAINT "agent_enrolments_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_keys" ADD CONSTRAINT "agent_keys_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_enrolments_agent_idx" ON "agent_enrolments" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "agent_enrolments_expires_idx" ON "agent_enrolments" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "agent_keys_agent_idx" ON "agent_keys" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "agent_nonces_expires_idx" ON "agent_nonces" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "workers" ADD CONSTRAINT "workers_kind_check" CHECK (kind in ('worker', 'agent'));