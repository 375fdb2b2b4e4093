-- One form of statistics: hours and days of runs, endpoints and assertions, with sketches in two columns. What was packed,
-- or counted in a row of another table, gets rows of its own.
DROP TRIGGER service_states_refuse_to_fold_clean_runs ON "service_states";--> statement-breakpoint
DROP FUNCTION refuse_to_fold_clean_runs();--> statement-breakpoint
DROP TABLE "packed_days";--> statement-breakpoint
DROP TABLE "recent_latencies";--> statement-breakpoint
ALTER TABLE "run_days" ADD COLUMN "ms" integer[], ADD COLUMN "bins" integer[];--> statement-breakpoint
ALTER TABLE "endpoint_days" ADD COLUMN "ms" integer[], ADD COLUMN "bins" integer[];--> statement-breakpoint
-- A byte for the form, 0 for values or 1 for bins; then integers of seven bits per byte, the low bits first: the differences of
-- values, or those of bins, each followed by its count.
CREATE FUNCTION pg_temp.unpack_sketch(packed bytea, OUT ms integer[], OUT bins integer[]) LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  bytes bytea := packed || '\x';
  is_binned boolean := get_byte(bytes, 0) = 1;
  is_count boolean := false;
  numbers integer[] := '{}';
  last integer := CASE WHEN is_binned THEN -1 ELSE 0 END;
  number integer := 0;
  shift integer := 0;
  byte integer;
BEGIN
  FOR i IN 1..octet_length(bytes) - 1 LOOP
    byte := get_byte(bytes, i);
    number := number | ((byte & 127) << shift);
    shift := shift + 7;
    CONTINUE WHEN byte > 127;
    IF is_count THEN
      numbers := numbers || number;
    ELSE
      last := last + number;
      numbers := numbers || last;
    END IF;
    is_count := is_binned AND NOT is_count;
    number := 0;
    shift := 0;
  END LOOP;
  IF is_binned THEN bins := numbers; ELSE ms := numbers; END IF;
END $$;--> statement-breakpoint
UPDATE "run_days" SET (ms, bins) = (SELECT u.ms, u.bins FROM pg_temp.unpack_sketch(sketch) u) WHERE sketch IS NOT NULL;--> statement-breakpoint
UPDATE "endpoint_days" SET (ms, bins) = (SELECT u.ms, u.bins FROM pg_temp.unpack_sketch(sketch) u) WHERE sketch IS NOT NULL;--> statement-breakpoint
-- Clean runs become rows of their endpoints. An endpoint has one for each agent.
CREATE AGGREGATE pg_temp.join_ms(integer[]) (SFUNC = array_cat, STYPE = integer[]);--> statement-breakpoint
CREATE AGGREGATE pg_temp.add_counts(jsonb) (SFUNC = public.sum_counts, STYPE = jsonb, INITCOND = '{}');--> statement-breakpoint
INSERT INTO "endpoint_hours" AS r (organization_id, service_id, hour, endpoint_key, method, template, calls, failed_calls,
  status_counts, timed, dns_ms, connect_ms, tls_ms, ttfb_ms, transfer_ms, response_ms, size_bytes, ms, bins, counts)
SELECT c.organization_id, c.service_id, c.hour, c.endpoint_key, c.method, c.template, c.calls, 0,
  c.status_counts, c.timed, c.dns_ms, c.connect_ms, c.tls_ms, c.ttfb_ms, c.transfer_ms, c.response_ms, c.size_bytes,
  m.ms, m.bins, m.counts
FROM (
  SELECT organization_id, service_id, hour, endpoint_key, min(method) AS method, min(template) AS template,
    sum(calls)::integer AS calls, pg_temp.add_counts(status_counts) AS status_counts, sum(timed)::integer AS timed,
    sum(dns_ms) AS dns_ms, sum(connect_ms) AS connect_ms, sum(tls_ms) AS tls_ms, sum(ttfb_ms) AS ttfb_ms,
    sum(transfer_ms) AS transfer_ms, sum(response_ms) AS response_ms, sum(size_bytes) AS size_bytes,
    pg_temp.join_ms(ms) AS ms
  FROM "clean_endpoint_hours" GROUP BY 1, 2, 3, 4) c
CROSS JOIN LATERAL sketch_merge(c.ms, NULL, NULL, NULL, NULL, NULL) m
ORDER BY 1, 2, 3, 4
ON CONFLICT (organization_id, service_id, hour, endpoint_key) DO UPDATE SET
  calls = r.calls + excluded.calls, timed = r.timed + excluded.timed, dns_ms = r.dns_ms + excluded.dns_ms,
  connect_ms = r.connect_ms + excluded.connect_ms, tls_ms = r.tls_ms + excluded.tls_ms,
  ttfb_ms = r.ttfb_ms + excluded.ttfb_ms, transfer_ms = r.transfer_ms + excluded.transfer_ms,
  response_ms = r.response_ms + excluded.response_ms, size_bytes = r.size_bytes + excluded.size_bytes,
  status_counts = sum_counts(r.status_counts, excluded.status_counts),
  (ms, bins, counts) = (SELECT m.ms, m.bins, m.counts
    FROM sketch_merge(r.ms, r.bins, r.counts, excluded.ms, excluded.bins, excluded.counts) m);--> statement-breakpoint
