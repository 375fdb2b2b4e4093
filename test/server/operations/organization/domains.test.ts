import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { v7 as uuidv7 } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { auditEntries } from '#db/schema/audit.ts'
import { domains } from '#db/schema/organizations.ts'
import { HOUR_MS } from '#server/durations.ts'
import { parseSettings } from '#server/process/settings.ts'
import { askNameServers, proofRecord } from '#server/scripts/domain-proof.ts'
import { readTrust } from '#server/scripts/verified-domains.ts'
import { testApi } from '#test/support/api/api.ts'
import type { Organization } from '#test/support/factories.ts'
import { checkDomains } from '#worker/tasks/check-domains.ts'

const clock = { now: new Date('2026-11-01T12:00:00Z') }
const t = testApi({ now: () => clock.now })
const settings = parseSettings({ SMTP_URL: 'smtp://127.0.0.1:1', BASE_URL: 'https://watch.example.com' })
const START = clock.now.getTime()

let organization: Organization
/** The records of the name servers by name; an error makes the lookup fail. */
let zone: Record<string, string | Error>
let asked: string[]

beforeEach(async () => {
  await t.db.delete(domains)
  await t.db.execute(sql`delete from graphile_worker._private_jobs`)
  clock.now = new Date(START)
  organization = await t.create.organization()
  zone = {}
  asked = []
})

