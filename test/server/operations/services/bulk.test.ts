import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { services } from '#db/schema/resources.ts'
import { schedules } from '#db/schema/runs.ts'
import { SELECTION_MAX } from '#server/schemas/bulk.ts'
import { testApi } from '#test/support/api/api.ts'
import type { Tree } from '#test/support/factories.ts'
import { probeOf, SCRIPT } from '#test/support/runs/scripts.ts'
import { actionsOn, auditOf } from '#test/support/side-effects.ts'

const api = testApi()

let tree: Tree
let caller: Awaited<ReturnType<typeof api.caller>>
beforeEach(async () => {
  tree = await api.create.tree()
  caller = await api.caller(tree.organization.owner)
})

const service = (given: Partial<typeof services.$inferInsert> = {}, project = tree.project) =>
  api.create.service(project, given)
const rowOf = async (id: string) => (await api.db.select().from(services).where(eq(services.id, id)))[0]
const changed = ({ id, name }: { id: string; name: string }) => ({
  ...{ serviceId: id, name, undo: { from: expect.anything(), to: expect.anything() } },
  ...{ outcome: 'changed', reason: null },
})
const unchanged = ({ id, name }: { id: string; name: string }) => ({
  ...{ serviceId: id, name },
  ...{ outcome: 'unchanged', reason: null },
})
const gone = (id: string) => skipped({ id, name: '' }, 'not_found')
const skipped = (row: { id: string; name: string }, reason: string) => ({
  ...{ serviceId: row.id, name: row.name },
  ...{ outcome: 'skipped', reason },
})

describe('services.bulk.move', () => {
  test('moves what it may and skips a service whose name the project has, with the reason for each', async () => {
    const target = await api.create.project(tree.workspace, { name: 'Search' })
    const [taken, free] = [await service({ name: 'First' }), await service({ name: 'Second' })]
    await service({ name: 'First' }, target)
    const there = await service({ name: 'Third' }, target)
    const ids = [taken.id, free.id, there.id]
    const answer = await caller.services.bulk.move({ ids, projectId: target.id })
    expect(answer.services).toEqual([skipped(taken, 'already_exists'), changed(free), unchanged(there)])
    expect(await rowOf(taken.id)).toMatchObject({ projectId: tree.project.id })
    expect(await rowOf(free.id)).toMatchObject({ projectId: target.id })
    expect(await auditOf(api.db, free.id)).toMatchObject([
      { action: 'service.move', details: { from: tree.project.id, to: target.id, project: 'Search' } },
    ])
    expect([await actionsOn(api.db, taken.id), await actionsOn(api.db, there.id)]).toEqual([[], []])
  })

  test('moves the first of two services with the same name', async () => {
    const target = await api.create.project(tree.workspace)
    const one = await service({ name: 'Home' })
    const other = await service({ name: 'Home' }, await api.create.project(tree.workspace))
    const answer = await caller.services.bulk.move({ ids: [other.id, one.id], projectId: target.id })
    expect(answer.services).toEqual([skipped(other, 'already_exists'), changed(one)])
  })

  test('moves nothing to a project that the member may not write, and judges each service alone', async () => {
    const target = await api.create.project(tree.workspace)
    const own = await service()
    const grants = [
      { projectId: tree.project.id, level: 2 as const },
      { projectId: target.id, level: 1 as const },
    ]
    const member = await api.caller(await api.create.member(tree.organization, { grants }))
    const refused = member.services.bulk.move({ ids: [own.id], projectId: target.id })
    await expect(refused).rejects.toMatchObject({ api: 'not_found' })
    expect(await rowOf(own.id)).toMatchObject({ projectId: tree.project.id })
    const absent = randomUUID()
    const answer = await caller.services.bulk.move({ ids: [absent, own.id], projectId: target.id })
    expect(answer.services).toEqual([gone(absent), changed(own)])
  })
})