-- Sets of assertions that passed together become rows of their assertions, and so do the assertions of clean runs.
CREATE FUNCTION pg_temp.members(key text, definition jsonb) RETURNS TABLE (assertion_key text, single jsonb) LANGUAGE sql IMMUTABLE AS $$
  SELECT m ->> 'key', m -> 'definition' FROM jsonb_array_elements(CASE WHEN definition ? 'assertions'
    THEN definition -> 'assertions' ELSE jsonb_build_array(jsonb_build_object('key', key, 'definition', definition)) END) m
$$;--> statement-breakpoint
INSERT INTO "assertion_hours" AS r (organization_id, service_id, hour, assertion_key, definition, evaluations, failures, last_failed_at)
SELECT s.organization_id, s.service_id, s.hour, m.assertion_key, (array_agg(m.single))[1], sum(s.evaluations), sum(s.failures),
  max(s.last_failed_at)
FROM (
  SELECT * FROM "clean_assertion_hours"
  UNION ALL SELECT organization_id, service_id, hour, assertion_key, definition, evaluations, failures, last_failed_at
  FROM "assertion_hours" WHERE definition ? 'assertions') s
CROSS JOIN LATERAL pg_temp.members(s.assertion_key, s.definition) m
GROUP BY 1, 2, 3, 4
ORDER BY 1, 2, 3, 4
ON CONFLICT (organization_id, service_id, hour, assertion_key) DO UPDATE SET evaluations = r.evaluations + excluded.evaluations,
  failures = r.failures + excluded.failures, last_failed_at = greatest(r.last_failed_at, excluded.last_failed_at);--> statement-breakpoint
DELETE FROM "assertion_hours" WHERE definition ? 'assertions';--> statement-breakpoint
INSERT INTO "assertion_days" AS r (organization_id, service_id, day, assertion_key, definition, evaluations, failures, last_failed_at)
SELECT s.organization_id, s.service_id, s.day, m.assertion_key, (array_agg(m.single))[1], sum(s.evaluations), sum(s.failures),
  max(s.last_failed_at)
FROM "assertion_days" s
CROSS JOIN LATERAL pg_temp.members(s.assertion_key, s.definition) m
WHERE s.definition ? 'assertions'
GROUP BY 1, 2, 3, 4
ORDER BY 1, 2, 3, 4
ON CONFLICT (organization_id, service_id, day, assertion_key) DO UPDATE SET evaluations = r.evaluations + excluded.evaluations,
  failures = r.failures + excluded.failures, last_failed_at = greatest(r.last_failed_at, excluded.last_failed_at);--> statement-breakpoint
DELETE FROM "assertion_days" WHERE definition ? 'assertions';--> statement-breakpoint
-- Each bin is followed by its count.
CREATE FUNCTION pg_temp.pair(bins integer[], counts integer[]) RETURNS integer[] LANGUAGE sql IMMUTABLE AS $$
  SELECT array_agg(u.number ORDER BY t.i, u.place) FROM unnest(bins, counts) WITH ORDINALITY AS t(bin, count, i)
  CROSS JOIN LATERAL (VALUES (1, t.bin), (2, t.count)) AS u(place, number)
$$;--> statement-breakpoint
UPDATE "run_hours" SET bins = pg_temp.pair(bins, counts) WHERE bins IS NOT NULL;--> statement-breakpoint
UPDATE "endpoint_hours" SET bins = pg_temp.pair(bins, counts) WHERE bins IS NOT NULL;--> statement-breakpoint
DROP VIEW "all_assertion_hours", "clean_assertion_hours", "all_endpoint_hours", "clean_endpoint_hours";--> statement-breakpoint
DROP FUNCTION pg_temp.pair(integer[], integer[]), pg_temp.members(text, jsonb), pg_temp.unpack_sketch(bytea);--> statement-breakpoint
DROP AGGREGATE pg_temp.join_ms(integer[]), pg_temp.add_counts(jsonb);--> statement-breakpoint
DROP FUNCTION sketch_merge(integer[], integer[], integer[], integer[], integer[], integer[]), sum_each(integer[], integer[]), sum_counts(jsonb, jsonb);--> statement-breakpoint
ALTER TABLE "run_days" DROP COLUMN "sketch";--> statement-breakpoint
ALTER TABLE "endpoint_days" DROP COLUMN "sketch";--> statement-breakpoint
ALTER TABLE "endpoint_hours" DROP COLUMN "counts";--> statement-breakpoint
ALTER TABLE "run_hours" DROP COLUMN "counts", DROP COLUMN "clean_runs", DROP COLUMN "clean_call_sums",
  DROP COLUMN "clean_call_ms", DROP COLUMN "clean_key", DROP COLUMN "clean_set";--> statement-breakpoint
-- No process of this release does the job that merged recent latencies.
DO $$ BEGIN
  IF to_regprocedure('graphile_worker.remove_job(text)') IS NOT NULL THEN
    PERFORM graphile_worker.remove_job('recent');
  END IF;
END $$;
