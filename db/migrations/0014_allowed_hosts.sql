-- The scoped variables that a script names, such as `p.token`: what stands in a comment counts too.
CREATE FUNCTION script_variables(script text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT array(
    SELECT DISTINCT named[1]
    FROM regexp_matches(script, '(?<!\$)\$([owps]\.[A-Za-z_][A-Za-z0-9_]*)', 'g') AS named
  )
$$;--> statement-breakpoint
ALTER TABLE "variables" ADD COLUMN "allowed_hosts" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX "services_variables_idx" ON "services" USING gin (script_variables("script"));--> statement-breakpoint
ALTER TABLE "variables" ADD CONSTRAINT "variables_allowed_hosts_check" CHECK (type = 'secret' or allowed_hosts = '{}');