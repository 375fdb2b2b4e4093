ALTER TABLE "agents" ADD COLUMN "is_remote" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- An agent with a token but without keys counts, if no worker of the installation has had its slug.
UPDATE "agents" a SET "is_remote" = true WHERE a."allowed_networks" IS NOT NULL
  OR EXISTS (SELECT 1 FROM "agent_keys" k WHERE k."agent_id" = a."id")
  OR (a."last_seen_at" IS NULL AND EXISTS (SELECT 1 FROM "agent_enrolments" e WHERE e."agent_id" = a."id")
    AND NOT EXISTS (SELECT 1 FROM "workers" w WHERE w."agent_id" = a."id"));
