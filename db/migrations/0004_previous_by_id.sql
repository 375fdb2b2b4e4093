-- The latest result stands among the results already; a second copy of each was a quarter of what a run writes. Scripts
-- find no `prev` at their first run after this.
DELETE FROM "previous_results";--> statement-breakpoint
ALTER TABLE "previous_results" ADD COLUMN "result_id" uuid NOT NULL;--> statement-breakpoint
ALTER TABLE "previous_results" DROP COLUMN "raw";--> statement-breakpoint
-- As before, but in a language that keeps its plans: in SQL each call was planned anew, ten times the cost.
CREATE OR REPLACE FUNCTION sum_each(a integer[], b integer[]) RETURNS integer[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  FOR i IN 1..coalesce(cardinality(b), 0) LOOP
    IF a[i] IS NULL OR b[i] <> 0 THEN
      a[i] := coalesce(a[i], 0) + b[i];
    END IF;
  END LOOP;
  RETURN a;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION sum_counts(a jsonb, b jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  name text;
  n integer;
BEGIN
  FOR name, n IN SELECT * FROM jsonb_each_text(b) LOOP
    a := a || jsonb_build_object(name, coalesce((a ->> name)::integer, 0) + n);
  END LOOP;
  RETURN a;
END $$;
