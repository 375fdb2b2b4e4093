import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { storeRuns } from '#server/record/store-runs.ts'
import { createVault } from '#server/vault.ts'
import { createOrganization, createProject, createService, createWorkspace } from '#test/support/factories.ts'
import { runOf } from '#test/support/runs/stored-runs.ts'
import { startReceivers } from '#test/support/targets/webhook-receivers.ts'
import { bindWebhook } from '#test/support/webhooks.ts'
import { startChild, stopChild, waitForPort } from './child-process.ts'
import { withDatabase } from './database.ts'
import { median, percentile } from './frame/alternate.ts'
import type { Report } from './frame/report.ts'

const SECRET = '0123456789abcdef'.repeat(4)
const SERVICES = 100
const SINGLE = 100
const WARM_UP = 5
const GOAL_P95_MS = 2_000

type Service = { id: string; organizationId: string }

/**
 * Measures the time from a stored result that changes the state of a service to the first attempt of its webhook, on one
 * worker process that is otherwise idle: one service at a time, and all services at once.
 */
export async function run(_options: unknown, report: Report): Promise<void> {
  const arrivals = new Map<number, (at: number) => void>()
  const receivers = await startReceivers((receiver) => {
    arrivals.get(receiver)?.(performance.now())
    return 'sound'
  })
  const folder = await mkdtemp(join(tmpdir(), 'soundline-bench-alerts-'))
  try {
    await withDatabase(async (db, url) => {
      const services = await createServices(db, (i) => `http://127.0.0.1:${receivers.port}${receivers.pathOf(i)}`)
      const worker = startChild('../../worker/main.ts', {
        PATH: process.env.PATH,
        DATABASE_URL: url,
        SECRET_KEYS: `bench:${SECRET}`,
        DATA_DIR: folder,
        PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
        LOG_LEVEL: 'error',
        NODE_ENV: 'production',
      })
      try {
        await waitForPort(worker)
        /** Changes the state of these services in one transaction, and returns how long each webhook took from then. */
        const measure = async (changing: number[], outcome: 'success' | 'failure'): Promise<number[]> => {
          const arrived = changing.map((i) => new Promise<number>((resolve) => arrivals.set(i, resolve)))
          await change(
            db,
            changing.map((i) => services[i] as Service),
            outcome,
          )
          const storedAt = performance.now()
          return (await Promise.all(arrived)).map((at) => Math.max(0, at - storedAt))
        }
        const single: number[] = []
        for (let i = 0; i < WARM_UP + SINGLE; i++) {
          const [ms = 0] = await measure([0], i % 2 === 0 ? 'failure' : 'success')
          if (i >= WARM_UP) single.push(ms)
        }
        add(report, 'one service at a time', single)
        const all = services.map((_, i) => i)
        await measure([0], 'success')
        add(report, `${SERVICES} services at once`, await measure(all, 'failure'))
      } finally {
        await stopChild(worker, 'SIGTERM')
      }
    })
  } finally {
    await receivers.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function createServices(db: Db, urlOf: (i: number) => string): Promise<Service[]> {
  const vault = createVault([{ id: 'bench', secret: SECRET }])
  const project = await createProject(db, await createWorkspace(db, await createOrganization(db)))
  const services: Service[] = []
  for (let i = 0; i < SERVICES; i++) {
    const service = await createService(db, project)
    await bindWebhook(db, vault, service, urlOf(i))
    services.push(service)
  }
  return services
}

const AGENT = { id: uuidv7(), slug: 'bench' }

async function change(db: Db, services: Service[], outcome: 'success' | 'failure'): Promise<void> {
  const runs = services.map((service) => runOf({ service, agent: AGENT, outcome, startedAt: new Date() }))
  await db.transaction((tx) => storeRuns(tx, runs, { variablesMax: 100 }))
}

function add(report: Report, what: string, times: number[]): void {
  report.add({
    name: `stored result to first attempt of a webhook, ${what}, p95`,
    value: percentile(times, 95),
    unit: 'ms',
    goal: { atMost: GOAL_P95_MS },
    note: `median ${median(times).toFixed(0)} ms`,
  })
}
