import type { Db } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { log } from '../../../process/log.ts'

// Requests of agents that look like an attack, in the audit log of the agent's organization.

/** What a refused request tried. */
export type Attack =
  | 'invalid_signature'
  | 'replayed'
  | 'clock_skew'
  | 'revoked_key'
  | 'used_token'
  | 'expired_token'
  | 'ended_token'
  | 'foreign_run'
  | 'wrong_attempt'
  | 'invalid_receipt'
  | 'invalid_result'
  | 'too_large'

export type AttackedAgent = { id: string; slug: string; organizationId: string | null }

/**
 * Records a refused request: one entry per agent, attack and hour with a count, so that an attacker cannot fill the audit
 * log. A shared agent has no organization: its attacks are only logged.
 */
export async function recordAttack(
  db: Db,
  agent: AttackedAgent,
  attack: Attack,
  { address, now }: { address: string; now: Date },
): Promise<void> {
  log.warn({ agent: agent.slug, attack, address }, 'a request of an agent was refused')
  if (agent.organizationId === null) return
  const at = now.toISOString()
  await db.execute(sql`
    insert into audit_entries
      (id, organization_id, action, entity_type, entity_id, entity_name, address, details, created_at)
    select md5(concat_ws('|', ${agent.organizationId}::text, ${agent.id}::text, ${attack}::text, hour.began))::uuid,
      ${agent.organizationId}::uuid, 'agent.refuse', 'agent', ${agent.id}, ${agent.slug}, ${address},
      jsonb_build_object('reason', ${attack}::text, 'count', 1, 'lastAt', ${at}::text), ${at}::timestamptz
    from (select date_trunc('hour', ${at}::timestamptz, 'UTC') as began) hour
    on conflict (organization_id, id) do update set details = audit_entries.details || jsonb_build_object(
      'count', (audit_entries.details->>'count')::int + 1, 'lastAt', excluded.details->>'lastAt')`)
}
