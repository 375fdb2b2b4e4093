import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { and, eq } from '#db/drizzle.cjs'
import { type projects, services } from '#db/schema/resources.ts'
import { schedules } from '#db/schema/runs.ts'
import type { Service } from '#server/schemas/services.ts'
import type { ToggleResult } from '#server/schemas/toggles.ts'
import { testApi } from '#test/support/api/api.ts'
import { testTree } from '#test/support/api/tree.ts'
import { BROKEN_SCRIPT, probeOf, SCRIPT } from '#test/support/runs/scripts.ts'
import { actionsOn, auditOf } from '#test/support/side-effects.ts'

const NOW = new Date('2026-11-20T12:30:00Z')
const api = testApi({ now: () => NOW })
const tree = testTree(api)

function toggle(id: string, isActive: unknown, key = tree.owner) {
  return api.call<Service>(key, 'PATCH', `/services/${id}/toggle`, { body: { isActive } })
}

function scheduled(serviceId: string): Promise<number> {
  return api.db.$count(schedules, eq(schedules.serviceId, serviceId))
}

describe('PATCH /services/{id}/toggle', () => {
  test('200 switches off and on again, schedule and audit with it', async () => {
    const service = await api.create.service(tree.project, { script: SCRIPT, version: 2 })
    const on = await toggle(service.id, true)
    expect(on).toMatchObject({
      status: 200,
      body: { isActive: true, version: 2, unverifiedTargets: ['status.example.com'] },
    })
    expect(await scheduled(service.id)).toBe(1)
    const off = await toggle(service.id, false)
    expect(off).toMatchObject({ status: 200, body: { isActive: false, version: 2 } })
    expect(await scheduled(service.id)).toBe(0)
    expect(await actionsOn(api.db, service.id)).toEqual(['service.enable', 'service.disable'])
  })

  test('200 for what it is already: audited as no change', async () => {
    const service = await api.create.service(tree.project)
    expect((await toggle(service.id, false)).status).toBe(200)
    const on = await api.create.service(tree.project, { script: BROKEN_SCRIPT, isActive: true, version: 2 })
    expect((await toggle(on.id, true)).body).toMatchObject({ isActive: true })
    expect(await auditOf(api.db, service.id)).toMatchObject([
      { action: 'service.disable', details: { changed: false } },
    ])
    expect(await auditOf(api.db, on.id)).toMatchObject([{ action: 'service.enable', details: { changed: false } }])
    expect(await scheduled(service.id)).toBe(0)
  })

  test('400 field_required on script for a service without one', async () => {
    const service = await api.create.service(tree.project)
    const { status, body } = await toggle(service.id, true)
    expect({ status, body }).toEqual({ status: 400, body: { error: 'field_required', details: { field: 'script' } } })
  })

  test('400 field_invalid on a script that does not validate, and it stays off', async () => {
    for (const script of [BROKEN_SCRIPT, probeOf('$s.missing/')]) {
      const service = await api.create.service(tree.project, { script, version: 2 })
      const { status, body } = await toggle(service.id, true)
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { error: 'field_invalid', details: { field: 'script', errors: [{ code: expect.any(String) }] } },
      })
      expect((await api.call(tree.owner, 'GET', `/services/${service.id}`)).body).toMatchObject({ isActive: false })
      expect(await scheduled(service.id)).toBe(0)
    }
  })
})

/** One service of every kind that a bulk toggle can meet. */
async function createMix(within: typeof projects.$inferSelect) {
  return {
    on: await api.create.service(within, { script: SCRIPT, version: 2, isActive: true }),
    off: await api.create.service(within, { script: SCRIPT, version: 2 }),
    empty: await api.create.service(within),
    broken: await api.create.service(within, { script: BROKEN_SCRIPT, version: 2 }),
    unset: await api.create.service(within, { script: probeOf('$s.missing/'), version: 2 }),
    blocked: await api.create.service(within, { script: probeOf('http://10.0.0.1/'), version: 2 }),
    hasty: await api.create.service(within, { script: SCRIPT, version: 2, schedule: '* * * * *' }),
  }
}

const CONTAINERS = ['workspaces', 'projects'] as const

