-- Views of the board that members have saved.
CREATE TABLE "saved_views" (
	"id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"membership_id" uuid NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "saved_views_pkey" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "saved_views_name_key" UNIQUE("organization_id","membership_id","name"),
	CONSTRAINT "saved_views_name_check" CHECK (char_length(name) between 1 and 64),
	CONSTRAINT "saved_views_query_check" CHECK (char_length(query) <= 2000)
);
--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_membership_fkey" FOREIGN KEY ("organization_id","membership_id") REFERENCES "public"."memberships"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "saved_views_membership_idx" ON "saved_views" USING btree ("membership_id");
