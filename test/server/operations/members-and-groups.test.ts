import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { invitations } from '#db/schema/organizations.ts'
import { HOUR_MS } from '#server/durations.ts'
import type { Page } from '#server/paging.ts'
import { testApi } from '#test/support/api/api.ts'
import type { Key, Organization } from '#test/support/factories.ts'

const api = testApi()
let organization: Organization
let reader: Key

beforeAll(async () => {
  organization = await api.create.organization()
  const member = await api.create.member(organization, { displayName: 'Reader', sections: { users: 'read' } })
  reader = await api.create.key(member)
  await api.create.organization()
})

type MemberItem = { userId: string; displayName: string; email: string; isActive: boolean }
type GroupItem = { id: string; name: string; memberCount: number }

describe('GET /members', () => {
  test('200 by display name, then id; disabled ones included, invitations and other organizations not', async () => {
    const own = await api.create.organization()
    const key = await api.create.key(own.owner)
    const named = (displayName: string, given = {}) => api.create.member(own, { displayName, ...given })
    const made = [
      { member: await named('bb'), name: 'bb', isActive: true },
      { member: await named('ab', { isActive: false }), name: 'ab', isActive: false },
      { member: await named('bb'), name: 'bb', isActive: true },
      { member: await named('ac', { isAccountActive: false }), name: 'ac', isActive: false },
    ]
    await api.create.member(organization, { userId: made[0]?.member.userId })
    await api.db.insert(invitations).values({
      id: uuidv7(),
      organizationId: own.id,
      email: 'pending@example.com',
      tokenDigest: Buffer.alloc(32, 1),
      groupIds: [],
      permissions: {},
      invitedBy: own.owner.userId,
      expiresAt: new Date(Date.now() + HOUR_MS),
    })
    const expected = made
      .map(({ member, name, isActive }) => ({
        userId: member.userId,
        displayName: name,
        email: member.email,
        isActive,
      }))
      .sort((a, b) => `${a.displayName}${a.userId}`.localeCompare(`${b.displayName}${b.userId}`))
    const { status, body } = await api.call<Page<MemberItem>>(key, 'GET', '/members')
    expect(status).toBe(200)
    // The owner's name begins with "member-", after all of these.
    expect(body.items.slice(0, 4)).toEqual(expected)
    expect(body.items[4]).toMatchObject({ userId: own.owner.userId })
    expect(body).toMatchObject({ total: 5, page: 1, pageSize: 50 })
    const query = { page: 2, pageSize: 3 }
    const second = await api.call<Page<MemberItem>>(key, 'GET', '/members', { query })
    expect(second.body).toMatchObject({ items: [expected[3], { userId: own.owner.userId }], total: 5, page: 2 })
  })

  test('a member who leaves the list of one organization stays in that of another', async () => {
    const other = await api.create.organization()
    const member = await api.create.member(organization)
    await api.create.member(other, { userId: member.userId, isActive: false })
    const of = async (key: Key) =>
      (await api.call<Page<MemberItem>>(key, 'GET', '/members')).body.items.find((m) => m.userId === member.userId)
    expect(await of(reader)).toMatchObject({ isActive: true })
    expect(await of(await api.create.key(other.owner))).toMatchObject({ isActive: false })
  })
})

describe('GET /groups', () => {
  test('200 by name, then id, with the number of members', async () => {
    const own = await api.create.organization()
    const [b, a, empty] = [
      await api.create.group(own, { name: 'B' }),
      await api.create.group(own, { name: 'A' }),
      await api.create.group(own, { name: 'C' }),
    ]
    await api.create.member(own, { groups: [a, b] })
    await api.create.member(own, { groups: [a], isActive: false })
    const { status, body } = await api.call<Page<GroupItem>>(await api.create.key(own.owner), 'GET', '/groups')
    expect(status).toBe(200)
    expect(body).toEqual({
      items: [
        { id: a.id, name: 'A', memberCount: 2 },
        { id: b.id, name: 'B', memberCount: 1 },
        { id: empty.id, name: 'C', memberCount: 0 },
      ],
      total: 3,
      page: 1,
      pageSize: 50,
    })
  })
})

test('every list sorts names in the same, natural order', async () => {
  const own = await api.create.organization()
  const workspace = await api.create.workspace(own)
  const owner = await api.create.key(own.owner)
  for (const name of ['b', 'Z', 'Ä', 'a', 'B', 'z', 'A', '2', '10', '_']) {
    await api.create.group(own, { name, grants: [{ workspaceId: workspace.id, level: 1 }] })
  }
  const sorted = ['_', '10', '2', 'a', 'A', 'Ä', 'b', 'B', 'z', 'Z']
  const { body: groups } = await api.call<Page<GroupItem>>(owner, 'GET', '/groups')
  expect(groups.items.map((group) => group.name)).toEqual(sorted)
  const { body: entries } = await api.call<{ name: string }[]>(owner, 'GET', `/access/workspace/${workspace.id}`)
  expect(entries.map((entry) => entry.name)).toEqual(sorted)
})

describe.each(['/members', '/groups'])('GET %s', (path) => {
  test('200 with read on users, through a group as well', async () => {
    expect((await api.call(reader, 'GET', path)).status).toBe(200)
    const group = await api.create.group(organization, { sections: { users: 'read' } })
    const member = await api.create.member(organization, { groups: [group] })
    expect((await api.call(await api.create.key(member), 'GET', path)).status).toBe(200)
  })
})