const resolve = async (name: string) => {
  asked.push(name)
  const found = zone[name]
  if (found instanceof Error) throw found
  if (found === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
  return [['another record'], [found.slice(0, 10), found.slice(10)]]
}
const servfail = Object.assign(new Error('SERVFAIL'), { code: 'ESERVFAIL' })

/** Returns the operations as the owner calls them, with these name servers. */
async function operations(by = organization.owner) {
  Object.assign(t.runtime, { resolveTxt: resolve })
  return (await t.caller(by)).organization.domains
}

/** Creates a domain whose record exists and was found just now. */
async function verified(domain: string) {
  const { id, record } = await (await operations()).add({ domain })
  zone[record.name] = record.value
  expect(await (await operations()).verify({ id })).toMatchObject({ verified: true, lapsesAt: null })
  return { id, record }
}

/** Runs the worker's job `hours` after the start. */
async function turn(hours: number): Promise<void> {
  clock.now = new Date(START + hours * HOUR_MS)
  await checkDomains(t.db, settings, { now: clock.now, resolve })
}

const isVerified = async (domain: string) =>
  (await readTrust(t.db, { organizationId: organization.id }, settings)).verifiedDomains.has(domain)

async function mails(): Promise<{ to: string; subject: string; text: string }[]> {
  const rows = await t.db.execute<{ payload: { to: string; subject: string; text: string } }>(sql`
    select payload from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'mail' order by j.id`)
  return rows.map((row) => row.payload)
}

describe('organization.domains', () => {
  test('verify finds the record among others, and shows when it was seen', async () => {
    const { id, record } = await (await operations()).add({ domain: 'Example.com.' })
    expect(await (await operations()).verify({ id })).toMatchObject({
      verified: false,
      reason: `There is no TXT record at ${record.name} yet.`,
      verifiedAt: null,
      lastSeenAt: null,
    })
    zone[record.name] = 'soundline-verification=another'
    expect(await (await operations()).verify({ id })).toMatchObject({ verified: false, verifiedAt: null })
    zone[record.name] = record.value
    const at = clock.now.toISOString()
    expect(await (await operations()).verify({ id })).toMatchObject({
      verified: true,
      verifiedAt: at,
      lastSeenAt: at,
      lastCheckedAt: at,
      lapsesAt: null,
    })
  })
})

describe('the daily check', () => {
  test('finds an existing record once a day', async () => {
    await verified('example.com')
    asked = []
    for (let hour = 1; hour <= 24 * 30; hour++) await turn(hour)
    expect(asked).toHaveLength(30)
    expect(await isVerified('example.com')).toBe(true)
    const [row] = await (await operations()).list()
    expect(row).toMatchObject({ verifiedAt: new Date(START).toISOString(), lastSeenAt: clock.now.toISOString() })
    expect(await mails()).toEqual([])
  })

  test.each([
    ['the record is gone', undefined],
    ['it holds something else', 'soundline-verification=another'],
    ['the name servers fail', servfail],
  ])('lapses after seven days in which %s', async (_, answer) => {
    const { id, record } = await verified('example.com')
    if (answer === undefined) delete zone[record.name]
    else zone[record.name] = answer
    for (let day = 1; day <= 6; day++) await turn(day * 24)
    expect(await isVerified('example.com')).toBe(true)
    const lapsesAt = new Date(START + 7 * 24 * HOUR_MS).toISOString()
    expect(await (await operations()).list()).toMatchObject([{ lapsesAt, lastSeenAt: new Date(START).toISOString() }])
    await turn(7 * 24)
    expect(await isVerified('example.com')).toBe(false)
    expect(await (await operations()).list()).toMatchObject([{ verifiedAt: null, lapsesAt: null }])
    const entries = await t.db.select().from(auditEntries).where(eq(auditEntries.entityId, id))
    expect(entries.filter(({ action }) => action === 'domain.lapse')).toMatchObject([
      { actorId: null, actorEmail: null, organizationId: organization.id, entityName: 'example.com' },
    ])

    // The record is not looked up again until a member asks.
    asked = []
    await turn(9 * 24)
    expect(asked).toEqual([])
    zone[record.name] = record.value
    expect(await (await operations()).verify({ id })).toMatchObject({ verified: true, lapsesAt: null })
    expect(await isVerified('example.com')).toBe(true)
  })

  test('starts again when the record comes back within seven days', async () => {
    const { record } = await verified('example.com')
    delete zone[record.name]
    for (let day = 1; day <= 6; day++) await turn(day * 24)
    zone[record.name] = record.value
    await turn(7 * 24)
    delete zone[record.name]
    for (let day = 8; day <= 13; day++) await turn(day * 24)
    expect(await isVerified('example.com')).toBe(true)
    await turn(14 * 24)
    expect(await isVerified('example.com')).toBe(false)
  })

  test('after weeks of downtime lapses at the second failure, not the first', async () => {
    const { record } = await verified('example.com')
    zone[record.name] = servfail
    await turn(21 * 24)
    expect(await isVerified('example.com')).toBe(true)
    await turn(22 * 24)
    expect(await isVerified('example.com')).toBe(false)
  })

  test('warns the administrators of the domain after three days and when it lapses', async () => {
    const group = await t.create.group(organization, { sections: { domains: 'write' } })
    const admin = await t.create.member(organization, { groups: [group] })
    await t.create.member(organization, { sections: { domains: 'read' } })
    await t.create.member(organization, { sections: { domains: 'write' }, isActive: false })
    await t.create.organization()
    const { record } = await verified('example.com')
    delete zone[record.name]
    await turn(24)
    await turn(48)
    expect(await mails()).toEqual([])
    await turn(72)
    await turn(96)
    const keepers = [organization.owner.email, admin.email].sort()
    const warned = await mails()
    expect(warned.map(({ to }) => to).sort()).toEqual(keepers)
    expect(warned[0]).toMatchObject({ subject: '[Domain] example.com will lapse' })
    expect(warned[0]?.text).toContain(`2026-11-08 (UTC)`)
    for (const day of [5, 6, 7, 8]) await turn(day * 24)
    const told = (await mails()).slice(2)
    expect(told.map(({ to }) => to).sort()).toEqual(keepers)
    expect(told[0]?.subject).toBe('[Domain] example.com is no longer verified')
    expect(told[0]?.text).toContain(`${record.name}\n${record.value}\n\nhttps://watch.example.com/domains`)
  })

  test('of two workers at once counts once', async () => {
    const { id, record } = await verified('example.com')
    delete zone[record.name]
    for (let day = 1; day <= 6; day++) await turn(day * 24)
    await Promise.all([turn(7 * 24), turn(7 * 24)])
    const entries = await t.db.select().from(auditEntries).where(eq(auditEntries.entityId, id))
    expect(entries.filter(({ action }) => action === 'domain.lapse')).toHaveLength(1)
    expect((await mails()).filter(({ subject }) => subject.includes('no longer'))).toHaveLength(1)
  })

  test('checks a limited number per job, longest waiting first, few in parallel', async () => {
    const old = (nth: number) => new Date(START - (nth + 48) * HOUR_MS)
    await t.db.insert(domains).values(
      Array.from({ length: 450 }, (_, nth) => ({
        id: uuidv7(),
        organizationId: organization.id,
        domain: `d${nth}.example`,
        token: 't',
        verifiedAt: old(nth),
        lastSeenAt: old(nth),
        lastCheckedAt: old(nth),
      })),
    )
    let open = 0
    let most = 0
    const slow = async (name: string) => {
      asked.push(name)
      most = Math.max(most, ++open)
      await new Promise((resolve) => setImmediate(resolve))
      open--
      return [[proofRecord(name, 't').value]]
    }
    for (const taken of [200, 400, 450, 450]) {
      await checkDomains(t.db, settings, { now: clock.now, resolve: slow })
      expect(asked).toHaveLength(taken)
    }
    expect(asked[0]).toBe('_soundline.d449.example')
    expect(new Set(asked).size).toBe(450)
    expect(most).toBe(10)
  })
})

test('name servers that say nothing are waited for no longer than the deadline', async () => {
  const silent = createSocket('udp4').bind(0, '127.0.0.1')
  await once(silent, 'listening')
  try {
    const servers = [`127.0.0.1:${silent.address().port}`]
    await expect(askNameServers('example.com', { servers, deadlineMs: 50 })).rejects.toThrow(/CANCELLED/)
  } finally {
    silent.close()
  }
})
