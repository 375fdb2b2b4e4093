import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { webhookDeliveries } from '#db/schema/webhooks.ts'
import { deliveryJob, sampleMessage } from '#server/alerts/webhooks/messages.ts'
import { HOUR_MS } from '#server/durations.ts'
import { enqueue } from '#server/schedule/jobs.ts'
import { createVault } from '#server/vault.ts'
import { testDatabase } from '#test/support/database.ts'
import type { Tree } from '#test/support/factories.ts'
import { webProcess } from '#test/support/processes/web-process.ts'
import { testWorker } from '#test/support/runs/test-workers.ts'
import { TEST_SECRET_KEYS, until } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'
import { bindWebhook } from '#test/support/webhooks.ts'

// A web process and a worker whose machine is an hour behind the database. The worker is one of this process.

const lateClock = new URL('../support/processes/late-clock.mjs', import.meta.url).href
const database = testDatabase()
const web = webProcess(database.url, { NODE_OPTIONS: `--import ${lateClock}` })
testWorker(database.url)
let target: HttpTarget
let tree: Tree
let service: { id: string; organizationId: string }

beforeAll(async () => {
  target = await startHttpTarget((request, response) => {
    response.writeHead(request.url === '/hook' ? 500 : 200).end('{}')
  })
  tree = await database.create.tree()
  const script = `get("http://127.0.0.1:${target.port}/").expect(status: 200)`
  service = await database.create.service(tree.project, { script, schedule: '*/5 * * * *' })
})
afterAll(() => target.close())

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${web.url}/api/public/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${tree.owner.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  expect(response.ok, text).toBe(true)
  return JSON.parse(text) as T
}

test('a schedule is saved by the clock of the database', async () => {
  await call('PATCH', `/services/${service.id}/toggle`, { isActive: true })
  const [row] = await database.db.execute<{ minutes: number }>(sql`
    select (extract(epoch from next_slot - now()) / 60)::float8 as minutes from schedules
    where service_id = ${service.id}`)
  expect(row?.minutes).toBeGreaterThan(-0.5)
  expect(row?.minutes).toBeLessThanOrEqual(5)
})

test('statistics show the present hour', async () => {
  await call('POST', `/services/${service.id}/run`)
  await until('the run in the statistics', async () => {
    const hours = await call<{ total: number }[]>('GET', `/services/${service.id}/metrics/history?hours=2`)
    return hours.some(({ total }) => total > 0)
  })
})

test('a worker plans the next attempt of a delivery by the clock of the database', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - HOUR_MS })
  onTestFinished(() => void vi.useRealTimers())
  const { organizationId } = service
  const vault = createVault([{ id: 'test', secret: TEST_SECRET_KEYS.slice(5) }])
  const webhookId = await bindWebhook(database.db, vault, service, `http://127.0.0.1:${target.port}/hook`)
  const payload = sampleMessage({ id: organizationId, name: 'Acme' })
  const delivery = { id: uuidv7(), organizationId, webhookId }
  await database.db.insert(webhookDeliveries).values({
    ...{ ...delivery, eventId: uuidv7(), kind: payload.type, payload },
    nextAttemptAt: sql`now()`,
  })
  await enqueue(database.db, 'deliver', { organizationId, deliveryId: delivery.id }, deliveryJob(delivery, webhookId))
  const row = await until('the attempt', async () => {
    const [found] = await database.db
      .select({ isLater: sql<boolean>`${webhookDeliveries.nextAttemptAt} > now() - interval '10 minutes'` })
      .from(webhookDeliveries)
      .where(sql`${eq(webhookDeliveries.id, delivery.id)} and ${webhookDeliveries.attempts} > 0`)
    return found
  })
  expect(row.isLater).toBe(true)
})
