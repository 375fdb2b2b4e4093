import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { asc, eq } from '#db/drizzle.cjs'
import { auditEntries } from '#db/schema/audit.ts'
import { deletions } from '#db/schema/deletions.ts'
import { services } from '#db/schema/resources.ts'
import { schedules } from '#db/schema/runs.ts'
import { variables } from '#db/schema/scoped.ts'
import type { Page } from '#server/paging.ts'
import type { Service } from '#server/schemas/services.ts'
import { testApi } from '#test/support/api/api.ts'
import { expectOldestFirst } from '#test/support/api/oldest-first.ts'
import { testTree } from '#test/support/api/tree.ts'
import { unique } from '#test/support/factories.ts'
import { addHour, setState } from '#test/support/runs/results.ts'
import { BROKEN_SCRIPT, probeOf, SCRIPT } from '#test/support/runs/scripts.ts'
import { actionsOn, auditOf, clearJobsOf } from '#test/support/side-effects.ts'

const NOW = new Date('2026-11-20T12:30:00Z')
const api = testApi({ now: () => NOW })
const tree = testTree(api)

function create(body: object, key = tree.owner) {
  return api.call<Service>(key, 'POST', '/services', {
    body: { projectId: tree.project.id, name: unique('S'), ...body },
  })
}

function change(id: string, body: object, key = tree.owner) {
  return api.call<Service>(key, 'PATCH', `/services/${id}`, { body })
}

describe('GET /services', () => {
  test('200 the services of the project, oldest first by creation, then id', async () => {
    const own = await api.create.project(tree.workspace)
    const at = (minute: number) => ({ createdAt: new Date(Date.UTC(2026, 0, 1, 0, minute)) })
    const made = [
      await api.create.service(own, at(2)),
      await api.create.service(own, at(2)),
      await api.create.service(own, at(1)),
    ]
    const list = (query: object) =>
      api.call<Page<Service>>(tree.owner, 'GET', '/services', { query: { projectId: own.id, ...query } })
    await expectOldestFirst(list, made)
    expect((await list({ page: 9 })).body).toMatchObject({ items: [], total: 3 })
  })

  test('200 an empty page of a project that has no services', async () => {
    const { id: projectId } = await api.create.project(tree.workspace)
    const { status, body } = await api.call(tree.owner, 'GET', '/services', { query: { projectId } })
    expect({ status, body }).toEqual({ status: 200, body: { items: [], total: 0, page: 1, pageSize: 50 } })
  })
})

