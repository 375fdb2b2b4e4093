import { describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { projects, services } from '#db/schema/resources.ts'
import type { Page } from '#server/paging.ts'
import type { Project } from '#server/schemas/projects.ts'
import type { Service } from '#server/schemas/services.ts'
import { testApi } from '#test/support/api/api.ts'
import { expectOldestFirst } from '#test/support/api/oldest-first.ts'
import { testTree } from '#test/support/api/tree.ts'
import { addHour, setState } from '#test/support/runs/results.ts'
import { SCRIPT } from '#test/support/runs/scripts.ts'
import { actionsOn, auditOf, clearJobsOf } from '#test/support/side-effects.ts'

const NOW = new Date('2026-11-20T12:30:00Z')
const api = testApi({ now: () => NOW })
const tree = testTree(api)

describe('GET /projects', () => {
  test('200 the projects of the workspace, oldest first by creation, then id', async () => {
    const own = await api.create.workspace(tree.organization)
    const at = (minute: number) => ({ createdAt: new Date(Date.UTC(2026, 0, 1, 0, minute)) })
    const made = [
      await api.create.project(own, at(3)),
      await api.create.project(own, at(1)),
      await api.create.project(own, at(3)),
    ]
    await api.create.project(tree.workspace)
    const list = (query: object) =>
      api.call<Page<Project>>(tree.owner, 'GET', '/projects', { query: { workspaceId: own.id, ...query } })
    await expectOldestFirst(list, made)
  })
})

describe('POST /projects', () => {
  test('200 creates it, empty and without metrics', async () => {
    const { status, body } = await api.call<Project>(tree.owner, 'POST', '/projects', {
      body: { workspaceId: tree.workspace.id, name: ' Checkout ' },
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.any(String),
      workspaceId: tree.workspace.id,
      name: 'Checkout',
      createdAt: NOW.toISOString(),
      serviceCount: 0,
    })
    expect((await api.call(tree.owner, 'GET', `/projects/${body.id}`)).body).toEqual(body)
    expect(await actionsOn(api.db, body.id)).toEqual(['project.create'])
  })

  test('200 with write on the workspace alone', async () => {
    const member = await api.create.member(tree.organization, {
      grants: [{ workspaceId: tree.workspace.id, level: 2 }],
    })
    const { status } = await api.call(await api.create.key(member), 'POST', '/projects', {
      body: { workspaceId: tree.workspace.id, name: 'By a member' },
    })
    expect(status).toBe(200)
  })

  test('409 already_exists within the workspace, not in another one', async () => {
    const body = { workspaceId: tree.workspace.id, name: 'Twice' }
    const first = await api.call(tree.owner, 'POST', '/projects', { body })
    expect(first.status).toBe(200)
    const again = await api.call(tree.owner, 'POST', '/projects', { body })
    const details = { field: 'name', id: first.body.id }
    expect({ status: again.status, body: again.body }).toEqual({
      status: 409,
      body: { error: 'already_exists', details },
    })
    const elsewhere = { ...body, workspaceId: (await api.create.workspace(tree.organization)).id }
    expect((await api.call(tree.owner, 'POST', '/projects', { body: elsewhere })).status).toBe(200)
  })
})

describe('GET /projects/{id}', () => {
  test('200 with counts and metrics over its services', async () => {
    const project = await api.create.project(tree.workspace)
    const [one, two] = [await api.create.service(project), await api.create.service(project)]
    await api.create.service(project)
    const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000)
    await setState(api.db, one, {
      lastStatus: 'failure',
      lastConsecutive: 2,
      lastResponseMs: 30,
      lastRunAt: minutesAgo(1),
      probesTotal: 10,
      probesSuccess: 7,
      probesFailure: 2,
      probesTimeout: 1,
    })
    await setState(api.db, two, {
      lastStatus: 'success',
      lastConsecutive: 5,
      lastResponseMs: 90,
      lastRunAt: minutesAgo(2),
      probesTotal: 5,
      probesSuccess: 5,
    })
    await addHour(api.db, one, minutesAgo(60), [10, 30])
    await addHour(api.db, two, minutesAgo(0), [20, 90])
    // Before the 24 hours that percentiles cover.
    await addHour(api.db, two, minutesAgo(24 * 60), [9_999])
    const { body } = await api.call<Project>(tree.owner, 'GET', `/projects/${project.id}`)
    expect(body).toEqual({
      id: project.id,
      workspaceId: tree.workspace.id,
      name: project.name,
      createdAt: project.createdAt.toISOString(),
      serviceCount: 3,
      metrics: {
        counters: { probesTotal: 15, probesSuccess: 12, probesFailure: 2, probesTimeout: 1 },
        state: {
          lastStatus: 'failure',
          lastConsecutive: 2,
          lastResponseMs: 30,
          lastRunAt: minutesAgo(1).getTime() / 1_000,
        },
        percentiles: { p50: 20, p95: 90, p99: 90 },
        serviceCount: 3,
      },
    })
    const { body: listed } = await api.call<Page<Project>>(tree.owner, 'GET', '/projects', {
      query: { workspaceId: tree.workspace.id, pageSize: 100 },
    })
    expect(listed.items.find((item) => item.id === project.id)).toEqual(body)
  })
})

