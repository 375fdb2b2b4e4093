import { v7 as uuidv7 } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { certificates } from '#db/schema/alerts.ts'
import { serviceAgents, services, workspaces } from '#db/schema/resources.ts'
import { runDays, serviceStates } from '#db/schema/results.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#server/durations.ts'
import { createIdAt } from '#server/results/results/ids.ts'
import {
  type Activity,
  BOARD_RUNS,
  type Board,
  type BoardFilters,
  type BoardService,
} from '#server/schemas/status/board.ts'
import { NO_SERVICES, SERVICE_STATES, type StateCounts } from '#server/schemas/status/states.ts'
import { testDashboard, testOrganization, type Visitor } from '#test/support/browser/dashboard.ts'
import type { ProjectRow } from '#test/support/factories.ts'
import { shownState } from '#test/support/oracles/state-oracle.ts'
import { createIncident } from '#test/support/runs/incidents.ts'
import { addHour, createResult, setState } from '#test/support/runs/results.ts'

const t = testDashboard()
const acme = testOrganization(t)
const NOW = new Date('2026-11-20T12:30:00Z')
const ago = (ms: number) => new Date(NOW.getTime() - ms)
let project: ProjectRow

type ServiceRow = typeof services.$inferSelect
type StateRow = typeof serviceStates.$inferSelect

beforeEach(async () => {
  t.clock.now = NOW
  await t.db.delete(serviceStates)
  await t.db.delete(workspaces)
  project = await t.create.project(await t.create.workspace(acme, { name: 'Shop' }))
})

async function board(input: object = {}, visitor: Visitor = acme.visitor): Promise<Board> {
  const { data, text, status } = await visitor.get<Board>('status.board', input)
  expect(status, text).toBe(200)
  return data
}

/** An active service; `state` is null for one that has not run. */
async function service(
  given: Partial<ServiceRow>,
  state: Partial<StateRow> | null = {},
  within: ProjectRow = project,
): Promise<ServiceRow> {
  const row = await t.create.service(within, { script: '', isActive: true, ...given })
  const lastRunAt = ago(MINUTE_MS)
  if (state) {
    await setState(t.db, row, { lastStatus: 'success', lastStatusSince: ago(HOUR_MS), lastRunAt, ...state })
  }
  return row
}

const failing = (minutes: number): Partial<StateRow> => ({
  lastStatus: 'failure',
  lastStatusSince: ago(minutes * MINUTE_MS),
  failingSince: ago(minutes * MINUTE_MS),
  lastFailure: { summary: `down for ${minutes}` },
})

function degraded(minutes: number): Partial<StateRow> {
  const since = ago(minutes * MINUTE_MS).toISOString()
  return { degradation: { since, summary: `slow for ${minutes}` } }
}

const namesOf = (services: BoardService[]) => services.map(({ name }) => name)

describe('the state of a service', () => {
  test('equals that of an independent model for every combination of what is known', async () => {
    const lastResultId = createIdAt(ago(MINUTE_MS))
    const since = ago(9 * MINUTE_MS).toISOString()
    const combinations = [true, false].flatMap((isActive) =>
      [null, 'success', 'failure', 'timeout'].flatMap((lastStatus) =>
        [true, false].flatMap((isAlerting) =>
          [true, false].flatMap((isDegraded) =>
            [true, false].map((hasIncident) => ({ isActive, lastStatus, isAlerting, isDegraded, hasIncident })),
          ),
        ),
      ),
    )
    const expected = new Map<string, ReturnType<typeof shownState>>()
    for (const [index, { isActive, lastStatus, isAlerting, isDegraded, hasIncident }] of combinations.entries()) {
      const row = await service({ name: `S${index}`, isActive }, null)
      const state: Partial<StateRow> = {
        ...(lastStatus && { lastStatus: lastStatus as 'success', lastRunAt: ago(MINUTE_MS), lastResultId }),
        lastStatusSince: lastStatus ? ago(5 * MINUTE_MS) : null,
        failingSince: index % 2 === 0 ? ago(7 * MINUTE_MS) : null,
        lastFailure: index % 3 === 0 ? { summary: 'broken' } : null,
        degradation: isDegraded ? { since, summary: 'slow' } : null,
        isAlerting,
      }
      await setState(t.db, row, state)
      const incident = hasIncident
        ? await createIncident(t.db, row, { summary: 'incident', failingSince: ago(8 * MINUTE_MS) })
        : null
      const [stored] = await t.db.select().from(serviceStates).where(eq(serviceStates.serviceId, row.id))
      expected.set(row.id, shownState(row, stored as StateRow, incident))
    }
    const shown = await board()
    expect(shown.total).toBe(combinations.length)
    // Without a schedule, no run is expected: unknown.test.ts.
    const reached = new Set(['unknown', ...[...expected.values()].map(({ state }) => state)])
    expect(reached).toEqual(new Set(SERVICE_STATES))
    for (const { id, state, since, cause } of shown.services) {
      expect({ state, since: since && new Date(since), cause }, id).toEqual(expected.get(id))
    }
  })
})

