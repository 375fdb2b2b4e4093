import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { apiKeys } from '#db/schema/credentials.ts'
import { groupMembers, memberships } from '#db/schema/organizations.ts'
import { services } from '#db/schema/resources.ts'
import { grants } from '#db/schema/scoped.ts'
import { testApi } from '#test/support/api/api.ts'
import type { Key, Member, Organization } from '#test/support/factories.ts'

// What changed since the last request of a key counts at once.

const api = testApi()
let organization: Organization
let project: { id: string; organizationId: string }
let service: { id: string }
let member: Member
let key: Key

beforeAll(async () => {
  organization = await api.create.organization()
  project = await api.create.project(await api.create.workspace(organization))
})

beforeEach(async () => {
  service = await api.create.service(project)
  member = await api.create.member(organization, { sections: { workspaces: 'read' } })
  key = await api.create.key(member)
  expect((await read()).status).toBe(200)
})

const read = () => api.call(key, 'GET', `/services/${service.id}`)
const setSection = (workspaces: 0 | 1) =>
  api.db.update(memberships).set({ workspaces }).where(eq(memberships.id, member.membershipId))

describe('a key', () => {
  test('has the headers of its rate limit, also where nothing is found', async () => {
    expect((await read()).headers.get('x-ratelimit-remaining')).not.toBeNull()
    const missing = await api.call(key, 'GET', `/services/${project.id}`)
    expect(missing.status).toBe(404)
    expect(missing.headers.get('x-ratelimit-remaining')).not.toBeNull()
  })

  test('reaches nothing after a demotion, and all of it after a promotion', async () => {
    await setSection(0)
    expect((await read()).status).toBe(404)
    expect((await read()).status).toBe(404)
    await setSection(1)
    expect((await read()).status).toBe(200)
  })

  test('reaches by a grant of a group only while the member is in the group and has the grant', async () => {
    await setSection(0)
    expect((await read()).status).toBe(404)
    const group = await api.create.group(organization)
    await api.db
      .insert(groupMembers)
      .values({ organizationId: organization.id, groupId: group.id, membershipId: member.membershipId })
    await api.create.grant(organization, { groupId: group.id }, { serviceId: service.id, level: 1 })
    expect((await read()).status).toBe(200)
    await api.db.delete(grants).where(eq(grants.groupId, group.id))
    expect((await read()).status).toBe(404)
  })

  test('is refused at once when it is revoked or its member is disabled', async () => {
    await api.db.update(memberships).set({ isActive: false }).where(eq(memberships.id, member.membershipId))
    expect((await read()).body).toMatchObject({ error: 'api_key_owner_inactive' })
    await api.db.update(memberships).set({ isActive: true }).where(eq(memberships.id, member.membershipId))
    expect((await read()).status).toBe(200)
    await api.db.update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.id, key.id))
    expect((await read()).body).toMatchObject({ error: 'api_key_revoked' })
  })

  test('finds no service that was deleted', async () => {
    await api.db.delete(services).where(eq(services.id, service.id))
    expect((await read()).status).toBe(404)
  })

  test('many at once do not wait for each other', async () => {
    const pages = Array.from({ length: 40 }, () =>
      api.call(key, 'GET', '/services', { query: { projectId: project.id } }),
    )
    expect(new Set((await Promise.all(pages)).map(({ status }) => status))).toEqual(new Set([200]))
  })
})
