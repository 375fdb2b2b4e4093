import { TOTP } from 'otpauth'
import { afterEach, describe, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { auditEntries } from '#db/schema/audit.ts'
import { rateLimits } from '#db/schema/credentials.ts'
import { groups, invitations, memberships, users } from '#db/schema/organizations.ts'
import { DAY_MS } from '#server/durations.ts'
import { hashPassword } from '#server/identity/auth/passwords.ts'
import {
  PASSWORD,
  setPassword,
  testDashboard,
  testOrganization,
  type Visitor,
} from '#test/support/browser/dashboard.ts'
import { type createGroup, type Group, type Member, type MemberOptions, unique } from '#test/support/factories.ts'
import { actionsOn } from '#test/support/side-effects.ts'

const t = testDashboard()
const acme = testOrganization(t)

afterEach(() => t.db.delete(rateLimits))

type Invited = { id: string; token: string; url: string }
const newEmail = () => `${unique('guest')}@example.com`

async function invite(input: object = {}, by = acme.visitor): Promise<Invited & { email: string }> {
  const email = newEmail()
  const answer = await by.post<Invited>('organization.members.invite', { email, ...input })
  if (answer.status !== 200) throw new Error(answer.text)
  return { email, ...input, ...answer.data }
}

const accept = (visitor: Visitor, token: string, input: object = {}) =>
  visitor.post('auth.acceptInvitation', { token, displayName: 'Gus Guest', password: PASSWORD, ...input })

describe('organization.members.invite and auth.acceptInvitation', () => {
  test('lead from a link to a signed-in member with what was promised', async () => {
    const group = await t.create.group(acme, { sections: { domains: 'write' } })
    const invited = await invite({ groupIds: [group.id, group.id], permissions: { settings: 'read' } })
    expect(invited.url).toBe(`http://localhost:3000/invitation#${invited.token}`)
    expect(invited.token).toMatch(/^[A-Za-z0-9_-]{43}$/)

    const guest = t.visitor()
    const shown = await guest.get('auth.invitation', { token: invited.token })
    expect(shown.data).toEqual({ organization: 'Acme', email: invited.email, isMailed: false })
    expect((await accept(guest, invited.token)).data).toEqual({ ok: true })
    expect((await guest.get('auth.me')).data).toMatchObject({
      user: { email: invited.email, displayName: 'Gus Guest' },
      organization: { id: acme.id },
      isOwner: false,
      sections: { settings: 'read', domains: 'write', users: 'none' },
    })
    expect((await t.visitor().post('auth.signIn', { email: invited.email, password: PASSWORD })).status).toBe(200)
    const joined = await t.db.select().from(auditEntries).where(eq(auditEntries.action, 'member.join'))
    expect(joined).toMatchObject([{ organizationId: acme.id, actorEmail: invited.email }])
    expect(JSON.stringify(await t.db.select().from(auditEntries))).not.toContain(invited.token)
  })

  test('work once, also when many try at once', async () => {
    const { token, email } = await invite()
    const answers = await Promise.all(Array.from({ length: 6 }, () => accept(t.visitor(), token)))
    expect(answers.filter((a) => a.status === 200)).toHaveLength(1)
    for (const answer of answers.filter((a) => a.status !== 200)) {
      // The other requests find the invitation used or the account created.
      expect(answer.code).toMatch(/^(invitation_invalid|already_exists)$/)
    }
    expect(await t.db.$count(users, eq(users.email, email))).toBe(1)
    expect(await accept(t.visitor(), token)).toMatchObject({ status: 400, code: 'invitation_invalid' })
    expect(await t.visitor().get('auth.invitation', { token })).toMatchObject({ code: 'invitation_invalid' })
  })

  test('end after seven days', async () => {
    const { id, token } = await invite()
    await t.db
      .update(invitations)
      .set({ expiresAt: new Date(t.clock.now.getTime() + 1_000) })
      .where(eq(invitations.id, id))
    expect((await t.visitor().get('auth.invitation', { token })).status).toBe(200)
    t.pass(1_000)
    expect(await accept(t.visitor(), token)).toMatchObject({ status: 400, code: 'invitation_invalid' })
    const [row] = await t.db
      .select({ days: sql<number>`extract(day from expires_at - created_at)::int` })
      .from(invitations)
      .where(eq(invitations.id, (await invite()).id))
    expect(row?.days).toBe(7)
  })

  test('ask for the password of an existing account, and for a code if a second factor is enrolled', async () => {
    const elsewhere = await t.create.organization()
    const member = await t.create.member(elsewhere, { displayName: 'Mia' })
    const visitor = await t.signIn(member)
    const { secret } = (await visitor.post<{ secret: string }>('account.totp.begin', { password: PASSWORD })).data
    const code = () => new TOTP({ secret }).generate({ timestamp: t.clock.now.getTime() })
    await visitor.post('account.totp.confirm', { code: code() })
    t.pass(30_000)

    const { token } = await invite({ email: member.email })
    const guest = t.visitor()
    expect(await accept(guest, token, { password: 'wrong guess' })).toMatchObject({ code: 'invalid_credentials' })
    expect(await accept(guest, token)).toMatchObject({ status: 401, code: 'totp_required' })
    expect((await accept(guest, token, { code: code() })).status).toBe(200)
    expect((await guest.get('auth.me')).data).toMatchObject({
      user: { id: member.userId, displayName: 'Mia' },
      organization: { id: acme.id },
      organizations: [{ id: elsewhere.id }, { id: acme.id }],
    })
  })

  test.each([
    ['password', 'field_invalid', { password: 'short' }],
    ['password', 'field_invalid', { password: 'password123' }],
    ['password', 'invalid_request_body', { password: '' }],
    ['displayName', 'invalid_request_body', { displayName: ' ' }],
  ])('refuse a %s that is not fit (%s), and the link stays good', async (field, code, input) => {
    const { token } = await invite()
    expect(await accept(t.visitor(), token, input)).toMatchObject({ status: 400, code, details: { field } })
    expect((await accept(t.visitor(), token)).status).toBe(200)
  })

  test('limit attempts at guessing tokens', async () => {
    const stranger = t.visitor()
    const guess = async () => (await stranger.get('auth.invitation', { token: 'guess' })).code
    expect(await guess()).toBe('invitation_invalid')
    await t.multiplyAttempts(49)
    expect(await guess()).toBe('invitation_invalid')
    const { token } = await invite()
    expect(await stranger.get('auth.invitation', { token })).toMatchObject({ status: 429, code: 'rate_limited' })
    expect((await t.visitor().get('auth.invitation', { token })).status).toBe(200)
  })

  test('leave out a group that was deleted meanwhile', async () => {
    const group = await t.create.group(acme)
    const { token, email } = await invite({ groupIds: [group.id] })
    await t.db.delete(groups).where(eq(groups.id, group.id))
    expect((await accept(t.visitor(), token)).status).toBe(200)
    expect(await t.db.$count(users, eq(users.email, email))).toBe(1)
  })

  test('do not tell the inviter who has an account', async () => {
    const member = await t.create.member(await t.create.organization())
    await setPassword(t.db, member.userId)
    const [known, unknown] = [await invite({ email: member.email }), await invite()]
    const shown = async ({ token, email }: { token: string; email: string }) =>
      (await t.visitor().get('auth.invitation', { token })).text.replace(email, 'X')
    expect(await shown(known)).toBe(await shown(unknown))
    for (const password of ['short', 'password123']) {
      const answers = await Promise.all([known, unknown].map(({ token }) => accept(t.visitor(), token, { password })))
      expect(answers[0]?.text).toBe(answers[1]?.text)
      expect(answers[0]).toMatchObject({ status: 400, code: 'field_invalid', details: { field: 'password' } })
    }
    // Further attempts get equal responses as well.
    const [one, other] = [t.visitor(), t.visitor()]
    for (let i = 0; i < 6; i++) {
      const answers = [
        await accept(one, known.token, { password: 'x' }),
        await accept(other, unknown.token, { password: 'x' }),
      ]
      expect(answers[0]?.code).toBe(answers[1]?.code)
      expect(answers[0]?.code).toBe(i < 5 ? 'field_invalid' : 'rate_limited')
    }
  })

  test('take a password from before that could be no new one', async () => {
    const member = await t.create.member(await t.create.organization())
    const passwordHash = await hashPassword('password123')
    await t.db.update(users).set({ passwordHash }).where(eq(users.id, member.userId))
    const { token } = await invite({ email: member.email })
    expect((await accept(t.visitor(), token, { password: 'password123' })).status).toBe(200)
  })

  test('refuse a member and malformed input', async () => {
    const member = await t.create.member(acme)
    const post = (input: object) => acme.visitor.post('organization.members.invite', input)
    expect(await post({ email: member.email })).toMatchObject({ status: 409, code: 'already_exists' })
    expect(await post({ email: 'x' })).toMatchObject({ status: 400, details: { field: 'email' } })
    expect(await post({ email: newEmail(), groupIds: ['x'] })).toMatchObject({ code: 'invalid_uuid' })
    expect(await post({ email: newEmail(), permissions: { users: 'all' } })).toMatchObject({ status: 400 })
    expect(await post({ email: newEmail(), permissions: { owner: 'write' } })).toMatchObject({ status: 400 })
  })

  test('replace an earlier invitation of the same address', async () => {
    const first = await invite()
    const second = await acme.visitor.post<Invited>('organization.members.invite', { email: first.email })
    expect((await accept(t.visitor(), first.token)).code).toBe('invitation_invalid')
    expect((await accept(t.visitor(), second.data.token)).status).toBe(200)
  })
})

describe('who may invite', () => {
  test('needs users write', async () => {
    const reader = await t.signIn(await t.create.member(acme, { sections: { users: 'read', orgAdmin: 'write' } }))
    expect(await reader.post('organization.members.invite', { email: newEmail() })).toMatchObject({
      status: 403,
      code: 'insufficient_permissions',
    })
    expect((await reader.get('organization.invitations.list')).status).toBe(200)
    const nobody = await t.signIn(await t.create.member(acme))
    expect((await nobody.get('organization.invitations.list')).code).toBe('insufficient_permissions')
  })

  test('promises no more than they hold, neither by sections nor by what a group has', async () => {
    const workspace = await t.create.workspace(acme)
    const other = await t.create.workspace(acme)
    const grants = [{ workspaceId: workspace.id, level: 1 as const }]
    const inviter = await t.signIn(
      await t.create.member(acme, { sections: { users: 'write', settings: 'read' }, grants }),
    )
    const post = (input: object) => inviter.post('organization.members.invite', { email: newEmail(), ...input })
    const groupWith = async (given: Parameters<typeof createGroup>[2]) => ({
      groupIds: [(await t.create.group(acme, given)).id],
    })
    expect((await post({ permissions: { settings: 'read', users: 'write' } })).status).toBe(200)
    expect((await post(await groupWith({ sections: { settings: 'read' } }))).status).toBe(200)
    expect((await post(await groupWith({ grants }))).status).toBe(200)
    for (const input of [
      { permissions: { settings: 'write' } },
      { permissions: { orgAdmin: 'read' } },
      await groupWith({ sections: { settings: 'write' } }),
      await groupWith({ grants: [{ workspaceId: workspace.id, level: 2 }] }),
      await groupWith({ grants: [{ workspaceId: other.id, level: 1 }] }),
    ]) {
      expect(await post(input)).toMatchObject({ status: 403, code: 'insufficient_permissions' })
    }
  })
})

describe('organization.invitations', () => {
  type Page = { items: { id: string }[]; total: number }

  test('list open invitations and withdraw them', async () => {
    const organization = await t.create.organization()
    const admin = await t.signIn(organization.owner)
    const group = await t.create.group(organization, { name: 'Crew' })
    const open = await invite({ groupIds: [group.id], permissions: { users: 'read' } }, admin)
    const accepted = await invite({}, admin)
    await accept(t.visitor(), accepted.token)
    const over = await invite({}, admin)
    await t.db.update(invitations).set({ expiresAt: t.clock.now }).where(eq(invitations.id, over.id))

    const listed = await admin.get<Page>('organization.invitations.list')
    expect(listed.data).toMatchObject({
      total: 1,
      items: [
        {
          id: open.id,
          email: open.email,
          groups: [{ id: group.id, name: 'Crew' }],
          permissions: { users: 'read', settings: 'none' },
          invitedBy: organization.owner.email,
          expiresAt: new Date(t.clock.now.getTime() + 7 * DAY_MS).toISOString(),
        },
      ],
    })
    expect(listed.text).not.toContain(open.token)

    expect(await acme.visitor.post('organization.invitations.withdraw', { id: open.id })).toMatchObject({ status: 404 })
    expect((await admin.post('organization.invitations.withdraw', { id: open.id })).status).toBe(200)
    expect((await accept(t.visitor(), open.token)).code).toBe('invitation_invalid')
    expect(await admin.post('organization.invitations.withdraw', { id: open.id })).toMatchObject({ status: 404 })
    expect(await admin.post('organization.invitations.withdraw', { id: accepted.id })).toMatchObject({ status: 404 })
    expect(await t.db.$count(memberships, eq(memberships.organizationId, organization.id))).toBe(2)
  })
})

describe('an invitation and its maker', () => {
  const ADMIN = { users: 'write', orgAdmin: 'write', settings: 'write', workspaces: 'write' } as const

  async function invitedBy(sections: MemberOptions['sections'] = ADMIN, input: object = {}, groups: Group[] = []) {
    const maker = await t.create.member(acme, { sections, groups })
    return { maker, ...(await invite(input, await t.signIn(maker))) }
  }

  const ENDS = {
    'is removed': ({ userId }: Member) => acme.visitor.post('organization.members.remove', { userId }),
    'is disabled, and enabled again': async ({ userId }: Member) => {
      await acme.visitor.post('organization.members.setActive', { userId, isActive: false })
      return acme.visitor.post('organization.members.setActive', { userId, isActive: true })
    },
    'may not invite any more, and then may again': async ({ userId }: Member) => {
      const set = (users: string) => ({ userId, permissions: { users } })
      await acme.visitor.post('organization.members.setPermissions', set('read'))
      return acme.visitor.post('organization.members.setPermissions', set('write'))
    },
  }

  test.each(Object.entries(ENDS))('ends for good when the maker %s', async (_, end) => {
    const { maker, token, id } = await invitedBy()
    const guest = t.visitor()
    expect((await guest.get('auth.invitation', { token })).status).toBe(200)
    expect((await end(maker)).status).toBe(200)
    expect(await guest.get('auth.invitation', { token })).toMatchObject({ status: 400, code: 'invitation_invalid' })
    expect(await accept(guest, token)).toMatchObject({ status: 400, code: 'invitation_invalid' })
    expect((await acme.visitor.get('organization.invitations.list', { pageSize: 100 })).text).not.toContain(id)
    expect(await actionsOn(t.db, id)).toEqual(['invitation.create', 'invitation.end'])
  })

  test.each(['update', 'remove', 'removeMember'])(
    'ends when the maker loses the right by groups.%s',
    async (change) => {
      const group = await t.create.group(acme, { sections: { users: 'write' } })
      const { maker, token } = await invitedBy({}, {}, [group])
      const input = {
        update: { groupId: group.id, permissions: { users: 'read' } },
        remove: { groupId: group.id },
        removeMember: { groupId: group.id, userId: maker.userId },
      }[change]
      expect((await acme.visitor.post(`organization.groups.${change}`, input)).status).toBe(200)
      expect(await accept(t.visitor(), token)).toMatchObject({ status: 400, code: 'invitation_invalid' })
    },
  )

  test('is refused when the account of the maker is disabled', async () => {
    const { maker, token } = await invitedBy()
    await t.db.update(users).set({ isActive: false }).where(eq(users.id, maker.userId))
    expect(await accept(t.visitor(), token)).toMatchObject({ status: 400, code: 'invitation_invalid' })
  })

  test('gives no more than the maker holds at the acceptance', async () => {
    const workspace = await t.create.workspace(acme)
    const admins = await t.create.group(acme, { sections: { orgAdmin: 'write' } })
    const granted = await t.create.group(acme, { grants: [{ workspaceId: workspace.id, level: 2 }] })
    const plain = await t.create.group(acme, { name: unique('Plain') })
    const groupIds = [admins.id, granted.id, plain.id]
    const { maker, token, email } = await invitedBy(ADMIN, { permissions: ADMIN, groupIds })
    const permissions = { orgAdmin: 'none', settings: 'read', workspaces: 'none' }
    await acme.visitor.post('organization.members.setPermissions', { userId: maker.userId, permissions })
    const guest = t.visitor()
    expect((await accept(guest, token)).status).toBe(200)
    const me = (await guest.get('auth.me')).data
    expect(me).toMatchObject({
      sections: { users: 'write', settings: 'read', orgAdmin: 'none', workspaces: 'none' },
    })
    const { data } = await acme.visitor.get<{ items: { email: string; groups: object[] }[] }>(
      'organization.members.list',
      { pageSize: 100 },
    )
    expect(data.items.find((item) => item.email === email)?.groups).toEqual([{ id: plain.id, name: plain.name }])
  })

  test('stays open after a transfer of the ownership, whose former owner still may invite', async () => {
    const organization = await t.create.organization()
    const owner = await t.signIn(organization.owner)
    const heir = await t.create.member(organization)
    const { token } = await invite({ permissions: ADMIN }, owner)
    const answer = await owner.post('organization.transferOwnership', { userId: heir.userId, password: PASSWORD })
    expect(answer.status).toBe(200)
    expect((await accept(t.visitor(), token)).status).toBe(200)
  })
})
