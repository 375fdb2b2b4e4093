import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { services } from '#db/schema/resources.ts'
import { syncSchedules } from '#server/schedule/schedules.ts'
import { createOrganization, createProject, createWorkspace, type ProjectRow } from '#test/support/factories.ts'
import { startHttpTarget } from '#test/support/targets/http-target.ts'
import { stopChild } from './child-process.ts'
import { withDatabase } from './database.ts'
import type { Report } from './frame/report.ts'
import type { BenchOptions } from './main.ts'

const MINUTES = 3
const SPREAD_SECONDS = 20

type Scenario = {
  /** The name for `--case`. */
  key: string
  name: string
  environment: Record<string, string>
  /** Whether both kinds of target are at the same host and port. */
  isOneHost?: boolean
  /** What the lateness of good services should be at most, p95, in seconds. */
  goalSeconds?: number
  /** Services that are probed every minute, each in the named organization. */
  services: { organization: string; target: 'hanging' | 'good'; count: number }[]
}

const SCENARIOS: Scenario[] = [
  {
    key: 'one',
    name: '100 hanging and 100 good services of one organization, default settings',
    environment: {},
    goalSeconds: 2,
    services: [
      { organization: 'A', target: 'hanging', count: 100 },
      { organization: 'A', target: 'good', count: 100 },
    ],
  },
  {
    key: 'two',
    name: '25 hanging services of one organization, 10 good ones of another, WORKER_CONCURRENCY=10',
    environment: { WORKER_CONCURRENCY: '10' },
    goalSeconds: 5,
    services: [
      { organization: 'A', target: 'hanging', count: 25 },
      { organization: 'B', target: 'good', count: 10 },
    ],
  },
  {
    key: 'greedy',
    name: '500 hanging services of one organization (100 times its share), 10 good ones of another, WORKER_CONCURRENCY=10',
    environment: { WORKER_CONCURRENCY: '10' },
    goalSeconds: 5,
    services: [
      { organization: 'A', target: 'hanging', count: 500 },
      { organization: 'B', target: 'good', count: 10 },
    ],
  },
  {
    key: 'host',
    name: '100 hanging and 100 good services of one organization at one host and port, default settings',
    environment: {},
    isOneHost: true,
    services: [
      { organization: 'A', target: 'hanging', count: 100 },
      { organization: 'A', target: 'good', count: 100 },
    ],
  },
]

/**
 * Measures what hanging targets cost other services. Services run every minute on one worker process, and some targets
 * accept connections but never respond. Prints how many due runs took place, and how late they started.
 */
export async function run({ cases }: BenchOptions, report: Report): Promise<void> {
  const good = await startHttpTarget((request, response) => request.url === '/hanging' || response.end('ok'))
  const hanging = await startHttpTarget(() => {})
  try {
    for (const setting of SCENARIOS) {
      if (cases.length > 0 && !cases.includes(setting.key)) continue
      await withDatabase(async (db, url) => {
        const ids = await createServices(db, setting, {
          good: `http://127.0.0.1:${good.port}/`,
          hanging: `http://127.0.0.1:${setting.isOneHost ? good.port : hanging.port}/hanging`,
        })
        const { late } = await runWorker(url, setting)
        console.log(setting.name)
        for (const [group, services] of ids) {
          const lateness = await measureLateness(db, group, services)
          if (group.endsWith('good')) addLateness(report, setting, lateness)
        }
        console.log(`  results that came after their run was closed: ${late}\n`)
      })
    }
  } finally {
    await Promise.all([good.close(), hanging.close()])
  }
}

async function createServices(db: Db, setting: Scenario, urls: Record<'good' | 'hanging', string>) {
  const projects = new Map<string, ProjectRow>()
  const made = new Map<string, string[]>()
  for (const { organization, target, count } of setting.services) {
    const project =
      projects.get(organization) ?? (await createProject(db, await createWorkspace(db, await createOrganization(db))))
    projects.set(organization, project)
    const rows = Array.from({ length: count }, (_, i) => ({
      id: uuidv7(),
      organizationId: project.organizationId,
      projectId: project.id,
      name: `${target} ${i}`,
      schedule: '* * * * *',
      script: `get("${urls[target]}").expect(status: 200)`,
      isActive: true,
      version: 2,
    }))
    await db.insert(services).values(rows)
    await syncSchedules(db, rows, new Date(), SPREAD_SECONDS)
    made.set(
      `${organization}, ${target}`,
      rows.map((row) => row.id),
    )
  }
  return made
}

/** Runs a worker for the time of the measurement. */
async function runWorker(url: string, { environment }: Scenario): Promise<{ late: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'soundline-bench-worker-'))
  const worker = fork(new URL('../../worker/main.ts', import.meta.url), [], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: url,
      SECRET_KEYS: `bench:${'0123456789abcdef'.repeat(4)}`,
      DATA_DIR: folder,
      PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
      ...environment,
    },
  })
  let late = 0
  worker.stdout?.setEncoding('utf8').on('data', (text: string) => {
    late += text.split('too late').length - 1
  })
  try {
    await once(worker, 'message')
    const begin = Math.ceil(Date.now() / 60_000) * 60_000
    await sleep(begin + MINUTES * 60_000 - Date.now())
  } finally {
    await stopChild(worker, 'SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
  return { late }
}

type Lateness = { runs: number; due: number; p95: number | null }

async function measureLateness(db: Db, group: string, ids: string[]): Promise<Lateness> {
  const list = sql`any(${`{${ids.join(',')}}`}::uuid[])`
  const [row] = await db.execute<{ runs: number; p50: number; p95: number; max: number }>(sql`
    select count(*)::int as runs, percentile_cont(0.5) within group (order by s) as p50,
      percentile_cont(0.95) within group (order by s) as p95, max(s) as max
    from (
      select extract(epoch from r.started_at - r.slot)::float - d.offset_seconds as s
      from runs r join schedules d on d.service_id = r.service_id
      where r.service_id = ${list} and r.started_at is not null) x`)
  const text = (seconds: number | null) => (seconds === null ? 'none' : `${seconds.toFixed(1)} s`)
  console.log(
    `  ${group}: ${row?.runs} of ${ids.length * MINUTES} runs, late by ${text(row?.p50 ?? null)} (median), ` +
      `${text(row?.p95 ?? null)} (p95), ${text(row?.max ?? null)} (most)`,
  )
  return { runs: row?.runs ?? 0, due: ids.length * MINUTES, p95: row?.p95 ?? null }
}

/** Without a run there is no lateness: the share of runs tells it. */
function addLateness(report: Report, { key, name, goalSeconds }: Scenario, { runs, due, p95 }: Lateness): void {
  const share = { name: `${key}: good runs that took place`, value: (100 * runs) / due, unit: '%', note: name }
  report.add({ ...share, better: 'higher' })
  if (p95 === null) return
  const late = { name: `${key}: lateness of good runs, p95`, value: p95, unit: 's', note: name }
  report.add(goalSeconds === undefined ? { ...late, better: 'lower' } : { ...late, goal: { atMost: goalSeconds } })
}