describe('status.board', () => {
  test('shows the worst first, then by place and name', async () => {
    const other = await t.create.project(await t.create.workspace(acme, { name: '0 first' }))
    await service({ name: 'paused', isActive: false })
    await service({ name: 'pending' }, null)
    await service({ name: 'b' })
    await service({ name: 'a' })
    await service({ name: 'z' }, {}, other)
    await service({ name: 'degraded' }, degraded(3))
    await service({ name: 'failing long' }, failing(50))
    await service({ name: 'failing new' }, failing(5))
    const shown = await board()
    expect(namesOf(shown.services)).toEqual([
      ...['failing new', 'failing long', 'degraded', 'z', 'a', 'b', 'pending', 'paused'],
    ])
    expect(shown.counts).toEqual({ failing: 2, degraded: 1, unknown: 0, passing: 3, pending: 1, paused: 1 })
    expect(shown.projects.find(({ id }) => id === other.id)?.counts).toEqual({ ...NO_SERVICES, passing: 1 })
    expect(shown.at).toBe(NOW.toISOString())
  })

  test('says since when, why, and who acknowledged', async () => {
    const down = await service({ name: 'down' }, { ...failing(20), isAlerting: true })
    const incident = await createIncident(t.db, down, {
      failingSince: ago(22 * MINUTE_MS),
      acknowledgedAt: ago(MINUTE_MS),
      acknowledgedBy: uuidv7(),
      acknowledgedName: 'Ana',
    })
    const [shown] = (await board()).services
    expect(shown).toMatchObject({
      state: 'failing',
      since: ago(22 * MINUTE_MS).toISOString(),
      cause: 'down for 20',
      isConfirmed: true,
      incident: { id: incident.id, acknowledgedAt: ago(MINUTE_MS).toISOString(), acknowledgedBy: 'Ana' },
    })
    const alone = await acme.visitor.get<BoardService>('status.service', { id: down.id })
    expect(alone.data).toEqual(shown)
  })

  test('shows uptime, percentile, the last day by hour, and the latest runs of what is wrong', async () => {
    const well = await service({ name: 'well' })
    await t.db.update(serviceStates).set({ foldedUntil: new Date('2026-11-17T00:00:00Z') })
    await addHour(t.db, well, ago(0), [100, 300])
    await addHour(t.db, well, ago(0), [500], 'second')
    await addHour(t.db, well, ago(23 * HOUR_MS), [50])
    await addHour(t.db, well, ago(30 * HOUR_MS), [50, 50, 50, 50])
    await t.db.insert(runDays).values({
      ...{ organizationId: acme.id, serviceId: well.id, agentSlug: 'local', day: new Date('2026-11-16T00:00:00Z') },
      ...{ runs: 8, success: 4, failure: 4, runsByHour: [], failedByHour: [] },
    })
    await t.db.insert(runDays).values({
      ...{ organizationId: acme.id, serviceId: well.id, agentSlug: 'local', day: new Date('2026-11-13T00:00:00Z') },
      ...{ runs: 100, success: 0, failure: 100, runsByHour: [], failedByHour: [] },
    })
    const down = await service({ name: 'down' }, failing(5))
    for (let i = 0; i < BOARD_RUNS + 2; i++) {
      await createResult(t.db, down, { status: i === 0 ? 'failure' : 'success', startedAt: ago(i * MINUTE_MS) })
    }
    const [first, second] = (await board()).services as [BoardService, BoardService]
    expect(second).toMatchObject({ uptime24h: 100, uptime7d: 75, p95Ms: 500, runs: [] })
    expect(second.trend).toEqual([50, ...new Array(22).fill(null), 500])
    expect(first.runs.length).toBe(BOARD_RUNS)
    expect(first.runs.slice(-2)).toEqual(['success', 'failure'])
    expect(first.uptime24h).toBeCloseTo(((BOARD_RUNS + 1) / (BOARD_RUNS + 2)) * 100)
    await t.db.update(serviceStates).set({ foldedUntil: new Date('2026-11-20T00:00:00Z') })
    const folded = (await board({ q: 'well' })).services[0]
    // Of the hours, only those of today count.
    expect(folded?.uptime7d).toBeCloseTo((7 / 11) * 100)
    await createResult(t.db, well, { status: 'timeout', startedAt: ago(MINUTE_MS) })
    expect((await board({ q: 'well' })).services[0]?.runs).toEqual(['timeout'])
  })

  test('is filtered by state, place, label, agent and text, in all combinations', async () => {
    const other = await t.create.project(await t.create.workspace(acme, { name: 'Depot 50%' }), { name: 'Storage_1' })
    const cart = await service({ name: 'Cart', label: 'Critical' }, failing(2))
    await service({ name: 'Search', label: 'low' })
    await service({ name: 'Disk' }, degraded(1), other)
    const eu = await t.create.agent({ slug: `eu-${uuidv7()}` })
    await t.db.insert(serviceAgents).values({ serviceId: cart.id, organizationId: acme.id, agentId: eu.id })
    const names = async (input: object) => namesOf((await board(input)).services)
    expect(await names({ state: 'failing' })).toEqual(['Cart'])
    expect(await names({ projectId: other.id })).toEqual(['Disk'])
    expect(await names({ workspaceId: project.workspaceId })).toEqual(['Cart', 'Search'])
    expect(await names({ label: 'critical' })).toEqual(['Cart'])
    expect(await names({ agent: eu.slug })).toEqual(['Cart'])
    expect(await names({ q: 'agent:eu' })).toEqual(['Cart'])
    expect(await names({ q: 'agent:e' })).toEqual([])
    expect(await names({ q: 'label:critical state:failing' })).toEqual(['Cart'])
    expect(await names({ q: 'state:failing state:degraded' })).toEqual(['Cart', 'Disk'])
    expect(await names({ q: 'state:failing', state: 'degraded' })).toEqual([])
    expect(await names({ q: 'workspace:"depot 50%" project:storage_1' })).toEqual(['Disk'])
    expect(await names({ q: 'depot DIS' })).toEqual(['Disk'])
    expect(await names({ q: '50%' })).toEqual(['Disk'])
    expect(await names({ q: '%' })).toEqual(['Disk'])
    expect(await names({ q: 'storage_' })).toEqual(['Disk'])
    expect(await names({ q: 'd_sk' })).toEqual([])
    expect(await names({ q: '\\' })).toEqual([])
    const filtered = await board({ state: 'failing', q: 'colour:red' })
    expect(filtered.problems.length).toBe(1)
    expect(filtered.counts).toMatchObject({ failing: 1, degraded: 1, passing: 1 })
    expect(filtered.total).toBe(1)
  })

  test('shows each member what they can see, and nothing of other organizations', async () => {
    const mine = await service({ name: 'mine' }, failing(1))
    await service({ name: 'theirs' })
    const reader = await t.create.member(acme, { grants: [{ serviceId: mine.id, level: 1 }] })
    const visitor = await t.signIn(reader)
    const shown = await board({}, visitor)
    expect(namesOf(shown.services)).toEqual(['mine'])
    expect(shown.counts).toEqual({ ...NO_SERVICES, failing: 1 })
    const stranger = await t.signIn((await t.create.organization()).owner)
    expect(await board({}, stranger)).toMatchObject({ total: 0, services: [], counts: NO_SERVICES })
    expect(await stranger.get('status.service', { id: mine.id })).toMatchObject({ status: 404, code: 'not_found' })
    expect(await t.visitor().get('status.board', {})).toMatchObject({ status: 401 })
  })

  test('draws the p95 of each hour, exact for few runs and within 1 % for many, over all agents', async () => {
    const busy = await service({ name: 'busy' })
    const upTo = (count: number, factor = 1) => Array.from({ length: count }, (_, i) => (i + 1) * factor)
    await addHour(t.db, busy, ago(5 * HOUR_MS), upTo(40), 'first')
    await addHour(t.db, busy, ago(5 * HOUR_MS), upTo(60, 2), 'second')
    await addHour(t.db, busy, ago(2 * HOUR_MS), upTo(1_000))
    await addHour(t.db, busy, ago(HOUR_MS), [])
    const [{ trend }] = (await board()).services as [BoardService]
    expect(trend.length).toBe(24)
    expect(trend[18]).toBe(110)
    expect(Math.abs((trend[21] as number) - 950)).toBeLessThanOrEqual(9.5)
    expect(trend.filter((value) => value !== null).length).toBe(2)
  })

  test('keeps order, counts and filters over pages of a hundred', async () => {
    const other = await t.create.project(await t.create.workspace(acme, { name: '0 first' }))
    const rows = Array.from({ length: 230 }, (_, i) => ({
      ...{
        id: uuidv7(),
        organizationId: acme.id,
        projectId: i % 2 === 0 ? project.id : other.id,
        isActive: i % 10 !== 0,
        script: '',
      },
      ...{ name: `N${String((i * 97) % 230).padStart(3, '0')}`, labels: i % 3 === 0 ? ['critical'] : [] },
    }))
    await t.db.insert(services).values(rows)
    const stateOf = (i: number): Partial<StateRow> => (i % 4 === 1 ? failing(i) : i % 4 === 3 ? degraded(i) : {})
    const passing = { lastStatus: 'success' as const, lastStatusSince: ago(HOUR_MS), lastRunAt: ago(0) }
    await t.db
      .insert(serviceStates)
      .values(rows.map(({ id }, i) => ({ serviceId: id, organizationId: acme.id, ...passing, ...stateOf(i) })))
    const pages = [await board(), await board({ page: 2 }), await board({ page: 3 })]
    expect(pages.map((page) => page.services.length)).toEqual([100, 100, 30])
    const all = pages.flatMap((page) => page.services)
    expect(new Set(all.map(({ id }) => id)).size).toBe(230)
    const rank = all.map(({ state }) => SERVICE_STATES.indexOf(state))
    expect(rank).toEqual(rank.toSorted((a, b) => a - b))
    for (const state of ['failing', 'degraded'] as const) {
      const since = all.filter((one) => one.state === state).map((one) => Date.parse(one.since as string))
      expect(since).toEqual(since.toSorted((a, b) => b - a))
    }
    const calm = all.filter(({ state }) => state === 'passing').map((one) => `${one.workspaceName} ${one.name}`)
    expect(calm).toEqual(calm.toSorted())
    const counts = { ...NO_SERVICES, failing: 58, degraded: 57, passing: 92, paused: 23 }
    for (const page of pages) expect(page).toMatchObject({ counts, total: 230 })
    // The heading of a project counts all its services, also those on other pages.
    const ofProject = (page: Board) => page.projects.find(({ id }) => id === project.id)?.counts
    expect(ofProject(pages[2] as Board)).toEqual({ ...NO_SERVICES, passing: 92, paused: 23 })
    const critical = [await board({ label: 'critical' }), await board({ label: 'critical', page: 1, state: 'failing' })]
    expect(critical.map(({ total }) => total)).toEqual([77, 19])
    expect(critical[1]?.counts).toEqual(critical[0]?.counts)
    // A page that stays open while services recover shows the last page that there is.
    expect(await board({ page: 2, state: 'failing' })).toMatchObject({ page: 1, total: 58 })
    expect(await board({ page: 9, q: 'nothing' })).toMatchObject({ page: 1, total: 0, services: [] })
    expect(await acme.visitor.get('status.board', { page: 0 })).toMatchObject({ status: 400 })
    expect(await acme.visitor.get('status.board', { q: 'x'.repeat(201) })).toMatchObject({ status: 400 })
  })
})

