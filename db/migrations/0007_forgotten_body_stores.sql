CREATE TABLE "forgotten_body_stores" (
	"organization_id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	"forgotten_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "forgotten_body_stores_organization_id_store_id_pk" PRIMARY KEY("organization_id","store_id")
);
--> statement-breakpoint
ALTER TABLE "body_stores" ADD COLUMN "last_used_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "forgotten_body_stores" ADD CONSTRAINT "forgotten_body_stores_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "forgotten_body_stores" ADD CONSTRAINT "forgotten_body_stores_store_id_body_stores_id_fk" FOREIGN KEY ("store_id") REFERENCES "public"."body_stores"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- A store that was forgotten for the whole installation is forgotten for each of its organizations.
INSERT INTO "forgotten_body_stores" ("organization_id", "store_id", "forgotten_at")
SELECT o."id", s."id", s."forgotten_at" FROM "body_stores" s CROSS JOIN "organizations" o WHERE s."forgotten_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "body_stores" DROP COLUMN "forgotten_at";