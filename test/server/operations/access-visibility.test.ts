import { beforeAll, describe, expect, test } from 'vitest'
import type { projects, services, workspaces } from '#db/schema/resources.ts'
import type { Page } from '#server/paging.ts'
import type { Project } from '#server/schemas/projects.ts'
import { testApi } from '#test/support/api/api.ts'
import type { GrantOn, Key, Organization } from '#test/support/factories.ts'
import { addHour, setState } from '#test/support/runs/results.ts'

const NOW = new Date('2026-11-20T12:30:00Z')
const api = testApi({ now: () => NOW })

/** Two resources of each kind, so that each has a neighbour that its grant must not show. */
type Tree = {
  organization: Organization
  workspaces: (typeof workspaces.$inferSelect)[]
  projects: (typeof projects.$inferSelect)[]
  services: (typeof services.$inferSelect)[]
}
let tree: Tree

beforeAll(async () => {
  const organization = await api.create.organization()
  tree = { organization, workspaces: [], projects: [], services: [] }
  for (const _ of [0, 1]) {
    const workspace = await api.create.workspace(organization)
    tree.workspaces.push(workspace)
    for (const _ of [0, 1]) {
      const project = await api.create.project(workspace)
      tree.projects.push(project)
      for (const _ of [0, 1]) {
        const service = await api.create.service(project)
        tree.services.push(service)
        await setState(api.db, service, { lastStatus: 'success', lastRunAt: NOW, probesTotal: 10, probesSuccess: 10 })
        await addHour(api.db, service, NOW, [tree.services.length])
      }
    }
  }
})

const [FIRST, SECOND] = [0, 1] as const
const at = <T>(list: T[], index: number) => list[index] as T

async function keyOf(grant: GrantOn): Promise<Key> {
  return api.create.key(await api.create.member(tree.organization, { grants: [grant] }))
}

/** Returns the indexes of the resources that the key sees. Lists and single reads must agree. */
async function seenBy(key: Key) {
  const listed = async (path: string, query: Record<string, string> = {}) => {
    const { status, body } = await api.call<Page<{ id: string }>>(key, 'GET', path, { query })
    if (status !== 200) return []
    expect(body.total).toBe(body.items.length)
    return body.items.map((item) => item.id)
  }
  const got = async (path: string, rows: { id: string }[]) => {
    const statuses = await Promise.all(rows.map((row) => api.call(key, 'GET', `${path}/${row.id}`)))
    return rows.filter((_, i) => statuses[i]?.status === 200).map((row) => row.id)
  }
  const seen = {
    workspaces: await listed('/workspaces'),
    projects: (await Promise.all(tree.workspaces.map((w) => listed('/projects', { workspaceId: w.id })))).flat(),
    services: (await Promise.all(tree.projects.map((p) => listed('/services', { projectId: p.id })))).flat(),
  }
  for (const kind of ['workspaces', 'projects', 'services'] as const) {
    expect(await got(`/${kind}`, tree[kind])).toEqual(seen[kind])
  }
  const indexes = (kind: keyof typeof seen) => seen[kind].map((id) => tree[kind].findIndex((row) => row.id === id))
  return { workspaces: indexes('workspaces'), projects: indexes('projects'), services: indexes('services') }
}

describe('what a grant shows', () => {
  test('all grants of a member and of their groups together', async () => {
    const group = await api.create.group(tree.organization, {
      grants: [{ serviceId: at(tree.services, 0).id, level: 1 }],
    })
    const member = await api.create.member(tree.organization, { groups: [group] })
    const key = await api.create.key(member)
    expect(await seenBy(key)).toEqual({ workspaces: [0], projects: [0], services: [0] })
    await api.create.grant(tree.organization, { groupId: group.id }, { projectId: at(tree.projects, 3).id, level: 1 })
    expect(await seenBy(key)).toEqual({ workspaces: [0, 1], projects: [0, 3], services: [0, 6, 7] })
  })
})

describe('counts and metrics of a visible container', () => {
  test('cover only what the caller may see', async () => {
    const service = at(tree.services, 1)
    const read = async (key: Key) => (await api.call<Project>(key, 'GET', `/projects/${service.projectId}`)).body
    const partial = await read(await keyOf({ serviceId: service.id, level: 1 }))
    expect(partial).toMatchObject({
      serviceCount: 1,
      metrics: { counters: { probesTotal: 10 }, percentiles: { p50: 2, p99: 2 }, serviceCount: 1 },
    })
    const whole = await read(await keyOf({ projectId: service.projectId, level: 1 }))
    expect(whole).toMatchObject({
      serviceCount: 2,
      metrics: { counters: { probesTotal: 20 }, percentiles: { p50: 1, p99: 2 }, serviceCount: 2 },
    })
  })

  test('say nothing where it holds nothing visible', async () => {
    const project = at(tree.projects, FIRST)
    const own = await api.create.project(at(tree.workspaces, FIRST))
    const key = await keyOf({ projectId: own.id, level: 1 })
    const { body } = await api.call<Page<Project>>(key, 'GET', '/projects', {
      query: { workspaceId: project.workspaceId },
    })
    expect(body.items).toEqual([expect.objectContaining({ id: own.id, serviceCount: 0 })])
    expect(body.items[0]).not.toHaveProperty('metrics')
  })
})

describe('a grant changes what a key may do at once', () => {
  test('write access includes the resources in it; after its removal the next request is 404', async () => {
    const member = await api.create.member(tree.organization)
    const key = await api.create.key(member)
    const path = `/services/${at(tree.services, 7).id}`
    const change = () => api.call(key, 'PATCH', path, { body: { label: 'x' } })
    expect((await change()).status).toBe(404)
    await api.create.grant(tree.organization, member, { workspaceId: at(tree.workspaces, SECOND).id, level: 2 })
    expect((await change()).status).toBe(200)
    await api.db.execute(`delete from grants where membership_id = '${member.membershipId}'`)
    expect((await change()).status).toBe(404)
    expect((await api.call(key, 'GET', path)).status).toBe(404)
  })

  test('the higher of several grants counts', async () => {
    const service = at(tree.services, 6)
    const group = await api.create.group(tree.organization, { grants: [{ serviceId: service.id, level: 2 }] })
    const member = await api.create.member(tree.organization, {
      groups: [group],
      sections: { workspaces: 'read' },
      grants: [{ projectId: service.projectId, level: 1 }],
    })
    const key = await api.create.key(member)
    expect((await api.call(key, 'PATCH', `/services/${service.id}`, { body: { label: 'y' } })).status).toBe(200)
    const sibling = at(tree.services, 7)
    expect((await api.call(key, 'PATCH', `/services/${sibling.id}`, { body: { label: 'y' } })).status).toBe(404)
  })
})