describe('POST /services', () => {
  test('200 without a script: off, at version 1, with every default', async () => {
    const { status, body } = await create({ name: ' Home page ' })
    expect(status).toBe(200)
    expect(body).toEqual({
      certificates: [],
      maintenance: null,
      id: expect.any(String),
      projectId: tree.project.id,
      name: 'Home page',
      label: null,
      labels: [],
      script: null,
      schedule: '*/5 * * * *',
      timezone: null,
      probeMode: 'consecutive',
      queuePolicy: 'skip',
      serviceWindow: null,
      saveResponseBodies: true,
      sendTraceparent: false,
      isActive: false,
      state: 'paused',
      stateSince: null,
      lastStatus: null,
      lastStatusSince: null,
      version: 1,
      createdAt: NOW.toISOString(),
      unverifiedTargets: [],
    })
    expect((await api.call(tree.owner, 'GET', `/services/${body.id}`)).body).toEqual(body)
    expect(await actionsOn(api.db, body.id)).toEqual(['service.create'])
    expect(await api.db.$count(schedules, eq(schedules.serviceId, body.id))).toBe(0)
  })

  test('200 seeds the system variables', async () => {
    const { body } = await create({})
    const rows = await api.db
      .select()
      .from(variables)
      .where(eq(variables.serviceId, body.id))
      .orderBy(asc(variables.key))
    expect(rows).toMatchObject([
      { key: 'alertOnRecovery', value: 'true', type: 'metric', systemType: 'boolean', isScriptWritten: false },
      { key: 'confirmFailures', value: '1', type: 'metric', systemType: 'integer', isScriptWritten: false },
      { key: 'confirmRecoveries', value: '1', type: 'metric', systemType: 'integer', isScriptWritten: false },
      { key: 'recheckSeconds', value: '10', type: 'metric', systemType: 'integer', isScriptWritten: false },
      { key: 'recheckWrites', value: 'false', type: 'metric', systemType: 'boolean', isScriptWritten: false },
      { key: 'remindMinutes', value: '0', type: 'metric', systemType: 'integer', isScriptWritten: false },
    ])
  })

  test('200 with a script: saved as a first save, on, at version 2, and scheduled', async () => {
    const { body } = await create({
      label: ' shop ',
      schedule: '*/10 * * * *',
      saveResponseBodies: false,
      sendTraceparent: true,
      script: SCRIPT,
    })
    expect(body).toMatchObject({
      label: 'shop',
      schedule: '*/10 * * * *',
      saveResponseBodies: false,
      sendTraceparent: true,
      script: SCRIPT,
      isActive: true,
      version: 2,
      unverifiedTargets: ['status.example.com'],
    })
    const [schedule] = await api.db.select().from(schedules).where(eq(schedules.serviceId, body.id))
    expect(schedule).toMatchObject({ cron: '*/10 * * * *', nextSlot: new Date('2026-11-20T12:40:00Z') })
    expect(await actionsOn(api.db, body.id)).toEqual(['service.create', 'service.script', 'service.enable'])
    for (const entry of await auditOf(api.db, body.id)) expect(JSON.stringify(entry.details)).not.toContain('expect')
  })

  test('200 with a time zone: scheduled at its local times', async () => {
    const { body } = await create({ schedule: '0 9 * * *', timezone: 'europe/berlin', script: SCRIPT })
    expect(body).toMatchObject({ schedule: '0 9 * * *', timezone: 'Europe/Berlin' })
    const [schedule] = await api.db.select().from(schedules).where(eq(schedules.serviceId, body.id))
    expect(schedule).toMatchObject({ cronTimezone: 'Europe/Berlin', nextSlot: new Date('2026-11-21T08:00:00Z') })
    const [entry] = await auditOf(api.db, body.id)
    expect(entry?.details).toMatchObject({ schedule: '0 9 * * *', timezone: 'Europe/Berlin' })
    for (const given of ['', null, undefined]) expect((await create({ timezone: given })).body.timezone).toBeNull()
    // Another name of a zone stays as it was given.
    expect((await create({ timezone: 'Europe/Kyiv' })).body.timezone).toBe('Europe/Kyiv')
    expect((await create({ timezone: 'US/Eastern' })).body.timezone).toBe('US/Eastern')
  })

  test.each(['Mars/Olympus', '+02:00', 'Berlin', ' '])('400 the time zone %j', async (timezone) => {
    const details = {
      field: 'timezone',
      reason: expect.stringMatching(/IANA name of a time zone, such as Europe.Berlin/),
    }
    expect(await create({ timezone })).toMatchObject({ status: 400, body: { error: 'field_invalid', details } })
    const service = await api.create.service(tree.project)
    expect(await change(service.id, { timezone })).toMatchObject({
      status: 400,
      body: { error: 'field_invalid', details },
    })
  })

  test('200 with its schedule trimmed, also when it is changed', async () => {
    const { body } = await create({ schedule: '  */10 * * * *      ' })
    expect(body.schedule).toBe('*/10 * * * *')
    expect((await change(body.id, { schedule: '\t*/15 * * * * ' })).body.schedule).toBe('*/15 * * * *')
  })

  test('200 with a script and isActive false: saved, off', async () => {
    const { body } = await create({ script: probeOf('$s.base/'), isActive: false })
    expect(body).toMatchObject({ script: probeOf('$s.base/'), isActive: false, version: 2, unverifiedTargets: [] })
    expect(await api.db.$count(schedules, eq(schedules.serviceId, body.id))).toBe(0)
    expect(await actionsOn(api.db, body.id)).toEqual(['service.create', 'service.script'])
  })

  test('200 for isActive false without a script; unknown fields are ignored', async () => {
    const { status, body } = await create({ isActive: false, label: '', version: 9, color: 'red' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ isActive: false, label: null, version: 1 })
  })

  test('400 field_required on script for isActive true without one, and nothing is created', async () => {
    const name = unique('Nothing')
    const { status, body } = await create({ name, isActive: true })
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: 'field_required', details: { field: 'script' } },
    })
    expect(await api.db.$count(services, eq(services.name, name))).toBe(0)
  })

  test('a refused script or enable creates nothing: no service, no audit entry, no variable', async () => {
    const before = await counts()
    const refused = [
      [{ script: BROKEN_SCRIPT }, 'field_invalid'],
      [{ script: probeOf('http://10.0.0.1/') }, 'blocked_probe_target'],
      [{ script: probeOf('http://10.0.0.1/'), isActive: false }, 'blocked_probe_target'],
      [{ script: probeOf('$s.base/') }, 'field_invalid'],
      [{ script: SCRIPT, schedule: '* * * * *' }, 'unverified_domain_interval'],
    ] as const
    for (const [given, code] of refused) {
      const { status, body } = await create(given)
      expect({ status, body }).toMatchObject({ status: 400, body: { error: code } })
    }
    expect(await counts()).toEqual(before)
  })

  test.each(['', '* * * *', '61 * * * *', '*/5 * * * * *', 'every minute', '0,1,2,3,4,5,6 * * * *'])(
    '400 invalid_request_body for the schedule "%s"',
    async (schedule) => {
      const { status, body } = await create({ schedule })
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { error: 'invalid_request_body', details: { field: 'schedule', reason: expect.any(String) } },
      })
    },
  )

  test('200 at the limits of name, label, schedule and script', async () => {
    const script = `${SCRIPT}//${'x'.repeat(65_536 - SCRIPT.length - 2)}`
    const given = { name: 'n'.repeat(128), label: 'l'.repeat(32), schedule: '0,30 1-9 * 1-9 *', script }
    expect([given.schedule.length, script.length]).toEqual([16, 65_536])
    const { status, body } = await create(given)
    expect({ status, body }).toMatchObject({ status: 200, body: given })
  })

  test('409 already_exists within the project, not in another one', async () => {
    const name = unique('Twice')
    const first = await create({ name })
    const { status, body } = await create({ name: ` ${name} ` })
    const details = { field: 'name', id: first.body.id }
    expect({ status, body }).toEqual({ status: 409, body: { error: 'already_exists', details } })
    expect((await create({ name, projectId: (await api.create.project(tree.workspace)).id })).status).toBe(200)
  })

  async function counts() {
    return Promise.all([api.db.$count(services), api.db.$count(variables), api.db.$count(auditEntries)])
  }
})

