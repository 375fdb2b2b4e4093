-- Several labels of a service, of which `label` is the first, and the calls of its script for search.
-- Skips comments and strings, in which a call may be written. URLs as written, without escapes.
CREATE FUNCTION script_calls(script text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array(
    SELECT upper(found[1]) || ' ' || left(regexp_replace(found[2], '\\(.)', '\1', 'g'), 1024)
    FROM regexp_matches(
      script,
      '//[^\n]*|"(?:[^"\\]|\\.)*"|\m(get|post|put|patch|delete)(?:\s|//[^\n]*\n)*\((?:\s|//[^\n]*\n)*"((?:[^"\\]|\\.)*)"',
      'g'
    ) WITH ORDINALITY AS token(found, place)
    WHERE found[1] IS NOT NULL
    ORDER BY place
  )
$$;--> statement-breakpoint
ALTER TABLE "services" DROP CONSTRAINT "services_label_check";--> statement-breakpoint
ALTER TABLE "services" ADD COLUMN "labels" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
UPDATE "services" SET "labels" = ARRAY["label"] WHERE "label" IS NOT NULL;--> statement-breakpoint
UPDATE "deleted_rows" SET "row" = "row" || jsonb_build_object('labels', jsonb_build_array("row" -> 'label'))
  WHERE "table_name" = 'services' AND "row" ->> 'label' IS NOT NULL;--> statement-breakpoint
ALTER TABLE "services" DROP COLUMN "label";--> statement-breakpoint
ALTER TABLE "services" ADD COLUMN "label" text GENERATED ALWAYS AS (labels[1]) STORED;--> statement-breakpoint
ALTER TABLE "services" ADD COLUMN "calls" text[] GENERATED ALWAYS AS (script_calls(script)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "services" ADD CONSTRAINT "services_labels_check" CHECK (cardinality(labels) <= 10);
