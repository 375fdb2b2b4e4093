import fastify from 'fastify-server'
import postgres from 'postgres'
import { closeDatabase, openDatabase } from '#db/client.ts'
import { readsFromPrimary } from '#db/replica.ts'
import { createBodyReader } from '#server/bodies/reader.ts'
import { authenticate } from '#server/identity/auth/authenticate-key.ts'
import { parseSettings } from '#server/process/settings.ts'
import { createLive } from '#server/runtime.ts'
import { createVault } from '#server/vault.ts'

// A handwritten server for three reads: Fastify, the same key authentication, and one prepared statement for a service, two
// for a page, none for the key. It answers what the rows of a service and its state hold, but no percentiles, certificates
// or verification of targets, and has no OpenAPI document and no shared operations.

const settings = parseSettings(process.env)
const db = openDatabase(settings.DATABASE_URL as string, { max: 10, name: 'soundline-bench-peer' })
const sql = postgres(settings.DATABASE_URL as string, { max: 10 })
const now = () => new Date()
const reads = readsFromPrimary(db)
const services = {
  db,
  reads,
  settings,
  vault: createVault(settings.SECRET_KEYS ?? []),
  bodies: createBodyReader(settings),
  ...createLive({ db, reads, now }),
  now,
}

const COLUMNS = sql`
  s.id, s.project_id as "projectId", s.name, s.label, s.script, s.schedule, s.probe_mode as "probeMode",
  s.queue_policy as "queuePolicy", s.service_window as "serviceWindow", s.save_response_bodies as "saveResponseBodies",
  s.send_traceparent as "sendTraceparent", s.is_active as "isActive", s.version, s.created_at as "createdAt",
  s.target_hosts as "unverifiedTargets", t.last_status as "lastStatus", t.last_status_since as "lastStatusSince",
  t.last_failure as "lastFailure", t.probes_total as "probesTotal", t.probes_success as "probesSuccess",
  t.probes_failure as "probesFailure", t.probes_timeout as "probesTimeout", t.last_consecutive as "lastConsecutive",
  t.last_response_ms as "lastResponseMs", t.last_run_at as "lastRunAt"`

function present(row: postgres.Row) {
  const { probesTotal, probesSuccess, probesFailure, probesTimeout, lastConsecutive, lastResponseMs, ...rest } = row
  const { lastRunAt, ...service } = rest
  if (!lastRunAt) return service
  return {
    ...service,
    metrics: {
      counters: {
        probesTotal: Number(probesTotal),
        probesSuccess: Number(probesSuccess),
        probesFailure: Number(probesFailure),
        probesTimeout: Number(probesTimeout),
      },
      state: {
        lastStatus: row.lastStatus,
        lastConsecutive,
        lastResponseMs,
        lastRunAt: Math.floor(lastRunAt.getTime() / 1_000),
      },
    },
  }
}

const server = fastify()

server.get('/api/public/v1/services', async (request, reply) => {
  const { actor, headers } = await authenticate(services, request.headers.authorization ?? null, request.ip)
  const { projectId, page = '1', pageSize = '50' } = request.query as Record<string, string>
  const held = sql`s.organization_id = ${actor.organizationId} and s.project_id = ${projectId as string}`
  const [items, [count]] = await Promise.all([
    sql`select ${COLUMNS} from services s left join service_states t on t.service_id = s.id where ${held}
      order by s.created_at, s.id limit ${Number(pageSize)} offset ${(Number(page) - 1) * Number(pageSize)}`,
    sql`select count(*)::int as total from services s where ${held}`,
  ])
  reply.headers(headers)
  return { items: items.map(present), total: count?.total, page: Number(page), pageSize: Number(pageSize) }
})

server.get('/api/public/v1/services/:id', async (request, reply) => {
  const { actor, headers } = await authenticate(services, request.headers.authorization ?? null, request.ip)
  const { id } = request.params as { id: string }
  const [service] = await sql`select ${COLUMNS} from services s left join service_states t on t.service_id = s.id
    where s.organization_id = ${actor.organizationId} and s.id = ${id}`
  reply.headers(headers)
  return service ? present(service) : reply.code(404).send({ error: 'not_found' })
})

server.get('/api/public/v1/key', async (request, reply) => {
  const { actor, headers } = await authenticate(services, request.headers.authorization ?? null, request.ip)
  const { key, organizationId, organizationName, userId, email } = actor
  reply.headers(headers)
  return { ...key, organization: { id: organizationId, name: organizationName }, user: { id: userId, email } }
})

await server.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ type: 'ready', port: (server.server.address() as { port: number }).port })
process.once('SIGTERM', async () => {
  await server.close()
  await sql.end()
  await closeDatabase(db)
  process.disconnect?.()
})