describe('GET /services/{id}', () => {
  test('200 with state, metrics of the last 24 hours and the last failure', async () => {
    const service = await api.create.service(tree.project)
    const resultId = randomUUID()
    await setState(api.db, service, {
      lastStatus: 'failure',
      lastStatusSince: new Date('2026-11-20T11:00:00Z'),
      lastConsecutive: 3,
      lastResponseMs: 250,
      lastRunAt: new Date('2026-11-20T12:25:00.900Z'),
      probesTotal: 40,
      probesSuccess: 30,
      probesFailure: 6,
      probesTimeout: 4,
      lastFailure: {
        resultId,
        startedAt: '2026-11-20T12:25:00.900Z',
        status: 'failure',
        error: null,
        summary: 'status 503, expected 200',
        assertionsTotal: 2,
        assertions: [
          { stepNum: 1, method: 'expect', scope: 'status', op: 'eq', expected: 200, actual: 503 },
          { stepNum: 1, method: 'assert', expression: 'this.body.ok eq true', actualLhs: false, actualRhs: true },
        ],
      },
    })
    await addHour(api.db, service, NOW, [100, 200, 300])
    // Too many values for an exact list: bins, within 1 %.
    await addHour(api.db, service, new Date('2026-11-19T13:10:00Z'), Array(200).fill(5_000), 'other')
    await addHour(api.db, service, new Date('2026-11-19T12:10:00Z'), [90_000])
    const { body } = await api.call<Service>(tree.owner, 'GET', `/services/${service.id}`)
    expect(body).toMatchObject({
      id: service.id,
      lastStatus: 'failure',
      lastStatusSince: '2026-11-20T11:00:00.000Z',
      metrics: {
        counters: { probesTotal: 40, probesSuccess: 30, probesFailure: 6, probesTimeout: 4 },
        state: { lastStatus: 'failure', lastConsecutive: 3, lastResponseMs: 250, lastRunAt: 1_795_177_500 },
      },
      lastFailure: { error: null, assertionsTotal: 2, assertions: [{ actual: 503 }, { actualLhs: false }] },
    })
    for (const value of Object.values(body.metrics?.percentiles ?? {})) {
      expect(Math.abs((value as number) - 5_000)).toBeLessThanOrEqual(50)
    }
    expect(body.metrics).not.toHaveProperty('serviceCount')
  })
})

