import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { runs } from '#db/schema/runs.ts'
import { BATCH_SERVICES_MAX, type Batch } from '#server/schemas/runs/batches.ts'
import type { Service } from '#server/schemas/services.ts'
import { testApi } from '#test/support/api/api.ts'
import { testTree } from '#test/support/api/tree.ts'
import { setState } from '#test/support/runs/results.ts'
import { SCRIPT } from '#test/support/runs/scripts.ts'
import { auditOf } from '#test/support/side-effects.ts'

const api = testApi()
const tree = testTree(api)

beforeAll(async () => {
  await api.create.agent({ organizationId: tree.organization.id })
})

/** An empty project in the tree's workspace. */
async function emptyProject() {
  const project = await api.create.project(tree.workspace)
  const inside = async (given: Record<string, unknown> = {}): Promise<Service> => {
    const body = { projectId: project.id, name: randomUUID(), script: SCRIPT, ...given }
    const created = await api.call<Service>(tree.owner, 'POST', '/services', { body })
    expect(created.status).toBe(200)
    return created.body
  }
  return { project, inside }
}

function run(path: string, body?: unknown, key = tree.owner) {
  return api.call<Batch>(key, 'POST', `${path}/run`, body === undefined ? {} : { body })
}

const idsOf = (batch: Batch) => batch.runs.map(({ serviceId }) => serviceId).sort()

describe('POST /projects/{id}/run', () => {
  test('202 every service has a run, named by the batch and written to the audit log', async () => {
    const { project, inside } = await emptyProject()
    const services = [await inside(), await inside()]
    const { status, body } = await run(`/projects/${project.id}`, { note: 'deploy 42' })
    expect(status).toBe(202)
    expect(idsOf(body)).toEqual(services.map(({ id }) => id).sort())
    expect(body).toMatchObject({
      state: 'queued',
      note: 'deploy 42',
      url: `http://localhost/batches/${body.id}`,
      ...{ total: 2, passed: 0, failed: 0, timedOut: 0, skipped: 0, cancelled: 0, pending: 2 },
    })
    for (const { serviceId, runId } of body.runs) {
      expect(await api.db.select().from(runs).where(eq(runs.serviceId, serviceId))).toMatchObject([{ id: runId }])
      expect((await auditOf(api.db, serviceId)).at(-1)).toMatchObject({
        action: 'service.run',
        details: { runId, batchId: body.id, note: 'deploy 42' },
      })
    }
    expect((await auditOf(api.db, project.id)).at(-1)).toMatchObject({
      action: 'project.run_services',
      details: { batchId: body.id },
    })
    expect((await api.call(tree.owner, 'GET', `/batches/${body.id}`)).body).toEqual(body)
    // A batch tells when it was requested under the name that a run has for it.
    expect(body.requestedAt).toBe(body.createdAt)
  })

  test('202 without services: the batch is done', async () => {
    const { project } = await emptyProject()
    expect((await run(`/projects/${project.id}`)).body).toMatchObject({ state: 'done', total: 0, runs: [] })
  })

  test('202 a request joins the runs that wait, and two batches name the same', async () => {
    const { project, inside } = await emptyProject()
    await inside()
    const [first, second] = [await run(`/projects/${project.id}`), await run(`/projects/${project.id}`)]
    expect(second.body.id).not.toBe(first.body.id)
    expect(second.body.runs[0]?.runId).toBe(first.body.runs[0]?.runId)
  })

  test('202 only services with the label, and in the state', async () => {
    const { project, inside } = await emptyProject()
    const labelled = await inside({ label: 'checkout' })
    const [failing, timedOut, passing, fresh] = [await inside(), await inside(), await inside(), await inside()]
    const stateOf = async ({ id }: Service, lastStatus: 'failure' | 'timeout' | 'success') => {
      const { organizationId } = tree.project
      await setState(api.db, { id, organizationId }, { lastStatus })
    }
    await stateOf(labelled, 'success')
    await stateOf(failing, 'failure')
    await stateOf(timedOut, 'timeout')
    await stateOf(passing, 'success')
    const selected = async (body: object) => idsOf((await run(`/projects/${project.id}`, body)).body)
    expect(await selected({ label: 'checkout' })).toEqual([labelled.id])
    expect(await selected({ state: 'failed' })).toEqual([failing.id, timedOut.id].sort())
    expect(await selected({ state: 'success' })).toEqual([labelled.id, passing.id].sort())
    expect(await selected({ state: 'new' })).toEqual([fresh.id])
    expect(await selected({ state: 'failed', label: 'checkout' })).toEqual([])
  })

  test('202 a service that cannot have the values is skipped with the reason, and the others run', async () => {
    const { project, inside } = await emptyProject()
    const own = await inside({ name: 'a', isActive: false })
    const none = await inside({ name: 'b' })
    const body = { key: 'base', value: 'https://example.com' }
    await api.call(tree.owner, 'POST', `/services/${own.id}/variables`, { body })
    await api.call(tree.owner, 'PATCH', `/services/${own.id}/toggle`, { body: { isActive: true } })
    const values = { variables: { 's.base': 'https://preview.example.com' } }
    const { body: batch } = await run(`/projects/${project.id}`, values)
    expect(batch.runs).toMatchObject([
      { serviceId: own.id, runId: expect.any(String), reason: null },
      { serviceId: none.id, runId: null, outcome: 'skipped', reason: 'field_invalid' },
    ])
    expect(await api.db.$count(runs, eq(runs.serviceId, none.id))).toBe(0)
  })

  test('400 field_invalid: more services than a batch may have, and nothing is requested', async () => {
    const { project } = await emptyProject()
    for (let n = 0; n <= BATCH_SERVICES_MAX; n++) await api.create.service(project)
    const { status, body } = await run(`/projects/${project.id}`)
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: 'field_invalid', details: { field: 'label' } },
    })
  })

  test.each([
    [{ state: 'broken' }, 'state'],
    [{ label: 'x'.repeat(33) }, 'label'],
    [{ note: 'two\nlines' }, 'note'],
    [{ variables: ['s.base'] }, 'variables'],
  ])('400 invalid_request_body for %j', async (body, field) => {
    expect(await run(`/projects/${tree.project.id}`, body)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request_body', details: { field } },
    })
  })

  test.each(['31', '-1', '1.5', 'long', ''])('400 field_invalid for wait=%s', async (wait) => {
    const answer = await api.call(tree.owner, 'POST', `/projects/${tree.project.id}/run`, { query: { wait } })
    expect(answer).toMatchObject({ status: 400, body: { error: 'field_invalid', details: { field: 'wait' } } })
  })
})

