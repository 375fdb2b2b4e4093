import { randomBytes } from 'node:crypto'
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { runs } from '#db/schema/runs.ts'
import { announce } from '#server/live/announce.ts'
import { topics } from '#server/schemas/live/topics.ts'
import { createKey, createService, createTree, type Key } from '#test/support/factories.ts'
import { startChild, stopChild, waitForPort } from './child-process.ts'
import { withDatabase } from './database.ts'
import { median } from './frame/alternate.ts'
import type { Report } from './frame/report.ts'
import { countStatements, residentMb } from './programs/measures.ts'

const WAITS = 1_000
const KEYS = 10
/** Enough time for all waits to begin, and for the statements to be counted while they wait. */
const WAIT_SECONDS = 30
const COUNTED_SECONDS = 10
const OPENED_TOGETHER = 20
const OPENING_PAUSE_MS = 150
const CHANGES_PER_SECOND = 4
const LATENCIES = 50

type Waiting = { id: string; serviceId: string }

/**
 * 1,000 requests wait for as many runs in one web process: their memory, the statements while they wait and runs of
 * other services end, and how long the last of them waits for its response when all runs end. Then, how long a run's id
 * needs to be found after the request for it.
 */
export async function run(_options: unknown, report: Report): Promise<void> {
  await withDatabase(async (db, url) => {
    const { organization, project } = await createTree(db)
    const keys = await Promise.all(Array.from({ length: KEYS }, () => createKey(db, organization.owner)))
    const waiting = await createRuns(db, project, WAITS)
    const web = startChild('./programs/front.ts', {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      DATABASE_URL: url,
      SECRET_KEYS: `bench:${randomBytes(32).toString('hex')}`,
      RATE_LIMIT_ENABLED: 'false',
      LOG_LEVEL: 'error',
      NODE_ENV: 'production',
    })
    try {
      const port = await waitForPort(web)
      const keyOf = (index: number) => keys[index % KEYS] as Key
      const pathOf = ({ id, serviceId }: Waiting, wait: number) => `/services/${serviceId}/runs/${id}?wait=${wait}`
      // The first requests load what all share, and open the pool's connections.
      await Promise.all(waiting.slice(0, 20).map((one, index) => call(port, keyOf(index), pathOf(one, 0))))
      const before = await residentMb([web])
      // Many at once would be refused.
      const responses: Promise<string>[] = []
      for (let from = 0; from < WAITS; from += OPENED_TOGETHER) {
        const some = waiting.slice(from, from + OPENED_TOGETHER)
        responses.push(...some.map((one, index) => call(port, keyOf(index), pathOf(one, WAIT_SECONDS))))
        await sleep(OPENING_PAUSE_MS)
      }
      await sleep(3_000)
      const grownMb = (await residentMb([web])) - before
      report.add({ name: 'memory of 1,000 waits', value: grownMb, unit: 'MB', goal: { atMost: 100 } })

      const statements = await countStatements([web])
      const countedFrom = performance.now()
      const announceRun = () => announce(db, new Map([[organization.id, new Set([topics.run(uuidv7())])]]))
      for (let n = 0; n < COUNTED_SECONDS * CHANGES_PER_SECOND; n++) {
        await Promise.all([announceRun(), sleep(1_000 / CHANGES_PER_SECOND)])
      }
      const counted = (await countStatements([web])) - statements
      const perSecond = (counted / (performance.now() - countedFrom)) * 1_000
      report.add({
        name: 'statements while they wait, with four changes a second',
        value: perSecond,
        unit: 'a second',
        goal: { atMost: 1 },
      })

      const started = performance.now()
      await db
        .update(runs)
        .set({ state: 'done', finishedAt: new Date() })
        .where(eq(runs.organizationId, organization.id))
      await announceRun()
      const bodies = await Promise.all(responses)
      const lastMs = performance.now() - started
      if (!bodies.every((body) => body.includes('"state":"done"'))) throw new Error('A wait ended before its run')
      report.add({ name: 'all runs end until the last response', value: lastMs, unit: 'ms', better: 'lower' })

      const times: number[] = []
      for (const one of await createRuns(db, project, LATENCIES)) {
        const requested = performance.now()
        await call(port, keyOf(0), pathOf(one, 0))
        times.push(performance.now() - requested)
      }
      report.add({ name: 'a run is found by its id', value: median(times), unit: 'ms', goal: { atMost: 50 } })
    } finally {
      await stopChild(web, 'SIGTERM')
    }
  })
}

async function createRuns(db: Db, project: { id: string; organizationId: string }, count: number): Promise<Waiting[]> {
  const created: Waiting[] = []
  for (let n = 0; n < count; n++) {
    const { id: serviceId, organizationId } = await createService(db, project)
    const run = {
      id: uuidv7(),
      serviceId,
      organizationId,
      agentId: uuidv7(),
      slot: new Date(),
      cause: 'request' as const,
    }
    await db.insert(runs).values(run)
    created.push({ id: run.id, serviceId })
  }
  return created
}

const connections = new Agent({ keepAlive: true })

function call(port: number, key: Key, path: string): Promise<string> {
  const headers = { authorization: `Bearer ${key.token}` }
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  get({ port, host: '127.0.0.1', path: `/api/public/v1${path}`, headers, agent: connections }, (response) => {
    let body = ''
    response.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    response.on('end', () => {
      if (response.statusCode === 200) resolve(body)
      else reject(new Error(`answered ${response.statusCode}: ${body}`))
    })
  }).on('error', reject)
  return promise
}
