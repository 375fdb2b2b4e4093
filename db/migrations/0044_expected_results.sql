ALTER TABLE "schedules" ADD COLUMN "expected_from" timestamp (3) with time zone DEFAULT now() NOT NULL;
