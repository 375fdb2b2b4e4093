import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { ensurePartitions } from '#db/partitions.ts'
import { idAt } from '#server/ids.ts'
import { createFacade, type Facade } from '#server/rest/serve.ts'
import { buildRequest, testServices } from '#test/support/api.ts'
import {
  createKey,
  createOrganization,
  createProject,
  createService,
  createWorkspace,
} from '#test/support/factories.ts'
import type { FinishedRun } from '#worker/probe/finished-run.ts'
import { endpointKey } from '#worker/probe/finished-run.ts'
import { storeRuns } from '#worker/probe/record.ts'
import { median, withDatabase } from './database.ts'
import type { BenchOptions } from './main.ts'

const SERVICES = 10
const DAYS = 90
const DAY_MS = 86_400_000
const BATCH = 1_000
const WRITERS = 4
const ROUNDS = 25
const TEMPLATES = ['https://shop.example/', 'https://shop.example/cart', '$s.base/orders'].map((template) => ({
  template,
  key: endpointKey('GET', template),
}))

type World = {
  db: Db
  facade: Facade
  token: string
  service: { id: string; organizationId: string }
  project: string
  workspace: string
}

/**
 * What each answer costs over few results and over many, for the same number of services and days: roll-ups should make
 * that one. Then against percentiles taken from the rows themselves, and the room that roll-ups take beside them.
 */
export async function run({ large }: BenchOptions): Promise<void> {
  const [few, many] = large ? [100_000, 10_000_000] : [10_000, 100_000]
  await withDatabase((small) =>
    withDatabase(async (big) => {
      const worlds = [await fill(small, few), await fill(big, many)] as const
      const paths: [string, (world: World) => string][] = [
        ['metrics', (w) => `/services/${w.service.id}/metrics`],
        ['history 168 h', (w) => `/services/${w.service.id}/metrics/history?hours=168`],
        ['statistics 24h', (w) => `/services/${w.service.id}/metrics/statistics?window=24h`],
        ['statistics 90d', (w) => `/services/${w.service.id}/metrics/statistics?window=90d`],
        ['endpoint-series 90d', (w) => `/services/${w.service.id}/metrics/statistics/endpoint-series?window=90d`],
        ['assertions 90d', (w) => `/services/${w.service.id}/metrics/statistics/assertions?window=90d`],
        ['failure-heatmap 365', (w) => `/services/${w.service.id}/metrics/statistics/failure-heatmap?days=365`],
        ['project metrics', (w) => `/projects/${w.project}/metrics`],
        ['workspace history', (w) => `/workspaces/${w.workspace}/metrics/history`],
        ['results, first page', (w) => `/services/${w.service.id}/results`],
        ['results, page 20', (w) => `/services/${w.service.id}/results?page=20`],
      ]
      console.log(`median ms at ${few} and ${many} results; the goal for their ratio is 1.3`)
      for (const [name, path] of paths) {
        const [atFew, atMany] = await interleaved(worlds, (world) => get(world, path(world)))
        console.log(`${name.padEnd(22)} ${ms(atFew)} ${ms(atMany)}   x ${(atMany / atFew).toFixed(2)}`)
      }
      const [ours, raw] = await interleaved([0, 1] as const, (peer) =>
        peer === 0
          ? get(worlds[1], `/services/${worlds[1].service.id}/metrics/statistics?window=90d`)
          : rawPercentiles(worlds[1]),
      )
      console.log(
        `percentile_cont over the rows of 90 days: ${ms(raw)}, ${(raw / ours).toFixed(1)} x statistics (goal 10)`,
      )
      const { rows, rollups } = await sizes(big)
      console.log(`roll-ups take ${((rollups / rows) * 100).toFixed(2)} % of the results' bytes (goal 5)\n`)
    }),
  )
}

async function fill(db: Db, count: number): Promise<World> {
  const now = Date.now()
  await ensurePartitions(db, new Date(now - (DAYS + 1) * DAY_MS), DAYS + 2)
  const organization = await createOrganization(db)
  const workspace = await createWorkspace(db, organization)
  const project = await createProject(db, workspace)
  const services = await Promise.all(Array.from({ length: SERVICES }, () => createService(db, project)))
  const startedAt = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      while (next < count) {
        const from = next
        next += BATCH
        const runs = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) => {
          const at = now - DAYS * DAY_MS + Math.floor(((from + i) / count) * DAYS * DAY_MS)
          return finished(services[(from + i) % SERVICES] as World['service'], new Date(at))
        })
        await db.transaction((tx) => storeRuns(tx, runs, { variablesMax: 100 }))
      }
    }),
  )
  await db.execute(sql`vacuum analyze`)
  const seconds = (performance.now() - startedAt) / 1_000
  console.log(`filled ${count} results in ${seconds.toFixed(0)} s (${(count / seconds).toFixed(0)}/s)`)
  const key = await createKey(db, organization.owner)
  const facade = createFacade(testServices(db, { LOG_LEVEL: 'silent' }))
  return {
    db,
    facade,
    token: key.token,
    service: services[0] as World['service'],
    project: project.id,
    workspace: workspace.id,
  }
}

