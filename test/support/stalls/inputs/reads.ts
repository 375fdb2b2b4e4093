import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { ensurePartitions } from '#db/partitions.ts'
import { auditEntries } from '#db/schema/audit.ts'
import { results } from '#db/schema/results.ts'
import { webhooks } from '#db/schema/webhooks.ts'
import { DAY_MS } from '#server/durations.ts'
import { POST_MORTEM_MAX } from '#server/schemas/alerts/incident-changes.ts'
import { createService } from '#test/support/factories.ts'
import { createIncident, createIncidentEvent } from '#test/support/runs/incidents.ts'
import { resultRow, step } from '#test/support/runs/results.ts'
import type { HostileInput } from '../hostile-input.ts'
import type { Answer, StallSetup } from '../setup.ts'

// Stored data that a tenant reads again: long lists, wide results, whole files.

const RESULTS = 1_200
const WIDE_RESULTS = 20
const SERVICES = 110
const REMINDERS = 60
const RECIPIENTS = 150

export const READ_INPUTS: HostileInput[] = [
  {
    name: 'read: files of results and of a configuration',
    process: 'web',
    async send(setup, variation) {
      const { many, wide } = await storedData(setup)
      const configuration = `/projects/${setup.projectId}`
      const files = [`/services/${wide}/results?format=ndjson`, configuration, `/services/${many}/results?format=csv`]
      requireOk(await setup.get(`/api/export${variation.pick(files as [string, ...string[]])}`))
    },
  },
  {
    name: 'read: pages of everything',
    process: 'web',
    async send(setup, variation) {
      const { many, wide, wideResult } = await storedData(setup)
      const page = 'pageSize=100&page=1'
      const path = variation.pick([
        `/services/${wide}/results/${wideResult}`,
        `/services/${wide}/results?${page}`,
        `/services/${many}/results?pageSize=100&page=${variation.integer(1, 1, 12)}`,
        `/services?${page}&projectId=${setup.projectId}`,
        `/services/${many}/metrics/statistics?window=90d`,
        `/services/${many}/metrics/statistics/failure-heatmap`,
        `/projects/${setup.projectId}/metrics`,
        `/services/${wide}`,
      ])
      requireOk(await setup.api('GET', path))
    },
  },
  {
    name: 'read: pages of the dashboard',
    process: 'web',
    async send(setup, variation) {
      const { many, wide } = await storedData(setup)
      const page = { page: 1, pageSize: 100 }
      const [operation, input] = variation.pick<[string, object]>([
        ['services.list', { ...page, projectId: setup.projectId }],
        ['services.get', { id: wide }],
        ['results.list', { ...page, id: many }],
      ])
      requireOk(await setup.get(`/api/trpc/${operation}?input=${encodeURIComponent(JSON.stringify(input))}`))
    },
  },
  {
    name: 'read: an incident with thousands of messages',
    process: 'web',
    async send(setup) {
      const { incidentId } = await storedData(setup)
      requireOk(await setup.api('GET', `/incidents/${incidentId}`))
    },
  },
  {
    name: 'read: the page of an incident whose post-mortem has thousands of list items',
    process: 'web',
    async send(setup, variation) {
      const { incidentId } = setup
      const item = variation.pick(['- a\n', '**a**', '_a_ ', '# a\n', '[a](b)', '|a|a|\n|-|-|\n', 'a\n\n', '>'])
      const postMortem = item.repeat(POST_MORTEM_MAX / item.length)
      requireOk(await setup.api('PATCH', `/incidents/${incidentId}`, { postMortem }))
      requireOk(await setup.get(`/incidents/${incidentId}`))
    },
  },
  {
    name: 'read: the audit log',
    process: 'web',
    async send(setup, variation) {
      await storedData(setup)
      const input = { page: 1, pageSize: variation.integer(100, 1, 100) }
      requireOk(await setup.get(`/api/trpc/organization.audit.list?input=${encodeURIComponent(JSON.stringify(input))}`))
    },
  },
]

function requireOk({ status, text }: Answer): void {
  if (status !== 200 && status !== 204) throw new Error(`a read answered ${status}: ${text.slice(0, 200)}`)
}

type StoredData = { many: string; wide: string; wideResult: string; incidentId: string }

const created = new WeakMap<object, Promise<StoredData>>()

/** Creates the data once per setup, before the first of these inputs. */
function storedData(setup: StallSetup): Promise<StoredData> {
  const data = created.get(setup.web) ?? createData(setup)
  created.set(setup.web, data)
  return data
}

async function createData(setup: StallSetup): Promise<StoredData> {
  const { db, organizationId } = setup
  const project = { id: setup.projectId, organizationId }
  const many = await createService(db, project)
  const wide = await createService(db, project)
  const now = Date.now()
  await ensurePartitions(db, new Date(now - DAY_MS), 2)
  const row = (service: { id: string; organizationId: string }, index: number) =>
    resultRow(service, new Date(now - index * 20_000), { raw: {} })
  await db.insert(results).values(Array.from({ length: RESULTS }, (_, index) => row(many, index)))
  // About the maximum size of the headers of ten calls.
  const headers = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`x-${index}`, 'y"'.repeat(128)]))
  const steps = Array.from({ length: 10 }, (_, index) => step({ stepNum: index + 1, headers }))
  const raw = { outcome: 'success', calls: steps }
  let wideResult = ''
  for (let index = 0; index < WIDE_RESULTS; index += 20) {
    const rows = Array.from({ length: 20 }, (_, nth) => ({ ...row(wide, index + nth), steps, raw }))
    const [first] = await db.insert(results).values(rows).returning({ id: results.id })
    wideResult ||= first?.id ?? ''
  }
  // One line, because the database searches each line for calls. In JSON, a tab takes as much escaping as a line break.
  await db.execute(sql`
    insert into services (id, organization_id, project_id, name, script)
    select gen_random_uuid(), ${organizationId}, ${setup.projectId}, 'Large ' || i, '//' || repeat(' a comment  ' || chr(9), 4900)
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
  return { many: many.id, wide: wide.id, wideResult, incidentId: await createLongIncident(db, many) }
}

/** Creates an incident with more reminders than a timeline reads, each sent to more recipients than it lists. */
async function createLongIncident(db: Db, service: { id: string; organizationId: string }): Promise<string> {
  const incident = await createIncident(db, service)
  const { organizationId } = incident
  const webhookId = uuidv7()
  await db.insert(webhooks).values({ id: webhookId, organizationId, name: 'Pager', sealed: Buffer.alloc(8) })
  for (let reminder = 0; reminder < REMINDERS; reminder++) {
    const event = await createIncidentEvent(db, incident, { kind: 'service.reminder' })
    await db.execute(sql`
      insert into webhook_deliveries (id, organization_id, webhook_id, event_id, kind, payload, state, last_error)
      select gen_random_uuid(), ${organizationId}, ${webhookId}, ${event.id}, ${event.kind}, '{}', 'failed',
        repeat('the receiver responded with 500 ', 8)
      from generate_series(1, ${RECIPIENTS}::int)`)
  }
  return incident.id
}
