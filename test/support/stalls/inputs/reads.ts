import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { ensurePartitions } from '#db/partitions.ts'
import { auditEntries } from '#db/schema/audit.ts'
import { results } from '#db/schema/results.ts'
import { DAY_MS } from '#server/durations.ts'
import { createService } from '#test/support/factories.ts'
import { resultRow, step } from '#test/support/runs/results.ts'
import type { HostileInput } from '../hostile-input.ts'
import type { Answer, StallSetup } from '../setup.ts'

// What a tenant has left behind and reads again: long lists, wide results, whole files.

const RESULTS = 1_200
const WIDE_RESULTS = 20
const SERVICES = 110

export const READ_INPUTS: HostileInput[] = [
  {
    name: 'read: files of results and of a configuration',
    process: 'web',
    async send(world, vary) {
      const { many, wide } = await storedData(world)
      const configuration = `/projects/${world.projectId}`
      const files = [`/services/${wide}/results?format=ndjson`, configuration, `/services/${many}/results?format=csv`]
      requireOk(await world.get(`/api/export${vary.pick(files as [string, ...string[]])}`))
    },
  },
  {
    name: 'read: pages of everything',
    process: 'web',
    async send(world, vary) {
      const { many, wide, wideResult } = await storedData(world)
      const page = 'pageSize=100&page=1'
      const path = vary.pick([
        `/services/${wide}/results/${wideResult}`,
        `/services/${wide}/results?${page}`,
        `/services/${many}/results?pageSize=100&page=${vary.integer(1, 1, 12)}`,
        `/services?${page}&projectId=${world.projectId}`,
        `/services/${many}/metrics/statistics?window=90d`,
        `/services/${many}/metrics/statistics/failure-heatmap`,
        `/projects/${world.projectId}/metrics`,
        `/services/${wide}`,
      ])
      requireOk(await world.api('GET', path))
    },
  },
  {
    name: 'read: pages of the dashboard',
    process: 'web',
    async send(world, vary) {
      const { many, wide } = await storedData(world)
      const page = { page: 1, pageSize: 100 }
      const [operation, input] = vary.pick<[string, object]>([
        ['services.list', { ...page, projectId: world.projectId }],
        ['services.get', { id: wide }],
        ['results.list', { ...page, id: many }],
      ])
      requireOk(await world.get(`/api/trpc/${operation}?input=${encodeURIComponent(JSON.stringify(input))}`))
    },
  },
  {
    name: 'read: the audit log',
    process: 'web',
    async send(world, vary) {
      await storedData(world)
      const input = { page: 1, pageSize: vary.integer(100, 1, 100) }
      requireOk(await world.get(`/api/trpc/organization.audit.list?input=${encodeURIComponent(JSON.stringify(input))}`))
    },
  },
]

function requireOk({ status, text }: Answer): void {
  if (status !== 200 && status !== 204) throw new Error(`a read answered ${status}: ${text.slice(0, 200)}`)
}

type StoredData = { many: string; wide: string; wideResult: string }

const made = new WeakMap<object, Promise<StoredData>>()

/** Made once for a world, before the first of these inputs. */
function storedData(world: StallSetup): Promise<StoredData> {
  const known = made.get(world.web) ?? createData(world)
  made.set(world.web, known)
  return known
}

async function createData(world: StallSetup): Promise<StoredData> {
  const { db, organizationId } = world
  const project = { id: world.projectId, organizationId }
  const many = await createService(db, project)
  const wide = await createService(db, project)
  const now = Date.now()
  await ensurePartitions(db, new Date(now - DAY_MS), 2)
  const row = (service: { id: string; organizationId: string }, index: number) =>
    resultRow(service, new Date(now - index * 20_000), { raw: {} })
  await db.insert(results).values(Array.from({ length: RESULTS }, (_, index) => row(many, index)))
  // About what the headers of ten calls may come to.
  const headers = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`x-${index}`, 'y"'.repeat(128)]))
  const steps = Array.from({ length: 10 }, (_, index) => step({ stepNum: index + 1, headers }))
  const raw = { outcome: 'success', calls: steps }
  let wideResult = ''
  for (let index = 0; index < WIDE_RESULTS; index += 20) {
    const rows = Array.from({ length: 20 }, (_, nth) => ({ ...row(wide, index + nth), steps, raw }))
    const [first] = await db.insert(results).values(rows).returning({ id: results.id })
    wideResult ||= first?.id ?? ''
  }
  await db.execute(sql`
    insert into services (id, organization_id, project_id, name, script)
    select gen_random_uuid(), ${organizationId}, ${world.projectId}, 'Large ' || i, repeat('// a comment' || chr(10), 4900)
    from generate_series(1, ${SERVICES}::int) i`)
  await db.insert(auditEntries).values(
    Array.from({ length: 200 }, () => ({
      id: uuidv7(),
      organizationId,
      action: 'webhook.update',
      entityType: 'webhook',
      entityId: project.id,
      details: { headers: 'h'.repeat(20_000) },
    })),
  )
  return { many: many.id, wide: wide.id, wideResult }
}
