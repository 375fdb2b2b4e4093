-- Hours of folded days, packed for statistics of a week. Days that are folded already stay without: they are read from
-- their hours, until they leave the week.
CREATE TABLE "packed_days" (
	"organization_id" uuid NOT NULL,
	"service_id" uuid NOT NULL,
	"day" timestamp (3) with time zone NOT NULL,
	"results" integer NOT NULL,
	"runs" "bytea" NOT NULL,
	"endpoints" "bytea" NOT NULL,
	CONSTRAINT "packed_days_organization_id_service_id_day_pk" PRIMARY KEY("organization_id","service_id","day")
);