describe('PATCH /services/{id}', () => {
  test('200 changes the given fields only, with an audit entry', async () => {
    const { body: service } = await create({ label: 'a', script: SCRIPT })
    const given = {
      name: unique('Renamed'),
      label: 'b',
      schedule: '*/15 * * * *',
      probeMode: 'simultaneous',
      queuePolicy: 'enqueue_once',
      serviceWindow: 'FREQ=DAILY;BYHOUR=3;BYMINUTE=0/60/Europe/Berlin',
      saveResponseBodies: false,
      sendTraceparent: true,
    }
    let expected: Service = service
    for (const [field, value] of Object.entries(given)) {
      expected = { ...expected, [field]: value, ...(field === 'label' && { labels: [String(value)] }) }
      const { status, body } = await change(service.id, { [field]: value })
      expect({ status, body }).toEqual({ status: 200, body: expected })
    }
    expect((await api.call(tree.owner, 'GET', `/services/${service.id}`)).body).toEqual(expected)
    const entries = (await auditOf(api.db, service.id)).filter((entry) => entry.action === 'service.update')
    expect(entries.map((entry) => entry.details)).toEqual(
      Object.entries(given).map(([field, to]) =>
        field === 'label'
          ? { labels: { from: ['a'], to: ['b'] } }
          : { [field]: { from: service[field as keyof Service], to } },
      ),
    )
    const [schedule] = await api.db.select().from(schedules).where(eq(schedules.serviceId, service.id))
    expect(schedule).toMatchObject({ cron: '*/15 * * * *', nextSlot: new Date('2026-11-20T12:45:00Z') })
  })

  test('200 for nothing at all, or what it has already: audited as no change', async () => {
    const { body: service } = await create({ label: 'same' })
    for (const given of [{}, { label: 'same', schedule: service.schedule, serviceWindow: null }, { version: 99 }]) {
      const { status, body } = await change(service.id, given)
      expect({ status, body }).toEqual({ status: 200, body: service })
    }
    const entries = (await auditOf(api.db, service.id)).slice(1)
    expect(entries.map(({ action, details }) => ({ action, details }))).toEqual(
      Array(3).fill({ action: 'service.update', details: { changed: false } }),
    )
  })

  test('200 another time zone moves the next run, and a failing write moves nothing', async () => {
    const { body: service } = await create({ schedule: '0 9 * * *', script: SCRIPT })
    const next = async () => {
      const [schedule] = await api.db.select().from(schedules).where(eq(schedules.serviceId, service.id))
      return schedule?.nextSlot
    }
    expect(await next()).toEqual(new Date('2026-11-21T09:00:00Z'))
    expect((await change(service.id, { timezone: 'America/New_York' })).body.timezone).toBe('America/New_York')
    expect(await next()).toEqual(new Date('2026-11-20T14:00:00Z'))
    const [entry] = (await auditOf(api.db, service.id)).filter(({ action }) => action === 'service.update')
    expect(entry?.details).toEqual({ timezone: { from: null, to: 'America/New_York' } })
    const conflict = await change(service.id, { timezone: 'Asia/Tokyo', script: SCRIPT, version: 1 })
    expect(conflict.status).toBe(409)
    expect(await next()).toEqual(new Date('2026-11-20T14:00:00Z'))
    expect((await change(service.id, { timezone: null })).body.timezone).toBeNull()
    expect(await next()).toEqual(new Date('2026-11-21T09:00:00Z'))
  })

  test('200 null or an empty text clears label and serviceWindow', async () => {
    const serviceWindow = 'FREQ=WEEKLY;BYDAY=SU/30'
    const service = await api.create.service(tree.project, { label: 'x', serviceWindow })
    expect((await change(service.id, { label: null })).body).toMatchObject({ label: null, serviceWindow })
    expect((await change(service.id, { serviceWindow: '' })).body).toMatchObject({ label: null, serviceWindow: null })
  })

  test('200 a schedule of a service that is off is kept for when it is on', async () => {
    const service = await api.create.service(tree.project)
    expect((await change(service.id, { schedule: '0 4 * * *' })).body).toMatchObject({ schedule: '0 4 * * *' })
    expect(await api.db.$count(schedules, eq(schedules.serviceId, service.id))).toBe(0)
  })

  test('200 with a script and its version: a script save, the first one included', async () => {
    const { body: service } = await create({})
    const first = await change(service.id, { script: SCRIPT, version: 1, schedule: '*/10 * * * *' })
    expect(first.body).toMatchObject({ script: SCRIPT, version: 2, isActive: true, schedule: '*/10 * * * *' })
    const next = await change(service.id, { script: `${SCRIPT}// again`, version: 2 })
    expect(next.body).toMatchObject({ version: 3, isActive: true })
    expect(await actionsOn(api.db, service.id)).toEqual([
      'service.create',
      'service.update',
      'service.script',
      'service.enable',
      'service.script',
    ])
  })

  test('400 field_required on version for a script without one', async () => {
    const service = await api.create.service(tree.project)
    const { status, body } = await change(service.id, { script: SCRIPT })
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: 'field_required', details: { field: 'version' } },
    })
  })

  test('400 field_invalid for a malformed serviceWindow', async () => {
    const service = await api.create.service(tree.project)
    for (const serviceWindow of [
      'nonsense',
      'FREQ=DAILY',
      'FREQ=DAILY/',
      'FREQ=DAILY/0',
      'FREQ=DAILY/60/Mars/Base',
      'FREQ=NEVER/60',
      'FREQ=DAILY;BYHOUR=25/60',
    ]) {
      const { status, body } = await change(service.id, { serviceWindow })
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { error: 'field_invalid', details: { field: 'serviceWindow', reason: expect.any(String) } },
      })
    }
  })

  test('a refused script leaves the other fields as they were', async () => {
    const { body: service } = await create({ script: SCRIPT })
    const { body } = await change(service.id, { name: unique('New'), script: BROKEN_SCRIPT, version: 2 })
    expect(body).toMatchObject({ error: 'field_invalid', details: { field: 'script' } })
    expect((await api.call(tree.owner, 'GET', `/services/${service.id}`)).body).toEqual(service)
  })

  test('409 already_exists for a name that is taken', async () => {
    const [one, two] = [await api.create.service(tree.project), await api.create.service(tree.project)]
    const { status, body } = await change(one.id, { name: two.name })
    const details = { field: 'name', id: two.id }
    expect({ status, body }).toEqual({ status: 409, body: { error: 'already_exists', details } })
  })

  test('409 version_conflict for a stale version, and nothing changes', async () => {
    const { body: service } = await create({ script: SCRIPT })
    const { status, body } = await change(service.id, { label: 'new', script: SCRIPT, version: 1 })
    expect({ status, body }).toEqual({
      status: 409,
      body: { error: 'version_conflict', details: { field: 'version', version: 2 } },
    })
    expect((await api.call(tree.owner, 'GET', `/services/${service.id}`)).body).toEqual(service)
  })
})

describe('DELETE /services/{id}', () => {
  test('200; its results stay while it can be restored', async () => {
    const { body: service } = await create({ script: SCRIPT })
    const { status, body } = await api.call(tree.owner, 'DELETE', `/services/${service.id}`)
    expect({ status, body }).toEqual({ status: 200, body: { ok: true } })
    expect((await api.call(tree.owner, 'GET', `/services/${service.id}`)).status).toBe(404)
    expect(await api.db.$count(schedules, eq(schedules.serviceId, service.id))).toBe(0)
    expect(await clearJobsOf(api.db, service.id)).toBe(0)
    expect((await actionsOn(api.db, service.id)).at(-1)).toBe('service.delete')
  })

  test('one of many parallel requests succeeds', async () => {
    const service = await api.create.service(tree.project)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => api.call(tree.owner, 'DELETE', `/services/${service.id}`)),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 404, 404, 404, 404, 404])
    expect(await api.db.$count(deletions, eq(deletions.serviceId, service.id))).toBe(1)
  })
})
