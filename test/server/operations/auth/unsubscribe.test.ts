import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { and, eq } from '#db/drizzle.cjs'
import { rateLimits } from '#db/schema/credentials.ts'
import { memberships, users } from '#db/schema/organizations.ts'
import { grants, silences } from '#db/schema/scoped.ts'
import { STOP_LINK_DAYS, type StopTarget, signStopLink } from '#server/alerts/alerts/unsubscribe-token.ts'
import { DAY_MS } from '#server/durations.ts'
import { createVault } from '#server/vault.ts'
import { testDashboard } from '#test/support/browser/dashboard.ts'
import { createServiceTree, type Member, type ServiceTree } from '#test/support/factories.ts'
import { auditOf } from '#test/support/side-effects.ts'

const t = testDashboard()

let tree: ServiceTree
let ana: Member

beforeAll(async () => {
  tree = await createServiceTree(t.db)
})
beforeEach(async () => {
  t.clock.now = new Date()
  ana = await t.create.member(tree.organization, { grants: [{ serviceId: tree.ids.service, level: 1 }] })
  await t.db.delete(rateLimits)
})

const tokenFor = (target: StopTarget, issuedAt = t.clock.now, vault = t.runtime.vault) =>
  signStopLink(vault, { membershipId: ana.membershipId, email: ana.email, target, issuedAt })
const ofService = () => ({ type: 'service', id: tree.ids.service }) as const

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const ONE_CLICK = 'List-Unsubscribe=One-Click'

/** As the server of a mailbox posts it: from anywhere, without a cookie. */
const click = (token: string, { body = ONE_CLICK as BodyInit, headers = FORM as Record<string, string> } = {}) =>
  t.visitor().send(`/api/unsubscribe?token=${token}`, { method: 'POST', body, headers })

const silencesOfAna = () => t.db.select().from(silences).where(eq(silences.membershipId, ana.membershipId))

