-- The runs of a script are nearly always clean: the same calls succeed, and the same assertions pass. Those of an hour are
-- counted in the hour's row of their agent: see server/record/rollups/clean-runs.ts. The latencies stand before what does not
-- change, so that the write-ahead log leaves the end of a row out.
ALTER TABLE "run_hours" ADD COLUMN "clean_runs" integer NOT NULL DEFAULT 0,
	ADD COLUMN "clean_call_sums" numeric,
	ADD COLUMN "clean_call_ms" integer[],
	ADD COLUMN "clean_key" text,
	ADD COLUMN "clean_set" jsonb;--> statement-breakpoint
-- The clean runs by endpoint. An endpoint has a row per agent. The seven sums of each call have 16 digits each.
CREATE VIEW "clean_endpoint_hours" AS
SELECT r.organization_id, r.service_id, r.hour, r.agent_slug, c.call ->> 'key' AS endpoint_key, c.call ->> 'method' AS method,
	c.call ->> 'template' AS template, r.clean_runs AS calls, 0 AS failed_calls,
	jsonb_build_object(c.call ->> 'status', r.clean_runs) AS status_counts, r.clean_runs AS timed,
	substr(sums.digits, 1, 16)::bigint AS dns_ms,
	substr(sums.digits, 17, 16)::bigint AS connect_ms,
	substr(sums.digits, 33, 16)::bigint AS tls_ms,
	substr(sums.digits, 49, 16)::bigint AS ttfb_ms,
	substr(sums.digits, 65, 16)::bigint AS transfer_ms,
	substr(sums.digits, 81, 16)::bigint AS response_ms,
	substr(sums.digits, 97, 16)::bigint AS size_bytes,
	ARRAY(SELECT r.clean_call_ms[i] FROM generate_series(c.n::integer, cardinality(r.clean_call_ms),
		jsonb_array_length(r.clean_set -> 'calls')) i) AS ms,
	NULL::integer[] AS bins, NULL::integer[] AS counts
FROM "run_hours" r
CROSS JOIN LATERAL jsonb_array_elements(r.clean_set -> 'calls') WITH ORDINALITY AS c(call, n)
CROSS JOIN LATERAL (SELECT substr(lpad(r.clean_call_sums::text, 112 * jsonb_array_length(r.clean_set -> 'calls'), '0'),
	112 * (c.n::integer - 1) + 1, 112) AS digits) AS sums;--> statement-breakpoint
CREATE VIEW "all_endpoint_hours" AS
SELECT organization_id, service_id, hour, endpoint_key, method, template, calls, failed_calls, status_counts, timed, dns_ms,
	connect_ms, tls_ms, ttfb_ms, transfer_ms, response_ms, size_bytes, ms, bins, counts
FROM "endpoint_hours"
UNION ALL
SELECT organization_id, service_id, hour, endpoint_key, method, template, calls, failed_calls, status_counts, timed, dns_ms,
	connect_ms, tls_ms, ttfb_ms, transfer_ms, response_ms, size_bytes, ms, bins, counts
FROM "clean_endpoint_hours";--> statement-breakpoint
CREATE VIEW "clean_assertion_hours" AS
SELECT organization_id, service_id, hour, clean_set #>> '{assertions,key}' AS assertion_key,
	clean_set #> '{assertions,definition}' AS definition, clean_runs AS evaluations, 0 AS failures,
	NULL::timestamp(3) with time zone AS last_failed_at
FROM "run_hours"
WHERE clean_set #>> '{assertions,key}' IS NOT NULL;--> statement-breakpoint
CREATE VIEW "all_assertion_hours" AS
SELECT organization_id, service_id, hour, assertion_key, definition, evaluations, failures, last_failed_at
FROM "assertion_hours"
UNION ALL SELECT * FROM "clean_assertion_hours";--> statement-breakpoint
-- A day is folded from the rows of endpoints and assertions. Processes of the former release do not know of clean runs: they
-- cannot fold a day that still has some, and leave it to a process that does.
CREATE FUNCTION refuse_to_fold_clean_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT FROM public.run_hours WHERE organization_id = NEW.organization_id AND service_id = NEW.service_id
		AND hour >= OLD.folded_until AND hour < NEW.folded_until AND clean_runs > 0) THEN
		RAISE EXCEPTION 'service % has clean runs before %', NEW.service_id, NEW.folded_until;
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER service_states_refuse_to_fold_clean_runs BEFORE UPDATE OF folded_until ON "service_states"
FOR EACH ROW EXECUTE FUNCTION refuse_to_fold_clean_runs();
