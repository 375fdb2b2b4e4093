import type { Db, Tx } from '#db/client.ts'
import { and, isNotNull, isNull, lte, or, sql } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { domains } from '#db/schema/organizations.ts'
import { audit } from '#server/audit.ts'
import { type MemberRow, memberColumns, memberJoins, toActor } from '#server/identity/auth/actor.ts'
import { databaseTime } from '#server/observe/system/database-clock.ts'
import { log } from '#server/process/log.ts'
import type { Settings } from '#server/process/settings.ts'
import { enqueueMail, type JobPayload } from '#server/schedule/jobs.ts'
import { applyCheck, CHECK_EVERY_MS, LAPSE_AFTER_MS } from '#server/scripts/domain-checks.ts'
import { missingProof, proofRecord, type ResolveTxt, resolveTxt } from '#server/scripts/domain-proof.ts'

/** Domains per job, and look-ups at the same time: a job during which no name server responds takes three minutes. */
const BATCH = 200
const CONCURRENCY = 10

type Row = typeof domains.$inferSelect
type MailSettings = Pick<Settings, 'SMTP_URL' | 'BASE_URL'>
type CheckOptions = { now?: Date; resolve?: ResolveTxt }

/** Checks the DNS records of verified domains that were not checked within a day. */
export async function checkDomains(
  db: Db,
  settings: MailSettings,
  { now = databaseTime(), resolve = resolveTxt }: CheckOptions = {},
): Promise<void> {
  const due = await db.select().from(domains).where(isDue(now)).orderBy(domains.lastCheckedAt).limit(BATCH)
  const rows = due.values()
  const check = async () => {
    for (const row of rows) {
      const reason = await missingProof(row.domain, row.token, resolve)
      await db.transaction((tx) => recordCheck(tx, settings, row, reason === null, now))
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, check))
}

function isDue(now: Date) {
  const yesterday = new Date(now.getTime() - CHECK_EVERY_MS)
  return and(isNotNull(domains.verifiedAt), or(isNull(domains.lastCheckedAt), lte(domains.lastCheckedAt, yesterday)))
}

async function recordCheck(tx: Tx, settings: MailSettings, row: Row, isSeen: boolean, now: Date): Promise<void> {
  const { event, ...checked } = applyCheck(row, isSeen, now)
  // During the look-up, another process may have checked or deleted the domain.
  const changed = await tx
    .update(domains)
    .set(checked)
    .where(and(matchesRow(domains.id, row), isDue(now)))
    .returning({ id: domains.id })
  if (changed.length === 0 || event === null) return
  if (event === 'lapsed') {
    log.info({ organizationId: row.organizationId, domain: row.domain }, 'the verification of a domain lapsed')
    await audit(
      tx,
      { actor: { organizationId: row.organizationId, userId: null, email: null, key: null }, address: 'system' },
      {
        action: 'domain.lapse',
        entityType: 'domain',
        entityId: row.id,
        entityName: row.domain,
        details: { lastSeenAt: row.lastSeenAt?.toISOString() ?? null },
      },
    )
  }
  if (!settings.SMTP_URL) return
  for (const email of await findDomainAdministrators(tx, row.organizationId)) {
    await enqueueMail(
      tx,
      row.organizationId,
      event === 'lapsed' ? lapseMail(settings, email, row) : missingMail(settings, email, row),
    )
  }
}

/** Returns the addresses of the active members who may change domains, owners included. */
async function findDomainAdministrators(tx: Tx, organizationId: string): Promise<string[]> {
  const members = await tx.execute<MemberRow>(sql`
    select ${memberColumns} from users u join organizations o on o.id = ${organizationId} ${memberJoins}
    where m.id is not null`)
  return members
    .map((member) => toActor(member, { key: null, sessionId: null }))
    .flatMap((actor) => (actor?.sections.domains === 2 ? actor.email : []))
}

function missingMail(settings: MailSettings, to: string, row: Row): JobPayload<'mail'> {
  const lapse = new Date((row.lastSeenAt?.getTime() ?? 0) + LAPSE_AFTER_MS).toISOString().slice(0, 10)
  return {
    to,
    subject: `[Domain] ${row.domain} will lapse`,
    text: [
      `The DNS record that verifies ${row.domain} was not found for three days.`,
      `If it stays missing, the verification lapses on ${lapse} (UTC). Scripts that target the domain then get the limits of unverified domains.`,
      ...instructions(settings, row),
    ].join('\n\n'),
  }
}

function lapseMail(settings: MailSettings, to: string, row: Row): JobPayload<'mail'> {
  return {
    to,
    subject: `[Domain] ${row.domain} is no longer verified`,
    text: [
      `The DNS record that verifies ${row.domain} was not found for seven days, so the verification lapsed.`,
      'Scripts that target the domain now have the limits of unverified domains: a run that exceeds one fails.',
      ...instructions(settings, row),
    ].join('\n\n'),
  }
}

function instructions(settings: MailSettings, row: Row): string[] {
  const { type, name, value } = proofRecord(row.domain, row.token)
  const page = settings.BASE_URL ? [`${settings.BASE_URL}/domains`] : []
  return [`Set this ${type} record again, then check the domain on the Domains page:\n${name}\n${value}`, ...page]
}