function finished(service: World['service'], at: Date): FinishedRun {
  const failed = Math.random() < 0.02
  const steps = TEMPLATES.map(({ template }, i) => {
    const total = 20 + Math.floor(Math.exp(Math.random() * 6))
    return {
      id: uuidv7(),
      stepNum: i + 1,
      requestUrl: template,
      method: 'GET',
      template,
      statusCode: failed ? 500 : 200,
      responseTimeMs: total,
      dnsMs: 1,
      connectMs: 4,
      tlsMs: 8,
      ttfbMs: total - 15,
      transferMs: 2,
      responseSizeBytes: 1_234,
      outcome: failed ? ('failure' as const) : ('success' as const),
      error: null,
      assertionResults: [
        {
          method: 'expect',
          scope: 'status',
          op: 'eq',
          outcome: failed ? 'failed' : 'passed',
          actual: 200,
          expected: 200,
        },
      ],
      headers: {
        'content-type': 'application/json',
        date: at.toUTCString(),
        server: 'shop',
        'cache-control': 'no-store',
      },
      body: null,
      bodyNotStoredReason: 'not_requested',
    }
  })
  return {
    id: uuidv7(),
    attempt: 1,
    organizationId: service.organizationId,
    serviceId: service.id,
    agentId: service.id,
    agentSlug: 'bench',
    result: {
      id: idAt(at),
      startedAt: at,
      status: failed ? 'failure' : 'success',
      runDurationMs: 300,
      totalResponseMs: steps.reduce((sum, step) => sum + step.responseTimeMs, 0),
      callCount: steps.length,
      failedCalls: failed ? steps.length : 0,
      raw: {
        outcome: failed ? 'failure' : 'success',
        calls: steps.map((step) => ({ request: step.requestUrl, response: step.headers })),
      },
      steps,
    },
    isTimed: true,
    assertions: TEMPLATES.map(({ template, key }) => ({
      key: `${key} status`,
      definition: { method: 'GET', template, kind: 'expect', scope: 'status', op: 'eq', expected: 200 },
      failed,
    })),
    failedAssertions: [],
    writeBacks: [],
  }
}

async function get(world: World, path: string): Promise<void> {
  const [pathname, query] = path.split('?') as [string, string?]
  const request = buildRequest(world.token, 'GET', pathname, { query: query ?? '' })
  const response = await world.facade(request, { address: '127.0.0.1' })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
}

async function rawPercentiles({ db, service }: World): Promise<void> {
  const from = new Date(Date.now() - DAYS * DAY_MS).toISOString()
  await db.execute(sql`
    select date_trunc('day', started_at), percentile_cont(array[0.5, 0.95, 0.99]) within group (order by total_response_ms)
    from results where organization_id = ${service.organizationId} and service_id = ${service.id}
      and started_at >= ${from}::timestamptz group by 1`)
}

/** Medians of both, taken by turns so that a noisy machine is noisy for both. */
async function interleaved<T>(pair: readonly [T, T], work: (which: T) => Promise<void>): Promise<[number, number]> {
  const taken: [number[], number[]] = [[], []]
  for (let round = -3; round < ROUNDS; round++) {
    for (const side of [0, 1] as const) {
      const startedAt = performance.now()
      await work(pair[side])
      if (round >= 0) taken[side].push(performance.now() - startedAt)
    }
  }
  return [median(taken[0]), median(taken[1])]
}

async function sizes(db: Db): Promise<{ rows: number; rollups: number }> {
  const [row] = await db.execute<{ rows: string; rollups: string }>(sql`
    select sum(pg_total_relation_size(c.oid)) filter (where c.relname like 'results\\_%') as rows,
      sum(pg_total_relation_size(c.oid)) filter (where c.relname ~ '^(run|endpoint|assertion)_(hours|days)$') as rollups
    from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`)
  return { rows: Number(row?.rows), rollups: Number(row?.rollups) }
}

function ms(value: number): string {
  return `${value.toFixed(1).padStart(7)} ms`
}