describe.each(CONTAINERS)('PATCH /%s/{id}/services-toggle', (kind) => {
  /** Creates a workspace with two projects, and returns it or its first project as the container. */
  async function prepare() {
    const own = await api.create.workspace(tree.organization)
    const [one, two] = [await api.create.project(own), await api.create.project(own)]
    const container = kind === 'workspaces' ? own : one
    const flip = (isActive: unknown, key = tree.owner) =>
      api.call<ToggleResult>(key, 'PATCH', `/${kind}/${container.id}/services-toggle`, { body: { isActive } })
    return { container, one, two: kind === 'workspaces' ? two : one, flip }
  }

  test('200 switches on the services that may be on and gives the reasons for the skipped ones', async () => {
    const { container, one, two, flip } = await prepare()
    const mix = await createMix(one)
    const more = await api.create.service(two, { script: SCRIPT, version: 2 })
    const { status, body } = await flip(true)
    expect(status).toBe(200)
    expect(body).toEqual({
      matched: 8,
      changed: 2,
      unchanged: 1,
      skipped: [
        { serviceId: mix.empty.id, name: mix.empty.name, reason: 'script_missing' },
        { serviceId: mix.broken.id, name: mix.broken.name, reason: 'field_invalid' },
        { serviceId: mix.unset.id, name: mix.unset.name, reason: 'field_invalid' },
        { serviceId: mix.blocked.id, name: mix.blocked.name, reason: 'blocked_probe_target' },
        { serviceId: mix.hasty.id, name: mix.hasty.name, reason: 'unverified_domain_interval' },
      ],
      skippedTotal: 5,
      skippedByReason: {
        script_missing: 1,
        field_invalid: 2,
        blocked_probe_target: 1,
        unverified_domain_interval: 1,
      },
    })
    const isOn = Object.fromEntries(
      (await api.db.select().from(services).where(eq(services.projectId, one.id))).map((row) => [row.id, row.isActive]),
    )
    expect(isOn).toMatchObject({ [mix.on.id]: true, [mix.off.id]: true, [mix.empty.id]: false, [mix.hasty.id]: false })
    expect([await scheduled(mix.off.id), await scheduled(more.id), await scheduled(mix.broken.id)]).toEqual([1, 1, 0])
    expect(await actionsOn(api.db, mix.off.id)).toEqual(['service.enable'])
    expect(await actionsOn(api.db, mix.on.id)).toEqual([])
    const singular = kind.slice(0, -1)
    expect(await auditOf(api.db, container.id)).toMatchObject([
      { action: `${singular}.toggle_services`, details: { isActive: true, matched: 8, changed: 2 } },
    ])
  })

  test('200 switches everything off, whatever its script', async () => {
    const { one, flip } = await prepare()
    const mix = await createMix(one)
    await api.create.service(one, { script: BROKEN_SCRIPT, version: 2, isActive: true })
    await flip(true)
    const { body } = await flip(false)
    expect(body).toEqual({
      matched: 8,
      changed: 3,
      unchanged: 5,
      skipped: [],
      skippedTotal: 0,
      skippedByReason: {},
    })
    const on = and(eq(services.projectId, one.id), eq(services.isActive, true))
    expect(await api.db.$count(services, on)).toBe(0)
    expect(await scheduled(mix.off.id)).toBe(0)
  })

  test('200 names the first hundred that were skipped, and counts them all', async () => {
    const { one, flip } = await prepare()
    const ids: string[] = []
    for (let i = 0; i < 130; i++) ids.push((await api.create.service(one)).id)
    const good = await api.create.service(one, { script: SCRIPT, version: 2 })
    const { body } = await flip(true)
    expect(body).toMatchObject({
      matched: 131,
      changed: 1,
      skippedTotal: 130,
      skippedByReason: { script_missing: 130 },
    })
    expect(body.skipped.map((skipped) => skipped.serviceId)).toEqual(ids.slice(0, 100))
    expect(await scheduled(good.id)).toBe(1)
  })

  test('200 for an empty container; services of other containers do not change', async () => {
    const { flip } = await prepare()
    const beside = await api.create.service(tree.project, { script: SCRIPT, version: 2 })
    expect((await flip(true)).body).toMatchObject({ matched: 0, changed: 0, unchanged: 0, skippedTotal: 0 })
    expect(await scheduled(beside.id)).toBe(0)
  })

  test('all or nothing: one failure in the middle leaves every service as it was', async () => {
    const { one, flip } = await prepare()
    const made: string[] = []
    for (let i = 0; i < 5; i++) made.push((await api.create.service(one, { script: SCRIPT, version: 2 })).id)
    await api.create.service(one, { script: SCRIPT, version: 2, isActive: true })
    // A sealed value that no key opens makes the check of its service throw an unexpected error.
    await api.db.execute(`insert into variables (id, organization_id, service_id, key, type, sealed)
      values ('${randomUUID()}', '${tree.organization.id}', '${made[3]}', 'torn', 'secret', '\\x00')`)
    await expect(flip(true)).rejects.toThrow('internal_error')
    const on = and(eq(services.projectId, one.id), eq(services.isActive, true))
    expect(await api.db.$count(services, on)).toBe(1)
    for (const id of made) {
      expect(await scheduled(id)).toBe(0)
      expect(await actionsOn(api.db, id)).toEqual([])
    }
    expect((await flip(false)).body).toMatchObject({ matched: 6, changed: 1 })
  })

  test('parallel switches in both directions end in one state', async () => {
    const { one, two, flip } = await prepare()
    for (const within of [one, two]) {
      for (let i = 0; i < 4; i++) await api.create.service(within, { script: SCRIPT, version: 2 })
    }
    const answers = await Promise.all([true, false, true, false, true, false].map((isActive) => flip(isActive)))
    expect(answers.map((answer) => answer.status)).toEqual(Array(6).fill(200))
    const rows = await api.db.select().from(services).where(eq(services.projectId, one.id))
    const isOn = rows[0]?.isActive
    expect(rows.every((row) => row.isActive === isOn)).toBe(true)
    for (const row of rows) expect(await scheduled(row.id)).toBe(isOn ? 1 : 0)
  })

  test('404 without write access to the container, whatever the access to resources in it', async () => {
    const { container, one, flip } = await prepare()
    const service = await api.create.service(one, { script: SCRIPT, version: 2 })
    const here = kind === 'workspaces' ? { workspaceId: container.id } : { projectId: container.id }
    const member = await api.create.member(tree.organization, {
      grants: [
        { ...here, level: 1 },
        { serviceId: service.id, level: 2 },
      ],
    })
    expect((await flip(true, await api.create.key(member))).status).toBe(404)
    expect(await scheduled(service.id)).toBe(0)
    const writer = await api.create.member(tree.organization, { grants: [{ ...here, level: 2 }] })
    expect((await flip(true, await api.create.key(writer))).body).toMatchObject({ matched: 1, changed: 1 })
  })
})
