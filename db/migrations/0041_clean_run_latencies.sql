-- The latencies of a call are taken out of their array in one pass: an array that is stored compressed is decompressed
-- for each element that is read by its index. With "offset 0", what is computed once for a row or a call is not computed
-- again wherever it is used.
CREATE OR REPLACE VIEW "clean_endpoint_hours" AS
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
	ARRAY(SELECT l.ms FROM unnest(r.clean_call_ms) WITH ORDINALITY AS l(ms, i)
		WHERE (l.i - c.n) % calls.number = 0 ORDER BY l.i) AS ms,
	NULL::integer[] AS bins, NULL::integer[] AS counts
FROM "run_hours" r
CROSS JOIN LATERAL (SELECT jsonb_array_length(r.clean_set -> 'calls') AS number OFFSET 0) AS calls
CROSS JOIN LATERAL jsonb_array_elements(r.clean_set -> 'calls') WITH ORDINALITY AS c(call, n)
CROSS JOIN LATERAL (SELECT substr(lpad(r.clean_call_sums::text, 112 * calls.number, '0'), 112 * (c.n::integer - 1) + 1, 112)
	AS digits OFFSET 0) AS sums;
