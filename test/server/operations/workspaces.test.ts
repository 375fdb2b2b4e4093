import { describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { schedules } from '#db/schema/runs.ts'
import { grants, variables } from '#db/schema/scoped.ts'
import type { Page } from '#server/paging.ts'
import type { Service } from '#server/schemas/services.ts'
import type { Workspace } from '#server/schemas/workspaces.ts'
import { testApi } from '#test/support/api/api.ts'
import { expectOldestFirst } from '#test/support/api/oldest-first.ts'
import { testTree } from '#test/support/api/tree.ts'
import { SCRIPT } from '#test/support/runs/scripts.ts'
import { actionsOn, auditOf, clearJobsOf } from '#test/support/side-effects.ts'

const api = testApi()
const tree = testTree(api)

type Listed = Page<Workspace>

describe('GET /workspaces', () => {
  test('200 oldest first by creation, then id, page by page', async () => {
    const own = await api.create.organization()
    const key = await api.create.key(own.owner)
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))
    const made = [
      await api.create.workspace(own, { createdAt: at(2) }),
      await api.create.workspace(own, { createdAt: at(1) }),
      await api.create.workspace(own, { createdAt: at(2) }),
      await api.create.workspace(own, { createdAt: at(0) }),
    ]
    await expectOldestFirst((query) => api.call<Listed>(key, 'GET', '/workspaces', { query }), made)
  })
})

describe('POST /workspaces', () => {
  test('200 creates it, trimmed, with a write grant for its creator', async () => {
    const { status, body } = await api.call<Workspace>(tree.owner, 'POST', '/workspaces', {
      body: { name: '  Shop  ' },
    })
    expect(status).toBe(200)
    expect(body).toEqual({ id: expect.any(String), name: 'Shop', createdAt: expect.any(String) })
    expect((await api.call(tree.owner, 'GET', `/workspaces/${body.id}`)).body).toEqual(body)
    const held = await api.db.select().from(grants).where(eq(grants.workspaceId, body.id))
    expect(held).toMatchObject([{ membershipId: tree.organization.owner.membershipId, level: 2 }])
    expect(await actionsOn(api.db, body.id)).toEqual(['workspace.create'])
  })

  test('409 already_exists within the organization, not in another one', async () => {
    const first = await api.call(tree.owner, 'POST', '/workspaces', { body: { name: 'Twice' } })
    const { status, body } = await api.call(tree.owner, 'POST', '/workspaces', { body: { name: ' Twice ' } })
    const details = { field: 'name', id: first.body.id }
    expect({ status, ...body }).toEqual({ status: 409, error: 'already_exists', details })
    const other = await api.create.organization()
    const elsewhere = await api.call(await api.create.key(other.owner), 'POST', '/workspaces', {
      body: { name: 'Twice' },
    })
    expect(elsewhere.status).toBe(200)
  })

  test('one of many parallel creations with the same name succeeds', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api.call(tree.owner, 'POST', '/workspaces', { body: { name: 'Contended' } })),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(9).fill(409)])
  })
})

describe('GET /workspaces/{id}', () => {
  test('200', async () => {
    const workspace = await api.create.workspace(tree.organization)
    const { status, body } = await api.call(tree.owner, 'GET', `/workspaces/${workspace.id}`)
    expect(status).toBe(200)
    expect(body).toEqual({ id: workspace.id, name: workspace.name, createdAt: workspace.createdAt.toISOString() })
  })
})

describe('PATCH /workspaces/{id}', () => {
  test('200 renames, audited with both names', async () => {
    const workspace = await api.create.workspace(tree.organization)
    const { body } = await api.call(tree.owner, 'PATCH', `/workspaces/${workspace.id}`, { body: { name: ' Renamed ' } })
    expect(body).toEqual({ id: workspace.id, name: 'Renamed', createdAt: workspace.createdAt.toISOString() })
    const [entry] = await auditOf(api.db, workspace.id)
    expect(entry).toMatchObject({
      action: 'workspace.rename',
      keyName: tree.owner.name,
      details: { from: workspace.name, to: 'Renamed' },
    })
  })

  test('200 for the name it has already', async () => {
    const workspace = await api.create.workspace(tree.organization)
    const same = await api.call(tree.owner, 'PATCH', `/workspaces/${workspace.id}`, { body: { name: workspace.name } })
    expect(same.status).toBe(200)
  })

  test('409 already_exists for a name that is taken', async () => {
    const [one, two] = [await api.create.workspace(tree.organization), await api.create.workspace(tree.organization)]
    const { status, body } = await api.call(tree.owner, 'PATCH', `/workspaces/${one.id}`, { body: { name: two.name } })
    expect({ status, ...body }).toEqual({
      status: 409,
      error: 'already_exists',
      details: { field: 'name', id: two.id },
    })
  })
})

describe('DELETE /workspaces/{id}', () => {
  test('200 with everything in it; what the services left is cleared in the background', async () => {
    const workspace = await api.create.workspace(tree.organization)
    const project = await api.create.project(workspace)
    const made = await api.call<Service>(tree.owner, 'POST', '/services', {
      body: { projectId: project.id, name: 'One', script: SCRIPT },
    })
    const kept = await api.create.service(await api.create.project(await api.create.workspace(tree.organization)))

    const { status, body } = await api.call(tree.owner, 'DELETE', `/workspaces/${workspace.id}`)
    expect({ status, body }).toEqual({ status: 200, body: { ok: true } })
    const left = await Promise.all([
      api.db.$count(workspaces, eq(workspaces.id, workspace.id)),
      api.db.$count(projects, eq(projects.id, project.id)),
      api.db.$count(services, eq(services.id, made.body.id)),
      api.db.$count(variables, eq(variables.serviceId, made.body.id)),
      api.db.$count(schedules, eq(schedules.serviceId, made.body.id)),
      api.db.$count(services, eq(services.id, kept.id)),
    ])
    expect(left).toEqual([0, 0, 0, 0, 0, 1])
    expect(await clearJobsOf(api.db, made.body.id)).toBe(1)
    expect((await api.call(tree.owner, 'GET', `/services/${made.body.id}`)).status).toBe(404)
    expect(await actionsOn(api.db, workspace.id)).toEqual(['workspace.delete'])
  })

  test('404 the second time, and one success among many at once', async () => {
    const workspace = await api.create.workspace(tree.organization)
    await api.create.service(await api.create.project(workspace))
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => api.call(tree.owner, 'DELETE', `/workspaces/${workspace.id}`)),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 404, 404, 404, 404, 404])
    expect(await actionsOn(api.db, workspace.id)).toEqual(['workspace.delete'])
  })
})