describe('POST /workspaces/{id}/run', () => {
  test('202 the services of all projects, and of no other workspace', async () => {
    const workspace = await api.create.workspace(tree.organization)
    const projects = [await api.create.project(workspace), await api.create.project(workspace)]
    const services = await Promise.all(projects.map((project) => api.create.service(project)))
    const { status, body } = await run(`/workspaces/${workspace.id}`)
    expect(status).toBe(202)
    expect(idsOf(body)).toEqual(services.map(({ id }) => id).sort())
    expect(body).toMatchObject({ state: 'done', skipped: 2 })
  })
})

describe('GET /batches/{id}', () => {
  test('200 only the services that the caller can read', async () => {
    const { project, inside } = await emptyProject()
    const [seen, unseen] = [await inside(), await inside()]
    const member = await api.create.member(tree.organization, { grants: [{ serviceId: seen.id, level: 1 }] })
    const key = await api.create.key(member)
    const { body } = await run(`/projects/${project.id}`)
    const shown = await api.call<Batch>(key, 'GET', `/batches/${body.id}`)
    expect(shown.body).toMatchObject({ total: 1, runs: [{ serviceId: seen.id }] })
    expect(JSON.stringify(shown.body)).not.toContain(unseen.id)
  })

  test('200 a deleted service is cancelled for the member who asked, and hidden from others', async () => {
    const { project, inside } = await emptyProject()
    const service = await inside()
    const { body } = await run(`/projects/${project.id}`)
    await api.call(tree.owner, 'DELETE', `/services/${service.id}`)
    const mine = await api.call<Batch>(tree.owner, 'GET', `/batches/${body.id}`)
    expect(mine.body).toMatchObject({
      state: 'done',
      cancelled: 1,
      runs: [{ serviceId: service.id, url: null, outcome: 'cancelled', reason: 'service_deleted' }],
    })
    const other = await api.create.key(await api.create.member(tree.organization, { sections: { workspaces: 'read' } }))
    expect((await api.call(other, 'GET', `/batches/${body.id}`)).body).toMatchObject({ total: 0, runs: [] })
  })

  test('200 a cancelled run is cancelled in its batch', async () => {
    const { project, inside } = await emptyProject()
    const service = await inside()
    const { body } = await run(`/projects/${project.id}`)
    await api.call(tree.owner, 'DELETE', `/services/${service.id}/runs/${body.runs[0]?.runId}`)
    const { body: batch } = await api.call<Batch>(tree.owner, 'GET', `/batches/${body.id}`)
    expect(batch).toMatchObject({ state: 'done', cancelled: 1, pending: 0 })
  })

  test('404 after its project is deleted', async () => {
    const { project } = await emptyProject()
    const { body } = await run(`/projects/${project.id}`)
    await api.call(tree.owner, 'DELETE', `/projects/${project.id}`)
    expect(await api.call(tree.owner, 'GET', `/batches/${body.id}`)).toMatchObject({ status: 404 })
  })
})
