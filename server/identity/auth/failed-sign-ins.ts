import type { Db } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { networksOf } from './throttle.ts'

/** Further networks in an hour are recorded as one, so that an attacker cannot fill an organization's audit log. */
const NETWORKS_MAX = 20

/** What was wrong. */
export type FailedSignIn = 'password' | 'code' | 'passkey'

/**
 * Records a wrong password, code or passkey in the audit log of each organization that the account is an active member of, as one
 * entry per account, network and hour with a count. The one statement inserts nothing when the account does not exist and
 * never waits for the disk, so its duration does not reveal whether the account exists.
 */
export async function recordFailedSignIn(
  db: Db,
  failure: { email: string; address: string; reason: FailedSignIn; now: Date },
): Promise<void> {
  const { email, reason } = failure
  const network = networksOf(failure.address).at(-1)?.network ?? failure.address
  const now = failure.now.toISOString()
  await db.execute(sql`
    insert into audit_entries
      (id, organization_id, action, entity_type, entity_id, entity_name, address, details, created_at)
    select md5(concat_ws('|', account.organization_id, account.id, ${reason}::text, place.address, hour.began))::uuid,
      account.organization_id, 'session.refuse', 'user', account.id, account.email, place.address,
      jsonb_build_object('reason', ${reason}::text, 'count', 1, 'lastAt', ${now}::text), ${now}::timestamptz
    from (select u.id, u.email, m.organization_id from users u
      join memberships m on m.user_id = u.id and m.is_active where u.email = ${email}) as account
    cross join (select date_trunc('hour', ${now}::timestamptz, 'UTC') as began,
      set_config('synchronous_commit', 'off', true)) as hour
    cross join lateral (
      select case when count(distinct a.address) < ${NETWORKS_MAX} then ${network}::text else 'other networks' end as address
      from audit_entries a
      where a.organization_id = account.organization_id and a.entity_type = 'user' and a.entity_id = account.id
        and a.action = 'session.refuse' and a.created_at >= hour.began
        and a.address not in (${network}, 'other networks')) as place
    on conflict (organization_id, id) do update set details = audit_entries.details || jsonb_build_object(
      'count', (audit_entries.details->>'count')::int + 1, 'lastAt', excluded.details->>'lastAt')`)
}
