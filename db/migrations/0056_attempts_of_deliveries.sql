CREATE TABLE "webhook_attempts" (
	"id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"delivery_id" uuid NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"status" integer,
	"error" text,
	"latency_ms" integer NOT NULL,
	"response_body" text,
	CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY("organization_id","id")
);
--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_fkey" FOREIGN KEY ("organization_id","delivery_id") REFERENCES "public"."webhook_deliveries"("organization_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "webhook_attempts_delivery_idx" ON "webhook_attempts" USING btree ("delivery_id","started_at");
--> statement-breakpoint
-- Of each delivery, the last attempt is known. Its response is sealed to the delivery's id, so the attempt has the same.
INSERT INTO "webhook_attempts" ("id", "organization_id", "delivery_id", "started_at", "status", "error", "latency_ms", "response_body")
SELECT "id", "organization_id", "id", coalesce("delivered_at", "created_at"), "last_status", "last_error", "last_latency_ms", "response_body"
FROM "webhook_deliveries" WHERE "last_latency_ms" IS NOT NULL;
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" DROP COLUMN "response_body";
