import type { JobHelpers } from 'graphile-worker'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { alertEvents, type EventKind, incidents } from '#db/schema/alerts.ts'
import { groupMembers } from '#db/schema/organizations.ts'
import { services } from '#db/schema/resources.ts'
import { MAIL_NOT_CONFIGURED } from '#server/alerts/mail/configured.ts'
import {
  enqueueMailsOf,
  eventsIn,
  jobsIn,
  mailingWith,
  messagesOf,
  type StoredEvent,
} from '#test/support/alerts/alert-world.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '#test/support/alerts/mail-server.ts'
import { testDatabase } from '#test/support/database.ts'
import type { Member, ServiceTree } from '#test/support/factories.ts'
import type { Mailing } from '#worker/tasks/alert-mail.ts'
import { storeMails } from '#worker/tasks/collect-mails.ts'
import { createMailer } from '#worker/tasks/mail.ts'

// Alert mails, from the event to a mail server over SMTP.

const database = testDatabase()
const jobs = jobsIn(database)
const BASE_URL = 'https://probes.example.com'

let server: MailServer
let mailing: Mailing
let tree: ServiceTree
let ana: Member
let events: ReturnType<typeof eventsIn>
let checkout: { id: string; name: string }

beforeAll(async () => {
  server = await startMailServer()
  mailing = mailingWith({
    BASE_URL,
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    MAIL_FROM: 'Probes <probes@example.org>',
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  tree = await database.create.serviceTree()
  const group = await database.create.group(tree.organization, {
    name: 'On call',
    grants: [{ workspaceId: tree.ids.workspace, level: 1 }],
  })
  checkout = await database.create.service(tree.project, { name: 'Checkout' })
  ana = await database.create.member(tree.organization, {
    groups: [group],
    grants: [{ serviceId: checkout.id, level: 1 }],
    sections: { settings: 'write' },
  })
  events = eventsIn(database, tree)
})
afterEach(async () => {
  server.answer(250)
  server.mails.length = 0
  await jobs.clear()
})

/** Notifies of an event, sends the mails, and returns the one to Ana. */
async function mailOf(event: StoredEvent, by = mailing): Promise<ReceivedMail> {
  await enqueueMailsOf(database, by, [event])
  await jobs.sendMails(by.settings)
  const found = server.mails.filter(({ to }) => to.includes(ana.email))
  expect(found).toHaveLength(1)
  server.mails.length = 0
  return found[0] as ReceivedMail
}

const visible = (text: string | null) => (text ?? '').replaceAll('\u200b', '')

test('a mail has text and HTML that say what is wrong first, and escape what others chose', async () => {
  const { text, html, types, subject } = await mailOf(await events.failed(checkout))
  expect(types).toEqual(['multipart/alternative', 'text/plain', 'text/html'])
  expect(subject).toBe('[Failed] Checkout – status 500, expected 200')
  const where = `(${tree.workspace.name} / ${tree.project.name})`
  expect(visible(text).split('\n')[0]).toBe(
    `Checkout ${where} failed: GET https://shop.example/cart: status 500, expected 200 (2 more failed).`,
  )
  for (const shown of [visible(text), visible(html)]) {
    expect(shown).toContain('GET https://shop.example/cart')
    expect(shown).toMatch(/Expected[\s\S]*status = 200[\s\S]*Actual[\s\S]*500/)
    expect(shown).toMatch(/eu-1[\s\S]*failing, 3 runs in a row, since[\s\S]*us-1[\s\S]*passing/)
    expect(shown).toContain(`your group On call has a grant on the workspace ${tree.workspace.name}`)
    expect(shown).toContain('you have a grant on the service Checkout')
    expect(shown).toMatch(/https:\/\/probes\.example\.com\/services\/[0-9a-f-]+\/results\/[0-9a-f-]+/)
    expect(shown).toMatch(/https:\/\/probes\.example\.com\/incidents\/[0-9a-f-]+/)
    expect(shown).toMatch(/https:\/\/probes\.example\.com\/unsubscribe#[\w-]+/)
  }
  // The excerpt of a body can contain anything: it is no markup, and starts no line.
  expect(visible(text)).toContain('\n> {"message":"no <b>stock</b>')
  expect(text).toContain('\n> line 2')
  expect(visible(html)).toContain('no &lt;b&gt;stock&lt;/b&gt; &amp; see')
  // Nothing is loaded from anywhere.
  expect(html).not.toMatch(/<(img|link|script|iframe)\b|url\(|src=/i)
})

test('the URL of the failing request can be copied from text and HTML, and a name that looks like one is no link', async () => {
  const { organization } = tree
  const workspace = await database.create.workspace(organization, { name: 'www.evil.example' })
  const project = await database.create.project(workspace, { name: 'https://evil.example' })
  const service = await database.create.service(project, { name: 'evil.example/login' })
  const group = await database.create.group(organization, { name: 'eve@evil.example' })
  await database.create.grant(organization, { groupId: group.id }, { serviceId: service.id, level: 1 })
  await database.db
    .insert(groupMembers)
    .values({ organizationId: organization.id, groupId: group.id, membershipId: ana.membershipId })
  const within = eventsIn(database, { organization, workspace, project })
  const failed = await within.failed(service)
  const followed = (kind: 'service.reminder' | 'service.recovered') =>
    within.follow(kind, service, failed.incidentId as string)
  for (const make of [async () => failed, () => followed('service.reminder'), () => followed('service.recovered')]) {
    const { subject, text, html } = await mailOf(await make())
    for (const part of [text, html ?? '']) {
      const urls = part.match(/https:\/\/shop\.example\/cart/g) ?? []
      expect(urls.length).toBeGreaterThan(0)
      // Without the characters that separate names, the same URLs are there, so none of them contained any.
      expect(visible(part).match(/https:\/\/shop\.example\/cart/g)).toHaveLength(urls.length)
    }
    const sayings = `${subject}\n${text}\n${html}`.replaceAll('https://evil.example/x', '')
    expect(sayings).not.toMatch(/evil\.example|www\.evil|@evil/)
    expect(visible(sayings)).toContain('evil.example/login')
  }
})

type Making = () => Promise<StoredEvent>
test.each<[EventKind, Making, subject: RegExp, says: RegExp]>([
  ['service.failed', () => events.failed(checkout), /^\[Failed\] Checkout – status 500/, /Failing since/],
  [
    'service.recovered',
    () => events.follow('service.recovered', checkout, uuidv7()),
    /^\[Recovered\] Checkout – down for 2 h 5 min$/,
    /has recovered after being down for 2 h 5 min[\s\S]*Down for[\s\S]*2 h 5 min[\s\S]*Cause was[\s\S]*status 500, expected 200/,
  ],
  [
    'service.reminder',
    () => events.follow('service.reminder', checkout, uuidv7()),
    /^\[Still failing\] Checkout – status 500, expected 200$/,
    /is still failing after 2 h 5 min: GET/,
  ],
  [
    'certificate.expiring',
    () => events.certificate(checkout),
    /^\[Certificate\] Checkout – shop\.example expires in 7 days/,
    /Host[\s\S]*shop\.example[\s\S]*Days left[\s\S]*7[\s\S]*Issuer[\s\S]*Test CA/,
  ],
  [
    'agent.lost',
    () => events.agent('agent.lost', uuidv7()),
    /^\[Agent lost\] Frankfurt – 7 services use it/,
    /is lost: no heartbeat since[\s\S]*Frankfurt \(eu-1\)[\s\S]*Checkout[\s\S]*and 2 more[\s\S]*you can change the settings/,
  ],
  ['agent.back', () => events.agent('agent.back', uuidv7()), /^\[Agent back\] Frankfurt/, /is back/],
])('%s', async (_, make, subject, says) => {
  const mail = await mailOf(await make())
  expect(visible(mail.subject)).toMatch(subject)
  expect(visible(mail.text)).toMatch(says)
  for (const [word] of says.source.matchAll(/Checkout|Frankfurt|Issuer|Down for/g))
    expect(visible(mail.html)).toContain(word)
  expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
  expect(mail.headers['list-unsubscribe']).toMatch(/^<https:\/\/probes\.example\.com\/api\/unsubscribe\?token=[\w-]+>$/)
  expect(mail.headers['auto-submitted']).toBe('auto-generated')
})

describe('the mails about an incident', () => {
  const idsOf = ({ headers }: ReceivedMail) => ({
    own: headers['message-id'],
    reply: headers['in-reply-to'],
    references: headers.references,
  })

  test('are one thread, for each recipient its own', async () => {
    const bob = await database.create.member(tree.organization, { grants: [{ serviceId: checkout.id, level: 1 }] })
    const failed = await events.failed(checkout)
    const incidentId = failed.incidentId as string
    const all: ReceivedMail[][] = []
    for (const make of [
      async () => failed,
      () => events.follow('service.reminder', checkout, incidentId),
      () => events.follow('service.recovered', checkout, incidentId),
    ]) {
      await enqueueMailsOf(database, mailing, [await make()])
      await jobs.sendMails(mailing.settings)
      all.push(server.mails.splice(0))
    }
    for (const { email } of [ana, bob]) {
      const [first, ...others] = all.map((mails) => idsOf(mails.find(({ to }) => to[0] === email) as ReceivedMail))
      expect(first).toEqual({ own: expect.stringMatching(/^<[\w.-]+@probes\.example\.com>$/) })
      for (const one of others) expect(one).toMatchObject({ reply: first?.own, references: first?.own })
    }
    expect(new Set(all.flat().map((mail) => mail.headers['message-id'])).size).toBe(6)
  })

  test('have no thread yet if the one about the failure was refused', async () => {
    server.answer(550)
    const failed = await events.failed(checkout)
    await enqueueMailsOf(database, mailing, [failed])
    await jobs.sendMails(mailing.settings)
    server.answer(250)
    const mail = await mailOf(await events.follow('service.recovered', checkout, failed.incidentId as string))
    expect(idsOf(mail)).toEqual({ own: expect.any(String) })
  })

  test('have the same ids in every attempt, and the domain of the sender without BASE_URL', async () => {
    const local = mailingWith({ SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'Probes <probes@example.org>' })
    await enqueueMailsOf(database, local, [await events.failed(checkout)])
    const [job] = await jobs.of('mail')
    await jobs.sendMails(local.settings)
    await createMailer(database.db, local.settings)({ ...job?.payload, alert: undefined }, {} as JobHelpers)
    const [one, again] = server.mails
    expect(one?.headers['message-id']).toMatch(/@example\.org>$/)
    expect(again?.headers['message-id']).toBe(one?.headers['message-id'])
    // Without the installation's own URL there is nothing to link to.
    expect(one?.headers).not.toHaveProperty('list-unsubscribe')
    expect(one?.text).toContain('To stop these mails, add a silence in Soundline')
    expect(one?.html).not.toContain('href=')
  })
})

describe('a message', () => {
  test('is pending until the mail server accepts the mail, and is sent once even if the job is repeated', async () => {
    const event = await events.failed(checkout)
    await enqueueMailsOf(database, mailing, [event, event])
    const [job, ...others] = await jobs.of('mail')
    expect(others).toEqual([])
    expect(await messagesOf(database, event)).toMatchObject([{ state: 'pending', reason: null, sentAt: null }])
    await jobs.sendMails(mailing.settings)
    expect(await messagesOf(database, event)).toMatchObject([{ state: 'sent', reason: null, sentAt: expect.any(Date) }])
    await createMailer(database.db, mailing.settings)(job?.payload, { job: {} } as JobHelpers)
    expect(server.mails).toHaveLength(1)
  })

  test('is failed when the server refuses the mail permanently', async () => {
    server.answer(550, '5.1.1 no mailbox ana on relay.internal')
    const event = await events.failed(checkout)
    await enqueueMailsOf(database, mailing, [event])
    await jobs.sendMails(mailing.settings)
    expect(await messagesOf(database, event)).toMatchObject([
      { state: 'failed', reason: 'the mail server refused it: 550 5.1.1', sentAt: null },
    ])
  })

  test.each([
    ['the server asks to try again', () => server.answer(451), 'the mail server did not accept it yet: 451'],
    [
      'the server cannot be reached',
      () => {
        mailing = { ...mailing, settings: { ...mailing.settings, SMTP_URL: 'smtp://127.0.0.1:2' } }
      },
      'the mail server cannot be reached',
    ],
  ])('is retried when %s, and failed after the last attempt', async (_, break_, reason) => {
    const before = mailing
    break_()
    const event = await events.failed(checkout)
    await enqueueMailsOf(database, mailing, [event])
    await expect(jobs.sendMails(mailing.settings)).rejects.toThrow()
    expect(await messagesOf(database, event)).toMatchObject([{ state: 'pending', reason }])
    await expect(jobs.sendMails(mailing.settings, 12)).rejects.toThrow()
    expect(await messagesOf(database, event)).toMatchObject([{ state: 'failed', reason }])
    mailing = before
  })

  type Over = 'closed' | 'acknowledged' | 'open'
  test.each<[EventKind, Over, attempts: number, state: 'sent' | 'suppressed']>([
    ['service.failed', 'closed', 1, 'sent'],
    ['service.failed', 'closed', 2, 'suppressed'],
    ['service.failed', 'acknowledged', 2, 'sent'],
    ['service.failed', 'open', 2, 'sent'],
    ['service.reminder', 'closed', 2, 'suppressed'],
    ['service.reminder', 'acknowledged', 2, 'suppressed'],
    ['service.reminder', 'open', 2, 'sent'],
    ['service.recovered', 'closed', 2, 'sent'],
  ])('about %s of an incident that is %s: in attempt %i it is %s', async (kind, over, attempts, state) => {
    const failed = await events.failed(checkout)
    const incidentId = failed.incidentId as string
    const event =
      kind === 'service.failed'
        ? failed
        : await events.follow(kind as 'service.reminder' | 'service.recovered', checkout, incidentId)
    await enqueueMailsOf(database, mailing, [event])
    const now = new Date()
    await database.db
      .update(incidents)
      .set({ closedAt: over === 'closed' ? now : null, acknowledgedAt: over === 'acknowledged' ? now : null })
      .where(eq(incidents.id, incidentId))
    await jobs.sendMails(mailing.settings, attempts)
    expect(server.mails).toHaveLength(state === 'sent' ? 1 : 0)
    const reason = state === 'sent' ? null : 'the incident was over before the mail could be sent'
    expect(await messagesOf(database, event)).toMatchObject([{ state, reason }])
  })

  test('about a deleted service is suppressed', async () => {
    const event = await events.failed(checkout)
    await enqueueMailsOf(database, mailing, [event])
    await database.db.delete(services).where(eq(services.id, checkout.id))
    await jobs.sendMails(mailing.settings)
    expect(server.mails).toEqual([])
    const reason = 'the service was deleted before the mail could be sent'
    expect(await messagesOf(database, event)).toMatchObject([{ state: 'suppressed', reason }])
  })

  test('is stored for every recipient, however many there are', async () => {
    const stored = await events.failed(checkout)
    const [event] = await database.db.select().from(alertEvents).where(eq(alertEvents.id, stored.id))
    const recipients = Array.from({ length: 7_000 }, () => ({
      ...{ membershipId: uuidv7(), email: 'a@example.com', displayName: 'A', heardThrough: [] },
    }))
    const place = { location: null, timezone: 'UTC' }
    await database.db.transaction((tx) =>
      storeMails(tx, mailingWith({}), event as NonNullable<typeof event>, recipients, place),
    )
    expect(await messagesOf(database, stored)).toHaveLength(7_000)
  })

  test('is suppressed with the reason when mail is not configured, without a job', async () => {
    const event = await events.failed(checkout)
    await enqueueMailsOf(database, mailingWith({ BASE_URL }), [event])
    expect(await messagesOf(database, event)).toMatchObject([{ state: 'suppressed', reason: MAIL_NOT_CONFIGURED }])
    expect(await jobs.of('mail')).toEqual([])
  })

  test('is failed when a worker without a mail server takes it', async () => {
    const event = await events.failed(checkout)
    await enqueueMailsOf(database, mailing, [event])
    await jobs.sendMails(mailingWith({ BASE_URL }).settings)
    expect(await messagesOf(database, event)).toMatchObject([{ state: 'failed', reason: MAIL_NOT_CONFIGURED }])
  })
})