describe('workspaces and projects', () => {
  test('tell the worst state of the services in them, whichever ran last', async () => {
    await service({ name: 'ran last' }, { lastRunAt: ago(0) })
    await service({ name: 'down' }, failing(30))
    await service({ name: 'off', isActive: false }, failing(3_000))
    const counts: StateCounts = { ...NO_SERVICES, failing: 1, passing: 1, paused: 1 }
    const { visitor } = acme
    const summary = async (input: object, by = visitor) => (await by.get<StateCounts>('status.summary', input)).data
    expect(await summary({ projectId: project.id })).toEqual(counts)
    expect(await summary({ workspaceId: project.workspaceId })).toEqual(counts)
    const projects = await visitor.get<{ items: object[] }>('status.projects', { workspaceId: project.workspaceId })
    expect(projects.data.items).toMatchObject([{ id: project.id, counts }])
    const { data } = await visitor.get<{ items: { id: string }[] }>('status.workspaces', { pageSize: 100 })
    expect(data.items.find(({ id }) => id === project.workspaceId)).toMatchObject({ counts, projectCount: 1 })
    const empty = await t.create.workspace(acme)
    expect(await summary({ workspaceId: empty.id })).toEqual(NO_SERVICES)
  })

  test('count only what a member can see', async () => {
    const mine = await service({ name: 'mine' })
    await service({ name: 'down' }, failing(1))
    const visitor = await t.signIn(await t.create.member(acme, { grants: [{ serviceId: mine.id, level: 1 }] }))
    const counts = { ...NO_SERVICES, passing: 1 }
    expect((await visitor.get('status.summary', { projectId: project.id })).data).toEqual(counts)
    const workspaces = await visitor.get<{ items: object[] }>('status.workspaces', {})
    expect(workspaces.data.items).toMatchObject([{ id: project.workspaceId, counts, projectCount: 1 }])
    const elsewhere = await t.create.project(await t.create.workspace(acme))
    expect(await visitor.get('status.summary', { projectId: elsewhere.id })).toMatchObject({ status: 404 })
    expect(await visitor.get('status.projects', { workspaceId: elsewhere.workspaceId })).toMatchObject({ status: 404 })
    expect(await visitor.get('status.summary', {})).toMatchObject({ status: 400 })
  })
})

