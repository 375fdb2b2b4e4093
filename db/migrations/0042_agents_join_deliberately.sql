ALTER TABLE "agents" DROP CONSTRAINT "agents_slug_key";--> statement-breakpoint
ALTER TABLE "agent_keys" ADD COLUMN "created_by" uuid;--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_slug_key" UNIQUE NULLS NOT DISTINCT("organization_id","slug");--> statement-breakpoint
-- The members whose tokens registered the keys: from the tokens of the last day, and from the audit log where one member
-- alone created tokens of the agent in the 15 minutes before.
UPDATE "agent_keys" k SET "created_by" = e."created_by"
FROM "agent_enrolments" e WHERE e."agent_id" = k."agent_id" AND e."used_at" = k."created_at";--> statement-breakpoint
UPDATE "agent_keys" k SET "created_by" = made.actor_id FROM (
	SELECT n.id, (array_agg(e.actor_id))[1] AS actor_id
	FROM "agent_keys" n JOIN "agents" a ON a.id = n.agent_id
		JOIN "audit_entries" e ON e.organization_id = a.organization_id AND e.entity_type = 'agent' AND e.entity_id = a.id
			AND e.action = 'agent.invite' AND e.actor_id IS NOT NULL
			AND e.created_at BETWEEN n.created_at - interval '15 minutes' AND n.created_at
	WHERE n.created_by IS NULL
	GROUP BY n.id HAVING count(DISTINCT e.actor_id) = 1) made
WHERE k."id" = made.id;--> statement-breakpoint
-- A service that names no agent runs on shared agents only from now on. In organizations that have used agents of their
-- own, such services name what they ran on: these, and the shared agents that ran lately. A service that runs on all of
-- its agents at once names no agent that is switched off: each of its runs would lack a part from now on.
INSERT INTO "service_agents" ("organization_id", "service_id", "agent_id")
WITH seen AS MATERIALIZED (
	SELECT a.id, a.organization_id, a.is_active,
		greatest(a.last_seen_at, (SELECT max(w.heartbeat_at) FROM "workers" w WHERE w.agent_id = a.id)) AS at
	FROM "agents" a),
owners AS (SELECT DISTINCT organization_id FROM seen WHERE organization_id IS NOT NULL AND is_active AND at IS NOT NULL),
placed AS (
	SELECT o.organization_id, s.id AS agent_id, s.is_active FROM owners o
		JOIN seen s ON s.organization_id = o.organization_id AND s.at IS NOT NULL
	UNION ALL
	SELECT o.organization_id, s.id, s.is_active FROM owners o
		JOIN seen s ON s.organization_id IS NULL AND s.is_active
			AND s.at > (SELECT max(at) FROM seen) - interval '1 day'
			AND NOT EXISTS (
				SELECT FROM "agent_exclusions" x WHERE x.organization_id = o.organization_id AND x.agent_id = s.id))
SELECT p.organization_id, v.id, p.agent_id
FROM placed p JOIN "services" v ON v.organization_id = p.organization_id
WHERE (p.is_active OR v.probe_mode <> 'simultaneous') AND NOT EXISTS (
	SELECT FROM "service_agents" n WHERE n.organization_id = v.organization_id AND n.service_id = v.id)
-- A process of the former release may name one meanwhile.
ON CONFLICT DO NOTHING;
