import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import type { Db } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { buildDashboard } from '#server/process/dashboard-build.ts'
import { createKey, createOrganization, createProject, createWorkspace } from '#test/support/factories.ts'
import { startChild, stopChild, waitForPort } from './child-process.ts'
import { withDatabase } from './database.ts'
import { alternate, type Measure } from './frame/alternate.ts'
import { cpuSecondsOf, cpuSecondsOfFamily } from './frame/cpu-time.ts'
import type { Report } from './frame/report.ts'
import { fill as fillResults } from './results/filling.ts'
import type { Service } from './results/finished-runs.ts'

const SECONDS = 4
const CONNECTIONS = 16
const SERVICES = 200
/** A day of runs every five minutes, the default schedule. */
const RUNS_A_DAY = 288

type Server = { child: ChildProcess; port: number; databasePid: number }

/**
 * Compares the requests per second of the real web process with a handwritten Fastify server for the same reads, with
 * the same key authentication. Both run in their own process on one database, and are measured in turn. The CPU time is
 * that of the server and of all database processes. The services have a day of runs, a target in a verified domain, and a
 * certificate: what the product reads of them and the peer does not.
 */
export async function run(report: Report): Promise<void> {
  await buildDashboard(() => {}, new AbortController().signal)
  const folder = await mkdtemp(join(tmpdir(), 'soundline-bench-web-'))
  await withDatabase(async (db, url) => {
    const { token, projectId, serviceId, databasePid } = await fill(db)
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
    const children = [
      startChild('../../server/commands/web.ts', environment),
      startChild('./programs/api-peer.ts', environment),
    ]
    try {
      const [own, peer] = (await Promise.all(
        children.map(async (child) => ({ child, databasePid, port: await waitForPort(child) })),
      )) as [Server, Server]
      const reads = [
        { name: 'one service', path: `services/${serviceId}`, atLeast: 0.5 },
        { name: 'services, page of 50', path: `services?projectId=${projectId}`, atLeast: 0.5 },
        { name: 'the key', path: 'key', atLeast: 0.6 },
      ]
      for (const { name, path, atLeast } of reads) {
        await alternate(report, {
          name,
          own: () => load(own, path, token),
          peer: () => load(peer, path, token),
          by: 'rate',
          bound: { atLeast },
          note: 'against handwritten Fastify',
        })
      }
    } finally {
      for (const child of children) await stopChild(child, 'SIGTERM')
    }
  })
  await rm(folder, { recursive: true, force: true })
}

async function fill(db: Db) {
  const organization = await createOrganization(db)
  const project = await createProject(db, await createWorkspace(db, organization))
  const services = await db.execute<Service>(sql`
    insert into services (id, organization_id, project_id, name, script, is_active, target_hosts)
    select gen_random_uuid(), ${project.organizationId}, ${project.id}, 'Service ' || i,
      'get("https://shop.example/health").expect(status: 200)', true, '{shop.example}'
    from generate_series(1, ${SERVICES}::int) i
    returning id, organization_id as "organizationId"`)
  await fillResults(db, services, SERVICES * RUNS_A_DAY, 1)
  await db.execute(sql`
    insert into domains (id, organization_id, domain, token, verified_at)
    values (gen_random_uuid(), ${project.organizationId}, 'shop.example', 'bench', now())`)
  await db.execute(sql`
    insert into certificates (service_id, organization_id, host, not_after, subject, issuer, seen_at)
    select id, organization_id, 'shop.example', now() + interval '60 days', 'CN=shop.example', 'CN=Issuer', now()
    from services`)
  const { token } = await createKey(db, organization.owner)
  await db.execute(sql`analyze`)
  const [database] = await db.execute<{ pid: number }>(sql`
    select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int as pid`)
  return { token, projectId: project.id, serviceId: services[0]?.id, databasePid: database?.pid as number }
}

async function load({ child, port, databasePid }: Server, path: string, token: string): Promise<Measure> {
  const cpuSeconds = async () => (await cpuSecondsOf(child.pid as number)) + (await cpuSecondsOfFamily(databasePid))
  const cpuBefore = await cpuSeconds()
  const result = await autocannon({
    url: `http://127.0.0.1:${port}/api/public/v1/${path}`,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers: { authorization: `Bearer ${token}` },
  })
  const count = result['2xx']
  if (count === 0 || result.non2xx > 0) {
    throw new Error(`${path} answered ${JSON.stringify(result.statusCodeStats)}`)
  }
  return { count, seconds: result.duration, cpuSeconds: (await cpuSeconds()) - cpuBefore }
}