describe('status.activity and status.filters', () => {
  test('name the scripts that changed, by whom, and the certificates that expire', async () => {
    const created = await t.create.service(project, { name: 'Cart' })
    for (const version of [1, 2]) {
      const script = `get("https://example.com/${version}").expect(status: 200)`
      const saved = await acme.visitor.post('services.saveScript', { id: created.id, script, version })
      expect(saved.status, saved.text).toBe(200)
    }
    await t.db.insert(certificates).values(
      [3, 29, 40].map((days) => ({
        ...{ serviceId: created.id, organizationId: acme.id, host: `${days}.example`, seenAt: NOW },
        notAfter: new Date(NOW.getTime() + days * DAY_MS),
      })),
    )
    const { data } = await acme.visitor.get<Activity>('status.activity')
    expect(data.scripts).toMatchObject([{ serviceName: 'Cart', version: 3, by: expect.any(String) }])
    expect(data.certificates.map(({ host, daysLeft }) => [host, daysLeft])).toEqual([
      ['3.example', 3],
      ['29.example', 29],
    ])
    await t.db.update(services).set({ isActive: false })
    expect((await acme.visitor.get<Activity>('status.activity')).data.certificates).toEqual([])
    const blind = await t.signIn(await t.create.member(acme))
    expect((await blind.get('status.activity')).data).toEqual({ scripts: [], certificates: [] })
  })

  test('offer the filters of what the member can see', async () => {
    const mine = await service({ name: 'mine', label: 'critical' })
    await service({ name: 'theirs', label: 'secret' })
    const visitor = await t.signIn(await t.create.member(acme, { grants: [{ serviceId: mine.id, level: 1 }] }))
    const { data } = await visitor.get<BoardFilters>('status.filters')
    expect(data.labels).toEqual(['critical'])
    expect(data.projects.map(({ id }) => id)).toEqual([project.id])
    expect(data.workspaces.map(({ id }) => id)).toEqual([project.workspaceId])
  })
})
