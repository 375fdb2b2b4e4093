import type { Db } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { DAY_MS } from '#server/durations.ts'
import { createFacade, type Facade } from '#server/fronts/rest/facade.ts'
import { buildRequest, testRuntime } from '#test/support/api/api.ts'
import {
  createKey,
  createOrganization,
  createProject,
  createService,
  createWorkspace,
} from '#test/support/factories.ts'
import { withDatabase } from './database.ts'
import { alternate, measureHere } from './frame/alternate.ts'
import { measureWithDatabase } from './frame/database-time.ts'
import type { Report } from './frame/report.ts'
import type { BenchOptions } from './main.ts'
import { fill } from './results/filling.ts'
import type { Service } from './results/finished-runs.ts'

const DAYS = 90
const ROUNDS = 9
/** Requests of each side per round. */
const REQUESTS = 20
/** Both pairs have the same runs per service: one a minute in the larger database, 14 to 15 a day in the smaller one. */
const SIZES = {
  usual: { few: 10_000, many: 1_000_000, services: 8 },
  large: { few: 100_000, many: 10_000_000, services: 77 },
} as const

type StatisticsSetup = {
  db: Db
  facade: Facade
  token: string
  service: Service
  project: string
  workspace: string
}

/**
 * Compares the time of each answer over many results with that over few, for the same number of services and days: with
 * roll-ups both should cost the same. Then compares an answer with percentiles computed from the rows.
 */
export async function run(report: Report, { large }: BenchOptions): Promise<void> {
  const { few, many, services } = large ? SIZES.large : SIZES.usual
  await withDatabase((small) =>
    withDatabase(async (big) => {
      const setups = [await createSetup(small, services, few), await createSetup(big, services, many)] as const
      const paths: [string, (setup: StatisticsSetup) => string][] = [
        ['metrics', (w) => `/services/${w.service.id}/metrics`],
        ['history 168 h', (w) => `/services/${w.service.id}/metrics/history?hours=168`],
        ['statistics 24h', (w) => `/services/${w.service.id}/metrics/statistics?window=24h`],
        // With 14 runs a day, 40 % of the hours of a week have no run and so no row.
        ['statistics 7d', (w) => `/services/${w.service.id}/metrics/statistics?window=7d`],
        ['statistics 90d', (w) => `/services/${w.service.id}/metrics/statistics?window=90d`],
        ['endpoint-series 24h', (w) => `/services/${w.service.id}/metrics/statistics/endpoint-series?window=24h`],
        ['endpoint-series 90d', (w) => `/services/${w.service.id}/metrics/statistics/endpoint-series?window=90d`],
        ['assertions 90d', (w) => `/services/${w.service.id}/metrics/statistics/assertions?window=90d`],
        ['failure-heatmap 365', (w) => `/services/${w.service.id}/metrics/statistics/failure-heatmap?days=365`],
        ['project metrics', (w) => `/projects/${w.project}/metrics`],
        ['workspace metrics', (w) => `/workspaces/${w.workspace}/metrics`],
        ['workspace history', (w) => `/workspaces/${w.workspace}/metrics/history`],
        ['results, first page', (w) => `/services/${w.service.id}/results`],
        ['results, page 20', (w) => `/services/${w.service.id}/results?page=20`],
      ]
      const measure = (setup: StatisticsSetup, path: string) => () =>
        measureWithDatabase(setup.db, async () => {
          for (let i = 0; i < REQUESTS; i++) await get(setup, path)
          return REQUESTS
        })
      for (const [name, path] of paths) {
        await alternate(report, {
          name: `${name}, ${many} results against ${few}`,
          own: measure(setups[1], path(setups[1])),
          peer: measure(setups[0], path(setups[0])),
          by: 'time',
          bound: { atMost: 1.5 },
          rounds: ROUNDS,
        })
      }
      await alternate(report, {
        name: `percentile_cont over the rows of ${many} results against statistics 90d`,
        own: () => measureHere(() => rawPercentiles(setups[1])),
        peer: measure(setups[1], `/services/${setups[1].service.id}/metrics/statistics?window=90d`),
        by: 'time',
        bound: { atLeast: 10 },
      })
    }),
  )
}

async function createSetup(db: Db, serviceCount: number, count: number): Promise<StatisticsSetup> {
  const organization = await createOrganization(db)
  const workspace = await createWorkspace(db, organization)
  const project = await createProject(db, workspace)
  const services = await Promise.all(Array.from({ length: serviceCount }, () => createService(db, project)))
  await fill(db, services, count, DAYS)
  const key = await createKey(db, organization.owner)
  const facade = createFacade(testRuntime(db, { LOG_LEVEL: 'silent' }))
  const service = services[0] as Service
  return { db, facade, token: key.token, service, project: project.id, workspace: workspace.id }
}

async function get(setup: StatisticsSetup, path: string): Promise<void> {
  const [pathname, query] = path.split('?') as [string, string?]
  const request = buildRequest(setup.token, 'GET', pathname, { query: query ?? '' })
  const response = await setup.facade(request, { address: '127.0.0.1' })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
}

/** Returns how many answers it made: one. */
async function rawPercentiles({ db, service }: StatisticsSetup): Promise<number> {
  const from = new Date(Date.now() - DAYS * DAY_MS).toISOString()
  await db.transaction(async (tx) => {
    // The first query may be slow, before the rows are in memory.
    await tx.execute(sql`set local statement_timeout = 0`)
    await tx.execute(sql`
      select date_trunc('day', started_at), percentile_cont(array[0.5, 0.95, 0.99]) within group (order by total_response_ms)
      from results where organization_id = ${service.organizationId} and service_id = ${service.id}
        and started_at >= ${from}::timestamptz group by 1`)
  })
  return 1
}