describe('PATCH /projects/{id}', () => {
  test('200 renames, audited with both names', async () => {
    const project = await api.create.project(tree.workspace)
    const { body } = await api.call(tree.owner, 'PATCH', `/projects/${project.id}`, { body: { name: ' New ' } })
    expect(body).toMatchObject({ id: project.id, name: 'New', serviceCount: 0 })
    expect(await auditOf(api.db, project.id)).toMatchObject([
      {
        action: 'project.rename',
        entityName: 'New',
        keyName: tree.owner.name,
        details: { from: project.name, to: 'New' },
      },
    ])
  })

  test('409 already_exists for a name that is taken in its workspace', async () => {
    const [one, two] = [await api.create.project(tree.workspace), await api.create.project(tree.workspace)]
    const { status, body } = await api.call(tree.owner, 'PATCH', `/projects/${one.id}`, { body: { name: two.name } })
    const details = { field: 'name', id: two.id }
    expect({ status, body }).toEqual({ status: 409, body: { error: 'already_exists', details } })
  })
})

describe('DELETE /projects/{id}', () => {
  test('200 with its services; their results stay while it can be restored', async () => {
    const project = await api.create.project(tree.workspace)
    const { body: service } = await api.call<Service>(tree.owner, 'POST', '/services', {
      body: { projectId: project.id, name: 'One', script: SCRIPT },
    })
    const kept = await api.create.service(await api.create.project(tree.workspace))
    const { status, body } = await api.call(tree.owner, 'DELETE', `/projects/${project.id}`)
    expect({ status, body }).toEqual({ status: 200, body: { ok: true } })
    expect(await api.db.$count(projects, eq(projects.id, project.id))).toBe(0)
    expect(await api.db.$count(services, eq(services.id, service.id))).toBe(0)
    expect(await api.db.$count(services, eq(services.id, kept.id))).toBe(1)
    expect(await clearJobsOf(api.db, service.id)).toBe(0)
    expect(await actionsOn(api.db, project.id)).toEqual(['project.delete'])
  })

  test('one of many parallel requests succeeds, the others get 404, while services are being created', async () => {
    const project = await api.create.project(tree.workspace)
    const body = (index: number) => ({ projectId: project.id, name: `Service ${index}` })
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => api.call(tree.owner, 'DELETE', `/projects/${project.id}`)),
      ...Array.from({ length: 4 }, (_, i) => api.call(tree.owner, 'POST', '/services', { body: body(i) })),
    ])
    const statuses = answers.map((answer) => answer.status)
    expect(statuses.slice(0, 4).sort()).toEqual([200, 404, 404, 404])
    expect(statuses.slice(4).every((status) => status === 200 || status === 404)).toBe(true)
    expect(await api.db.$count(services, eq(services.projectId, project.id))).toBe(0)
  })
})
