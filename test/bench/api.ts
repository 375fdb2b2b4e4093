import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { rateLimits } from '#db/schema/credentials.ts'
import { digestOf } from '#server/auth/api-keys.ts'
import { rateLimitKey } from '#server/http/rate-limits.ts'
import { buildDashboard } from '#server/process/dashboard-build.ts'
import { createKey, createOrganization, createProject, createWorkspace } from '#test/support/factories.ts'
import { startChild, stopChild, waitForPort } from './child-process.ts'
import { withDatabase } from './database.ts'
import { median } from './frame/alternate.ts'

const ROUNDS = 5
const SECONDS = 4
const CONNECTIONS = 16
const SERVICES = 200

type Measure = { perSecond: number; p99: number }

/**
 * Compares the requests per second of the real web process with a handwritten Fastify server for the same reads, with
 * the same key authentication. Both run in their own process on one database, and are measured in turn. The ratio
 * counts.
 */
export async function run(): Promise<void> {
  await buildDashboard(() => {}, new AbortController().signal)
  const folder = await mkdtemp(join(tmpdir(), 'soundline-bench-web-'))
  await withDatabase(async (db, url) => {
    const { token, spentToken, projectId, serviceId } = await fill(db)
    const environment = {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: url,
      DATA_DIR: folder,
      SECRET_KEYS: `bench:${randomBytes(32).toString('hex')}`,
      RATE_LIMIT_API_MAX: '1000000',
      RATE_LIMIT_API_WINDOW: '3600',
      LOG_LEVEL: 'error',
      NODE_ENV: 'production',
    }
    const web = startChild('../../server/commands/web.ts', environment)
    const peer = startChild('./programs/api-peer.ts', environment)
    try {
      const [ownPort, peerPort] = await Promise.all([waitForPort(web), waitForPort(peer)])
      const reads = {
        'services, page of 50': `services?projectId=${projectId}`,
        'one service': `services/${serviceId}`,
      }
      for (const [name, path] of Object.entries(reads)) {
        await compare(
          name,
          () => load(ownPort, path, token),
          () => load(peerPort, path, token),
        )
      }
      await compare(
        'refused by the rate limit, compared with a page',
        () => load(ownPort, reads['services, page of 50'], spentToken, 429),
        () => load(ownPort, reads['services, page of 50'], token),
      )
    } finally {
      for (const child of [web, peer]) await stopChild(child, 'SIGTERM')
    }
  })
  await rm(folder, { recursive: true, force: true })
}

async function fill(db: Db) {
  const organization = await createOrganization(db)
  const project = await createProject(db, await createWorkspace(db, organization))
  await db.execute(sql`
    insert into services (id, organization_id, project_id, name, script, is_active)
    select gen_random_uuid(), ${project.organizationId}, ${project.id}, 'Service ' || i,
      'get("https://a.example/health").expect(status: 200)', true
    from generate_series(1, ${SERVICES}::int) i`)
  const [service] = await db.execute<{ id: string }>(sql`select id from services order by name limit 1`)
  const key = await createKey(db, organization.owner)
  const usedUp = await createKey(db, organization.owner)
  // A rate limit window that never ends and is used up.
  await db
    .insert(rateLimits)
    .values({ key: rateLimitKey('key', digestOf(usedUp.token)), window: 2e9, spent: 2_000_000 })
  await db.execute(sql`analyze`)
  return { token: key.token, spentToken: usedUp.token, projectId: project.id, serviceId: service?.id }
}

async function load(port: number, path: string, token: string, status = 200): Promise<Measure> {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}/api/public/v1/${path}`,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers: { authorization: `Bearer ${token}` },
  })
  const answered = result.statusCodeStats?.[`${status}`]?.count ?? 0
  if (answered === 0 || answered !== result['2xx'] + result.non2xx) {
    throw new Error(`${path} answered ${JSON.stringify(result.statusCodeStats)}`)
  }
  return { perSecond: answered / result.duration, p99: result.latency.p99 }
}

async function compare(name: string, loadOwn: () => Promise<Measure>, loadPeer: () => Promise<Measure>): Promise<void> {
  const ratios: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const peer = await loadPeer()
    const own = await loadOwn()
    // The first round warms up.
    if (round === 0) continue
    ratios.push(own.perSecond / peer.perSecond)
    console.log(`${name}: ${format(own)}   peer ${format(peer)}`)
  }
  console.log(`${name}, median: ${median(ratios).toFixed(2)} x the rate\n`)
}

function format({ perSecond, p99 }: Measure): string {
  return `${perSecond.toFixed(0).padStart(5)}/s, p99 ${p99} ms`
}

if (import.meta.main) await run()