describe('POST /api/unsubscribe', () => {
  test.each<[string, () => StopTarget, object]>([
    ['a service', ofService, { serviceId: true, config: null }],
    ['a project', () => ({ type: 'project', id: tree.ids.project }), { projectId: true, config: null }],
    ['a workspace', () => ({ type: 'workspace', id: tree.ids.workspace }), { workspaceId: true, config: null }],
    ['agents', () => ({ type: 'agents' }), { config: '{"events":["agent.lost","agent.back"]}' }],
    ['everything', () => ({ type: 'organization' }), { config: null }],
  ])('silences mails about %s, once however often it is posted, and records it', async (_, target, expected) => {
    const token = tokenFor(target())
    const answers = await Promise.all([click(token), click(token), click(token)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await click(token)).text).toContain(`are sent to ${ana.email}.`)
    const [silence, ...others] = await silencesOfAna()
    expect(others).toEqual([])
    const { workspaceId, projectId, serviceId, ...rest } = silence as NonNullable<typeof silence>
    expect(rest).toMatchObject({ channel: 'email', quietHours: null, organizationId: tree.organization.id })
    const named = Object.entries({ workspaceId, projectId, serviceId }).flatMap(([key, id]) =>
      id ? [[key, true]] : [],
    )
    expect({ ...Object.fromEntries(named), config: rest.config }).toEqual(expected)
    expect(await auditOf(t.db, rest.id)).toMatchObject([
      {
        action: 'silence.create',
        actorId: ana.userId,
        actorEmail: ana.email,
        details: { channel: 'email', through: 'the link in a mail' },
      },
    ])
  })

  test('accepts the form as multipart too, from another site', async () => {
    const body = new FormData()
    body.set('List-Unsubscribe', 'One-Click')
    const headers = { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' }
    expect((await click(tokenFor(ofService()), { body, headers })).status).toBe(200)
    expect(await silencesOfAna()).toHaveLength(1)
  })

  test.each([
    ['no body', { body: '' }],
    ['another body', { body: 'List-Unsubscribe=No' }],
    ['JSON', { body: '{"List-Unsubscribe":"One-Click"}', headers: { 'content-type': 'application/json' } }],
  ])('refuses %s', async (_, given) => {
    const answer = await click(tokenFor(ofService()), given)
    expect(answer).toMatchObject({ status: 400, text: 'The body must be List-Unsubscribe=One-Click, as a form.\n' })
    expect(await silencesOfAna()).toEqual([])
  })

  test('refuses a long body without reading it', async () => {
    const answer = await click(tokenFor(ofService()), { body: `${ONE_CLICK}&x=${'x'.repeat(8_192)}` })
    expect(answer).toMatchObject({ status: 413, code: 'request_body_too_large' })
  })

  const otherVault = createVault([{ id: 'other', secret: 'o'.repeat(32) }])
  test.each<[string, () => string, RegExp]>([
    ['no token', () => '', /not valid/],
    ['a guess', () => 'x'.repeat(72), /not valid/],
    ['a changed token', () => `B${tokenFor(ofService()).slice(1)}`, /not valid/],
    ['a token signed with another key', () => tokenFor(ofService(), t.clock.now, otherVault), /not valid/],
    [
      'an old token',
      () => tokenFor(ofService(), new Date(t.clock.now.getTime() - STOP_LINK_DAYS * DAY_MS - 1_000)),
      /expired/,
    ],
    ['a token about a deleted service', () => tokenFor({ type: 'service', id: tree.ids.project }), /was deleted/],
  ])('refuses %s, and says why', async (_, make, reason) => {
    const token = make()
    const answer = await click(token)
    expect(answer.status).toBe(400)
    expect(answer.text).toMatch(reason)
    const shown = await t.visitor().post('auth.unsubscription', { token: token || 'x' })
    expect(shown).toMatchObject({ code: 'unsubscribe_invalid' })
    expect(await silencesOfAna()).toEqual([])
  })

  test('refuses the token of a former member', async () => {
    const token = tokenFor(ofService())
    await t.db.delete(memberships).where(eq(memberships.id, ana.membershipId))
    expect(await click(token)).toMatchObject({ status: 400, text: expect.stringContaining('left the organization') })
  })

  test.each<[string, () => Promise<unknown>]>([
    [
      'whose address has changed',
      () =>
        t.db
          .update(users)
          .set({ email: `new-${ana.email}` })
          .where(eq(users.id, ana.userId)),
    ],
    ['who can no longer see the resource', () => t.db.delete(grants).where(eq(grants.membershipId, ana.membershipId))],
    [
      'who is deactivated',
      () => t.db.update(memberships).set({ isActive: false }).where(eq(memberships.id, ana.membershipId)),
    ],
  ])('refuses the token of a member %s, without a name', async (_, change) => {
    for (const target of [
      ofService(),
      { type: 'project', id: tree.ids.project } as const,
      { type: 'workspace', id: tree.ids.workspace } as const,
    ]) {
      const token = tokenFor(target)
      expect((await t.visitor().post('auth.unsubscription', { token })).data).toMatchObject({
        resourceType: target.type,
      })
    }
    const tokens = [tokenFor(ofService()), tokenFor({ type: 'project', id: tree.ids.project })]
    await change()
    for (const token of tokens) {
      const answer = await click(token)
      expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('This link no longer works') })
      const shown = await t.visitor().post('auth.unsubscription', { token })
      expect(shown).toMatchObject({ code: 'unsubscribe_invalid', details: { reason: 'gone' } })
      for (const text of [answer.text, JSON.stringify(shown)]) {
        expect(text).not.toContain(tree.service.name)
        expect(text).not.toContain(tree.organization.name)
      }
    }
    expect(await silencesOfAna()).toEqual([])
  })

  test('accepts a link that an older key signed, while that key is configured', async () => {
    const keys = t.runtime.vault
    const newest = { id: 'newest', secret: 'n'.repeat(32) }
    const rotated = createVault([newest, { id: 'other', secret: 'o'.repeat(32) }])
    const { readStopLink } = await import('#server/alerts/alerts/unsubscribe-token.ts')
    const token = tokenFor(ofService(), t.clock.now, otherVault)
    const read = readStopLink(rotated, token, t.clock.now)
    expect(read).toMatchObject({ membershipId: ana.membershipId })
    const isTo = (email: string) => typeof read === 'object' && read.isTo(email)
    expect([isTo(ana.email), isTo(`x${ana.email}`)]).toEqual([true, false])
    expect(readStopLink(keys, token, t.clock.now)).toBe('invalid')
  })

  test('is limited for those who guess', async () => {
    const guesser = t.visitor()
    const guess = () => guesser.send('/api/unsubscribe?token=guess', { method: 'POST', body: ONE_CLICK, headers: FORM })
    for (let count = 0; count < 50; count++) expect((await guess()).status).toBe(400)
    expect(await guess()).toMatchObject({ status: 429, code: 'rate_limited' })
  })

  test('other methods are refused', async () => {
    const answer = await t.visitor().send('/api/unsubscribe?token=x', { method: 'PUT', body: ONE_CLICK })
    expect(answer).toMatchObject({ status: 405, code: 'method_not_allowed' })
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST')
  })
})

test('GET /api/unsubscribe changes nothing, because scanners open links: it leads to the page that asks', async () => {
  const token = tokenFor(ofService())
  const answer = await t.visitor().send(`/api/unsubscribe?token=${token}`, { method: 'GET' })
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe(`/unsubscribe#${token}`)
  expect(await silencesOfAna()).toEqual([])
})

test('the page shows what the link stops, and stops it when asked', async () => {
  const token = tokenFor(ofService())
  const visitor = t.visitor()
  const shown = {
    organization: tree.organization.name,
    email: ana.email,
    resourceType: 'service',
    resourceName: tree.service.name,
  }
  expect((await visitor.post('auth.unsubscription', { token })).data).toEqual({ ...shown, isStopped: false })
  expect((await visitor.post('auth.unsubscribe', { token })).data).toEqual({ ok: true })
  expect((await visitor.post('auth.unsubscription', { token })).data).toEqual({ ...shown, isStopped: true })
  expect(await silencesOfAna()).toHaveLength(1)
  // A silence of some events only does not stop the mails.
  await t.db
    .update(silences)
    .set({ config: '{"events":["service.recovered"]}' })
    .where(and(eq(silences.membershipId, ana.membershipId)))
  expect((await visitor.post('auth.unsubscription', { token })).data).toMatchObject({ isStopped: false })
})