describe('services.bulk.setLabels', () => {
  test('says which services it changed, and clears the labels when the list is empty', async () => {
    const [plain, critical] = [await service(), await service({ labels: ['critical'] })]
    const ids = [plain.id, critical.id]
    const answer = await caller.services.bulk.setLabels({ ids, set: ['critical'] })
    expect(answer.services).toEqual([changed(plain), unchanged(critical)])
    await caller.services.bulk.setLabels({ ids, set: [] })
    expect([await rowOf(plain.id), await rowOf(critical.id)]).toMatchObject([{ label: null }, { label: null }])
    expect((await auditOf(api.db, plain.id)).map(({ details }) => details)).toEqual([
      { labels: { from: [], to: ['critical'] } },
      { labels: { from: ['critical'], to: [] } },
    ])
  })

  test('skips a service that the member may only read, and one that the member cannot see', async () => {
    const [own, read, hidden] = [await service(), await service(), await service()]
    const grants = [
      { serviceId: own.id, level: 2 as const },
      { serviceId: read.id, level: 1 as const },
    ]
    const member = await api.caller(await api.create.member(tree.organization, { grants }))
    const { services: outcomes } = await member.services.bulk.setLabels({
      ids: [hidden.id, read.id, own.id],
      set: ['x'],
    })
    expect(outcomes).toEqual([gone(hidden.id), skipped(read, 'insufficient_permissions'), changed(own)])
    expect(await rowOf(own.id)).toMatchObject({ label: 'x' })
    expect([await rowOf(read.id), await rowOf(hidden.id)]).toMatchObject([{ label: null }, { label: null }])
    expect(await actionsOn(api.db, read.id)).toEqual([])
  })

  test('adds, removes and sets labels, and skips what would have too many', async () => {
    const one = await service({ labels: ['a', 'b'] })
    const full = await service({ labels: Array.from({ length: 10 }, (_, index) => `l${index}`) })
    const ids = [one.id, full.id]
    const added = await caller.services.bulk.setLabels({ ids, add: ['c', 'a'], remove: ['b'] })
    expect(added.services).toEqual([changed(one), skipped(full, 'label_limit_reached')])
    expect(await rowOf(one.id)).toMatchObject({ labels: ['a', 'c'] })
    const set = await caller.services.bulk.setLabels({ ids, set: ['a', 'c'] })
    expect(set.services).toEqual([unchanged(one), changed(full)])
    for (const input of [{ ids }, { ids, set: [], add: ['x'] }]) {
      await expect(caller.services.bulk.setLabels(input)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    }
  })

  test(`takes from one to ${SELECTION_MAX} services`, async () => {
    for (const count of [0, SELECTION_MAX + 1]) {
      const ids = Array.from({ length: count }, () => randomUUID())
      const refused = caller.services.bulk.setLabels({ ids, set: ['x'] })
      await expect(refused).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    }
  })
})

describe('services.bulk.setSchedule', () => {
  test('skips a service whose script forbids the schedule', async () => {
    const schedule = '* * * * *'
    const given = { schedule: '*/15 * * * *', isActive: true, version: 2 }
    const hasty = await service({ ...given, script: SCRIPT })
    const same = await service({ schedule })
    const allowed = await service({ schedule: '*/15 * * * *' })
    const answer = await caller.services.bulk.setSchedule({ ids: [hasty.id, same.id, allowed.id], schedule })
    expect(answer.services).toEqual([skipped(hasty, 'unverified_domain_interval'), unchanged(same), changed(allowed)])
    expect(await rowOf(hasty.id)).toMatchObject({ schedule: '*/15 * * * *' })
    expect(await auditOf(api.db, allowed.id)).toMatchObject([
      { action: 'service.update', details: { schedule: { from: '*/15 * * * *', to: schedule } } },
    ])
  })
})

describe('services.bulk.setSchedule with a time zone', () => {
  test('changes what differs, and refuses an unknown zone', async () => {
    const [same, moved, other] = [
      await service({ schedule: '0 9 * * *', timezone: 'Europe/Berlin' }),
      await service({ schedule: '0 9 * * *' }),
      await service({ schedule: '0 8 * * *', timezone: 'Asia/Tokyo', script: SCRIPT, version: 2, isActive: true }),
    ]
    const given = { ids: [same.id, moved.id, other.id], schedule: '0 9 * * *' }
    const answer = await caller.services.bulk.setSchedule({ ...given, timezone: 'Europe/Berlin' })
    expect(answer.services).toEqual([unchanged(same), changed(moved), changed(other)])
    expect(await rowOf(other.id)).toMatchObject({ schedule: '0 9 * * *', timezone: 'Europe/Berlin' })
    expect(await auditOf(api.db, moved.id)).toMatchObject([
      { action: 'service.update', details: { timezone: { from: null, to: 'Europe/Berlin' } } },
    ])
    const [schedule] = await api.db.select().from(schedules).where(eq(schedules.serviceId, other.id))
    expect(schedule).toMatchObject({ cron: '0 9 * * *', cronTimezone: 'Europe/Berlin' })
    await expect(caller.services.bulk.setSchedule({ ...given, timezone: 'Mars/Olympus' })).rejects.toMatchObject({
      api: 'field_invalid',
      details: { field: 'timezone' },
    })
  })
})

test.each([
  [undefined, 'Asia/Tokyo'],
  ['', 'Asia/Tokyo'],
  [null, null],
])('services.bulk.setSchedule with the time zone %j leaves %j', async (timezone, left) => {
  const one = await service({
    schedule: '0 8 * * *',
    timezone: 'Asia/Tokyo',
    script: SCRIPT,
    version: 2,
    isActive: true,
  })
  const answer = await caller.services.bulk.setSchedule({ ids: [one.id], schedule: '0 9 * * *', timezone })
  expect(answer.services).toEqual([changed(one)])
  expect(await rowOf(one.id)).toMatchObject({ schedule: '0 9 * * *', timezone: left })
  const [schedule] = await api.db.select().from(schedules).where(eq(schedules.serviceId, one.id))
  expect(schedule).toMatchObject({ cronTimezone: left ?? 'UTC' })
})

describe('services.bulk.toggle', () => {
  test('switches on the services that may be on, and gives the reason for each other one', async () => {
    const [on, off] = [
      await service({ script: SCRIPT, version: 2, isActive: true }),
      await service({ script: SCRIPT, version: 2 }),
    ]
    const [empty, blocked] = [await service(), await service({ script: probeOf('http://10.0.0.1/'), version: 2 })]
    const ids = [on, off, empty, blocked].map(({ id }) => id)
    const answer = await caller.services.bulk.toggle({ ids, isActive: true })
    expect(answer.services).toEqual([
      unchanged(on),
      changed(off),
      skipped(empty, 'script_missing'),
      skipped(blocked, 'blocked_probe_target'),
    ])
    expect(await api.db.$count(schedules, eq(schedules.serviceId, off.id))).toBe(1)
    expect(await actionsOn(api.db, off.id)).toEqual(['service.enable'])
    expect(await actionsOn(api.db, empty.id)).toEqual([])
  })
})

describe('services.bulk.setAgents', () => {
  test('sets the agents of all, and nothing with an unknown agent', async () => {
    const agent = await api.create.agent()
    const [one, other] = [await service(), await service()]
    const ids = [one.id, other.id]
    const answer = await caller.services.bulk.setAgents({ ids, slugs: [agent.slug] })
    expect(answer.services).toEqual([changed(one), changed(other)])
    expect(await caller.services.agents.get({ id: other.id })).toEqual([agent.slug])
    expect(await actionsOn(api.db, one.id)).toEqual(['service.agents'])
    expect((await caller.services.bulk.setAgents({ ids, slugs: [agent.slug] })).services).toEqual([
      unchanged(one),
      unchanged(other),
    ])
    const unknown = caller.services.bulk.setAgents({ ids, slugs: ['nowhere'] })
    await expect(unknown).rejects.toMatchObject({ api: 'field_invalid', details: { unknown: ['nowhere'] } })
    expect(await caller.services.agents.get({ id: one.id })).toEqual([agent.slug])
  })

  test('leaves a service as it is whose script may not run there', async () => {
    const agent = await api.create.agent()
    const script = probeOf('http://10.0.0.1/')
    const blocked = await service({ script, version: 2, isActive: true })
    const answer = await caller.services.bulk.setAgents({ ids: [blocked.id], slugs: [agent.slug] })
    expect(answer.services).toEqual([skipped(blocked, 'blocked_probe_target')])
    expect(await caller.services.agents.get({ id: blocked.id })).toEqual([])
    expect(await actionsOn(api.db, blocked.id)).toEqual([])
  })
})

describe('services.bulk.remove', () => {
  test('deletes the selected services that it may', async () => {
    const [one, other] = [await service(), await service()]
    const absent = randomUUID()
    const answer = await caller.services.bulk.remove({ ids: [one.id, absent, other.id] })
    const removed = (row: { id: string; name: string }) => ({ ...unchanged(row), outcome: 'changed' })
    expect(answer).toEqual({ services: [removed(one), gone(absent), removed(other)] })
    expect([await rowOf(one.id), await rowOf(other.id)]).toEqual([undefined, undefined])
    expect(await actionsOn(api.db, one.id)).toEqual(['service.delete'])
    const restored = await caller.deletions.restoreMany({ ids: [other.id, absent, one.id] })
    expect(restored.services).toEqual([removed(other), gone(absent), removed(one)])
    expect([await rowOf(one.id), await rowOf(other.id)]).toMatchObject([{ name: one.name }, { name: other.name }])
    expect(await actionsOn(api.db, one.id)).toEqual(['service.delete', 'service.restore'])
  })
})

describe('services.bulk.undo', () => {
  type Outcomes = { services: { serviceId: string; undo?: { from: object; to: object } | undefined }[] }
  const changesOf = ({ services }: Outcomes) =>
    services.flatMap(({ serviceId, undo }) => (undo ? [{ serviceId, ...undo }] : []))

  test('gives back what each bulk change replaced', async () => {
    const agent = await api.create.agent()
    const target = await api.create.project(tree.workspace)
    const targetHosts = ['status.example.com']
    const given = {
      labels: ['a'],
      timezone: 'Asia/Tokyo',
      schedule: '0 8 * * *',
      script: SCRIPT,
      version: 2,
      targetHosts,
    }
    const [on, off] = [await service({ ...given, isActive: true }), await service(given)]
    const ids = [on.id, off.id]
    const { bulk } = caller.services
    const done = [
      await bulk.toggle({ ids, isActive: true }),
      await bulk.setSchedule({ ids, schedule: '0 9 * * *', timezone: null }),
      await bulk.setLabels({ ids, add: ['b'] }),
      await bulk.setAgents({ ids, slugs: [agent.slug] }),
      await bulk.move({ ids, projectId: target.id }),
    ]
    for (const result of done.toReversed()) {
      const { services: undone } = await bulk.undo({ changes: changesOf(result) })
      expect(undone.map(({ outcome }) => outcome)).not.toContain('skipped')
    }
    expect([await rowOf(on.id), await rowOf(off.id)]).toEqual([on, off])
    expect(await caller.services.agents.get({ id: on.id })).toEqual([])
    expect(await api.db.$count(schedules, eq(schedules.serviceId, off.id))).toBe(0)
  })

  test('skips a service that was changed since, one whose name is taken there, and one that is gone', async () => {
    const target = await api.create.project(tree.workspace)
    const [changedSince, taken, removed] = [await service(), await service({ name: 'Home' }), await service()]
    const ids = [changedSince.id, taken.id, removed.id]
    const moved = await caller.services.bulk.move({ ids, projectId: target.id })
    const elsewhere = await api.create.project(tree.workspace)
    await caller.services.bulk.move({ ids: [changedSince.id], projectId: elsewhere.id })
    await service({ name: 'Home' })
    await caller.services.bulk.remove({ ids: [removed.id] })
    const undone = await caller.services.bulk.undo({ changes: changesOf(moved) })
    expect(undone.services).toEqual([
      skipped(changedSince, 'changed_since'),
      skipped(taken, 'already_exists'),
      gone(removed.id),
    ])
    expect(await rowOf(changedSince.id)).toMatchObject({ projectId: elsewhere.id })
  })

  test.each([{ labels: ['x'.repeat(33)] }, { labels: ['a', 'a'] }, { schedule: 'whenever' }])(
    'sets nothing that a request may not set: %j',
    async (to) => {
      const one = await service()
      const refused = caller.services.bulk.undo({ changes: [{ serviceId: one.id, from: {}, to }] })
      await expect(refused).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    },
  )

  test('skips a service whose time zone does not exist', async () => {
    const one = await service()
    const changes = [{ serviceId: one.id, from: {}, to: { schedule: '0 8 * * *', timezone: 'Mars/Olympus' } }]
    expect((await caller.services.bulk.undo({ changes })).services).toEqual([skipped(one, 'field_invalid')])
  })

  test('changes nothing of a service that the member may only read', async () => {
    const one = await service({ labels: ['b'] })
    const grants = [{ serviceId: one.id, level: 1 as const }]
    const reader = await api.caller(await api.create.member(tree.organization, { grants }))
    const changes = [{ serviceId: one.id, from: { labels: ['b'] }, to: { labels: ['a'] } }]
    expect((await reader.services.bulk.undo({ changes })).services).toEqual([skipped(one, 'insufficient_permissions')])
    expect(await rowOf(one.id)).toMatchObject({ labels: ['b'] })
  })
})
