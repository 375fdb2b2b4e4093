CREATE TABLE "recent_latencies" (
	"service_id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"sketch" "bytea"
);
