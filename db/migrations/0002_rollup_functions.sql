-- How the transaction that stores results adds to its roll-ups. The model and its constants stand in
-- server/statistics/sketch.ts: values while there are at most 128, then counts per bin of 1 % relative error.
CREATE FUNCTION sketch_merge(
  a_ms integer[], a_bins integer[], a_counts integer[],
  b_ms integer[], b_bins integer[], b_counts integer[],
  OUT ms integer[], OUT bins integer[], OUT counts integer[]
) LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  listed integer[] := coalesce(a_ms, '{}') || coalesce(b_ms, '{}');
BEGIN
  IF a_bins IS NULL AND b_bins IS NULL AND cardinality(listed) <= 128 THEN
    ms := nullif(listed, '{}');
    RETURN;
  END IF;
  SELECT array_agg(t.bin ORDER BY t.bin), array_agg(t.n ORDER BY t.bin) INTO bins, counts
  FROM (
    SELECT u.bin, sum(u.n)::integer AS n
    FROM (
      SELECT CASE WHEN v < 1 THEN -1 ELSE ceil(ln(v::float8) / ln(1.01::float8 / 0.99::float8))::integer END AS bin, 1 AS n
      FROM unnest(listed) AS v
      UNION ALL SELECT * FROM unnest(a_bins, a_counts)
      UNION ALL SELECT * FROM unnest(b_bins, b_counts)
    ) AS u
    GROUP BY u.bin
  ) AS t;
END $$;
--> statement-breakpoint
CREATE FUNCTION sum_each(a integer[], b integer[]) RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg(coalesce(x, 0) + coalesce(y, 0) ORDER BY i) FROM unnest(a, b) WITH ORDINALITY AS t(x, y, i)
$$;
--> statement-breakpoint
CREATE FUNCTION sum_counts(a jsonb, b jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(jsonb_object_agg(t.key, t.n), '{}')
  FROM (
    SELECT u.key, sum(u.value::integer) AS n
    FROM (SELECT * FROM jsonb_each_text(a) UNION ALL SELECT * FROM jsonb_each_text(b)) AS u
    GROUP BY u.key
  ) AS t
$$;
