-- Hours are no longer added to their days with each run, but when the day is over. Days that are over stand as they are,
-- their sketches packed as server/statistics/packed-sketch.ts reads them; today's go, as its hours hold all of it.
ALTER TABLE "endpoint_days" ADD COLUMN "sketch" "bytea";--> statement-breakpoint
ALTER TABLE "run_days" ADD COLUMN "sketch" "bytea";--> statement-breakpoint
ALTER TABLE "service_states" ADD COLUMN "folded_until" timestamp (3) with time zone DEFAULT 'epoch' NOT NULL;--> statement-breakpoint
CREATE INDEX "service_states_folded_idx" ON "service_states" USING btree ("folded_until");
--> statement-breakpoint
CREATE FUNCTION pg_temp.pack_sketch(ms integer[], bins integer[], counts integer[]) RETURNS bytea LANGUAGE plpgsql AS $$
DECLARE
  packed bytea;
  numbers integer[];
  n integer;
BEGIN
  IF bins IS NOT NULL THEN
    packed := '\x01';
    SELECT array_agg(u.number ORDER BY u.i, u.place) INTO numbers FROM (
      SELECT i, 1 AS place, bin - lag(bin, 1, -1) OVER (ORDER BY i) AS number FROM unnest(bins) WITH ORDINALITY AS t(bin, i)
      UNION ALL SELECT i, 2, count FROM unnest(counts) WITH ORDINALITY AS t(count, i)
    ) AS u;
  ELSIF cardinality(ms) > 0 THEN
    packed := '\x00';
    SELECT array_agg(u.value - u.before ORDER BY u.value, u.before) INTO numbers
    FROM (SELECT value, lag(value, 1, 0) OVER (ORDER BY value) AS before FROM unnest(ms) AS value) AS u;
  END IF;
  FOREACH n IN ARRAY coalesce(numbers, '{}') LOOP
    WHILE n > 127 LOOP
      packed := packed || set_byte('\x00', 0, (n & 127) | 128);
      n := n >> 7;
    END LOOP;
    packed := packed || set_byte('\x00', 0, n);
  END LOOP;
  RETURN packed;
END $$;
--> statement-breakpoint
DELETE FROM "run_days" WHERE "day" >= date_trunc('day', now(), 'UTC');--> statement-breakpoint
DELETE FROM "endpoint_days" WHERE "day" >= date_trunc('day', now(), 'UTC');--> statement-breakpoint
DELETE FROM "assertion_days" WHERE "day" >= date_trunc('day', now(), 'UTC');--> statement-breakpoint
UPDATE "run_days" SET "sketch" = pg_temp.pack_sketch("ms", "bins", "counts");--> statement-breakpoint
UPDATE "endpoint_days" SET "sketch" = pg_temp.pack_sketch("ms", "bins", "counts");--> statement-breakpoint
INSERT INTO "service_states" ("service_id", "organization_id")
SELECT DISTINCT "service_id", "organization_id" FROM "run_hours" ON CONFLICT DO NOTHING;--> statement-breakpoint
UPDATE "service_states" SET "folded_until" = date_trunc('day', now(), 'UTC');--> statement-breakpoint
ALTER TABLE "endpoint_days" DROP COLUMN "ms";--> statement-breakpoint
ALTER TABLE "endpoint_days" DROP COLUMN "bins";--> statement-breakpoint
ALTER TABLE "endpoint_days" DROP COLUMN "counts";--> statement-breakpoint
ALTER TABLE "run_days" DROP COLUMN "ms";--> statement-breakpoint
ALTER TABLE "run_days" DROP COLUMN "bins";--> statement-breakpoint
ALTER TABLE "run_days" DROP COLUMN "counts";--> statement-breakpoint
-- Written once, they need no room for changes.
ALTER TABLE "run_days" RESET (fillfactor);--> statement-breakpoint
ALTER TABLE "endpoint_days" RESET (fillfactor);--> statement-breakpoint
ALTER TABLE "assertion_days" RESET (fillfactor);
