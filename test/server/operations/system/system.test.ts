import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { DAY_MS } from '#db/partitions.ts'
import { organizations } from '#db/schema/organizations.ts'
import { workers } from '#db/schema/runs.ts'
import { systemSamples, webProcesses } from '#db/schema/system.ts'
import { registerStore, storeUrl } from '#server/bodies/store.ts'
import { setMark } from '#server/observe/system/marks.ts'
import { storeWarning } from '#server/observe/system/warnings.ts'
import { describeSettings } from '#server/operations/system/describe-settings.ts'
import { parseSettings } from '#server/process/settings.ts'
import { SystemOverview } from '#server/schemas/system.ts'
import { PASSWORD, testDashboard, type Visitor } from '#test/support/browser/dashboard.ts'
import type { Organization } from '#test/support/factories.ts'

const t = testDashboard()
let operators: Organization
let owner: Visitor

beforeAll(async () => {
  operators = await t.create.organization()
  await t.db.update(organizations).set({ isOperator: true }).where(eq(organizations.id, operators.id))
  owner = await t.signIn(operators.owner)
})

const read = async () => SystemOverview.parse((await owner.get('system.overview')).data)

describe('system.overview', () => {
  test('exists only for the owner of the organization that operates the installation', async () => {
    expect((await owner.get('system.overview')).status).toBe(200)
    expect((await owner.get('auth.me')).data).toMatchObject({ isOperator: true })
    const sections = { settings: 'write', orgAdmin: 'write' } as const
    const member = await t.signIn(await t.create.member(operators, { sections }))
    const other = await t.signIn((await t.create.organization()).owner)
    for (const visitor of [member, other]) {
      expect(await visitor.get('system.overview')).toMatchObject({ status: 404, code: 'not_found' })
      expect((await visitor.get('auth.me')).data).toMatchObject({ isOperator: false })
    }
  })

  test('lists the processes, with those that are silent', async () => {
    const agent = await t.create.agent({ label: 'EU west' })
    const web = { id: uuidv7(), version: '1.0.0', host: 'web-1', pid: 1 }
    const silent = { ...web, id: uuidv7(), host: 'web-2', heartbeatAt: new Date(Date.now() - 300_000) }
    await t.db.insert(webProcesses).values([web, silent])
    const remote = { agentId: agent.id, poolId: 'p', host: 'edge', pid: 0, kind: 'agent' as const }
    await t.db.insert(workers).values({ ...remote, id: uuidv7(), version: '0.9.0', slots: 20, busy: 3 })
    const { processes } = await read()
    expect(processes).toContainEqual(
      expect.objectContaining({ kind: 'web', host: 'web-1', isAlive: true, slots: null }),
    )
    expect(processes).toContainEqual(expect.objectContaining({ kind: 'web', host: 'web-2', isAlive: false }))
    expect(processes).toContainEqual(
      expect.objectContaining({ kind: 'agent', agent: 'EU west', version: '0.9.0', isAlive: true, slots: 20, busy: 3 }),
    )
  })

  test('shows what waits, and for how long', async () => {
    const tree = await t.create.serviceTree()
    const { id: serviceId, organizationId } = tree.service
    await t.db.execute(sql`
      insert into schedules (service_id, organization_id, cron, next_slot, next_run_at)
      values (${serviceId}, ${organizationId}, '* * * * *', now(), now() - interval '10 minutes')`)
    await t.db.execute(sql`
      select graphile_worker.add_job('remind', '{}', run_at => now() - interval '1 hour', job_key => 'system-test')`)
    const { work } = await read()
    expect(work.due).toMatchObject({ count: 1, isMore: false })
    expect(work.due.oldestSeconds).toBeGreaterThanOrEqual(600)
    const job = work.jobs.find(({ task }) => task === 'remind')
    expect(job).toMatchObject({ count: 1, failing: 0 })
    expect(job?.oldestSeconds).toBeGreaterThanOrEqual(3_600)
  })

  test('shows sizes, their forecast, partitions and stores', async () => {
    const { id: store } = await registerStore(t.db, storeUrl(t.runtime.settings))
    const days = [4, 3, 2, 1].map((ago) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10))
    await t.db.insert(systemSamples).values(
      days.map((day, index) => ({
        day,
        databaseBytes: 1_000_000 + index * 1_000,
        resultBytes: 1,
        bodyBytes: { [store]: 500 },
      })),
    )
    const { storage } = await read()
    expect(storage.databaseBytes).toBeGreaterThan(1_000_000)
    expect(storage.samples.map(({ day }) => day)).toEqual(days)
    expect(storage.forecast).toEqual({ bytesPerDay: 1_000, in30Days: 1_033_000, in90Days: 1_093_000 })
    expect(storage.partitions.count).toBeGreaterThan(5)
    expect(storage.partitions.missing).toEqual([])
    expect(storage.stores).toMatchObject([{ id: store, isCurrent: true, bytes: 2_000, bytesPerDay: 500 }])
  })

  test('shows the last backup, the last mail and warnings', async () => {
    expect(await read()).toMatchObject({ backup: null, mail: { lastSentAt: null, lastFailure: null }, warnings: [] })
    const details = { file: 'monday', host: 'here', release: '1', bytes: 5, rows: 4, bodies: 3, missing: 0 }
    await setMark(t.db, 'backup', details)
    await setMark(t.db, 'mail', {})
    await storeWarning(t.db, { code: 'mail_failed', subject: '', detail: 'refused' })
    const { backup, mail, warnings } = await read()
    expect(backup).toMatchObject({ file: 'monday', bodies: 3 })
    expect(mail).toMatchObject({ lastSentAt: expect.any(String), lastFailure: { detail: 'refused' } })
    expect(warnings).toMatchObject([{ code: 'mail_failed', count: 1 }])
  })

  test('shows settings without credentials', async () => {
    const { settings } = await read()
    expect(settings.map(({ name }) => name)).toContain('RESULT_RETENTION_DAYS')
    const text = JSON.stringify(settings)
    const { password } = new URL(t.runtime.settings.DATABASE_URL ?? 'postgres://u:none@h/d')
    expect(text).not.toContain(password)
    for (const { secret } of t.runtime.settings.SECRET_KEYS ?? []) expect(text).not.toContain(secret)
    const many = parseSettings({
      DATABASE_URL: 'postgres://u:hidden@pooler/db',
      DATABASE_SESSION_URL: 'postgres://u:hidden@primary:5433/db',
      DATABASE_READ_URL: 'postgres://u:hidden@replica/db',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://u:hidden@collector.example:4318/hidden?key=hidden',
    })
    const shown = describeSettings(many)
    expect(JSON.stringify(shown)).not.toContain('hidden')
    expect(shown).toEqual(
      expect.arrayContaining([
        { name: 'DATABASE_SESSION_URL', value: 'primary:5433/db' },
        { name: 'DATABASE_READ_URL', value: 'replica/db' },
        { name: 'DATABASE_READ_LAG_MAX_SECONDS', value: '5' },
        { name: 'OTEL_EXPORTER_OTLP_ENDPOINT', value: 'collector.example:4318' },
      ]),
    )
  })
})

test('the operator who removes the organization keeps the page in another organization that they own', async () => {
  const first = await t.create.organization()
  await t.db.update(organizations).set({ isOperator: true }).where(eq(organizations.id, first.id))
  const visitor = await t.signIn(first.owner)
  const { data: second } = await visitor.post<{ id: string }>('organization.create', { name: 'Second' })
  const removal = { name: first.name, password: PASSWORD }
  expect((await visitor.post('organization.remove', removal)).status).toBe(200)
  expect((await visitor.get('auth.me')).data).toMatchObject({ organization: { id: second.id }, isOperator: true })
  expect((await visitor.get('system.overview')).status).toBe(200)
})
